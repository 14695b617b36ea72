#include "tune/strategy.hpp"

#include <numeric>
#include <random>
#include <utility>
#include <vector>

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

/// Draws without replacement: the Fisher-Yates shuffle, one step a proposal.
class Random final : public Strategy {
public:
    Random(std::size_t configurations, std::uint64_t seed) : left_(configurations), engine_(seed) {
        std::iota(left_.begin(), left_.end(), std::size_t{0});
    }

    std::optional<std::size_t> next() override {
        if (left_.empty()) return std::nullopt;
        // std::uniform_int_distribution draws other numbers in other libraries; the remainder's bias is
        // less than 1e-12 for any space that fits into memory.
        std::swap(left_[engine_() % left_.size()], left_.back());
        const std::size_t drawn = left_.back();
        left_.pop_back();
        return drawn;
    }
    void tell(std::size_t, std::optional<double>) override {}

private:
    std::vector<std::size_t> left_;
    std::mt19937_64 engine_;
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(StrategyKind kind, std::size_t configurations, std::uint64_t seed) {
    switch (kind) {
        case StrategyKind::Exhaustive:
            return std::make_unique<Exhaustive>(configurations);
        case StrategyKind::Random:
            return std::make_unique<Random>(configurations, seed);
    }
    return nullptr;
}

}  // namespace kwb
