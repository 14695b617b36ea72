// SPDX-License-Identifier: Apache-2.0
#include "tune/strategy.hpp"

#include "tune/search.hpp"

namespace kwb {
namespace {

class Exhaustive final : public Strategy {
public:
    explicit Exhaustive(std::size_t configurations) : configurations_(configurations) {}

    std::optional<std::size_t> next() override {
        if (next_ == configurations_) return std::nullopt;
        return next_++;
    }
    void tell(std::size_t, std::optional<double>) override {}

private:
    std::size_t configurations_;
    std::size_t next_ = 0;
};

class Random final : public Strategy {
public:
    Random(std::size_t configurations, std::uint64_t seed) : untried_(configurations), chance_(seed) {}

    std::optional<std::size_t> next() override {
        if (untried_.size() == 0) return std::nullopt;
        const std::size_t drawn = untried_[chance_.below(untried_.size())];
        untried_.remove(drawn);
        return drawn;
    }
    void tell(std::size_t, std::optional<double>) override {}

private:
    Untried untried_;
    Chance chance_;
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(StrategyKind kind, const Space& space, std::uint64_t seed) {
    switch (kind) {
        case StrategyKind::Exhaustive:
            return std::make_unique<Exhaustive>(space.size());
        case StrategyKind::Random:
            return std::make_unique<Random>(space.size(), seed);
        case StrategyKind::Climb:
            return make_climb(space, seed);
        case StrategyKind::Anneal:
            return make_anneal(space, seed);
        case StrategyKind::Model:
            return make_model(space, seed);
    }
    return nullptr;
}

}  // namespace kwb
