// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "tune/neighbours.hpp"
#include "tune/search.hpp"

namespace kwb {
namespace {

/// Hill climbing: moves to the first neighbour that is faster. If none is, it restarts elsewhere.
class Climb final : public Search {
public:
    Climb(const Space& space, std::uint64_t seed)
        : Search(space, seed), params_(space.params().size()), neighbours_(space) {}

private:
    struct Place {
        std::size_t configuration;
        double log_cost;
    };

    std::size_t choose() override {
        while (true) {
            while (!queue_.empty()) {
                const std::size_t next = queue_.back();
                queue_.pop_back();
                if (untried().contains(next)) return begun(next);
            }
            if (!at_ || !widen()) break;
        }
        if (at_) ++climb_;
        at_.reset();
        return begun(any_untried());
    }

    /// Queues the neighbours at one step, then those at two if the first are few.
    /// @return  false: there are no more
    bool widen() {
        if (widened_ == 2 || (widened_ == 1 && !has_few_)) return false;
        queue_ = neighbours_.of(at_->configuration, widened_ == 0 ? Distance::OneStep : Distance::TwoSteps);
        has_few_ = queue_.size() <= params_;
        ++widened_;
        chance().shuffle(queue_);
        return true;
    }

    std::size_t begun(std::size_t configuration) {
        climb_of_[configuration] = climb_;
        return configuration;
    }

    void learn(std::size_t configuration, std::optional<double> log_cost) override {
        const auto begun = climb_of_.extract(configuration);
        if (!log_cost) return;
        const bool is_best = !best_ || *log_cost < *best_;
        const bool is_of_this_climb = !begun.empty() && begun.mapped() == climb_;
        const bool is_better = !at_ || *log_cost < at_->log_cost;
        if (is_best) best_ = log_cost;
        if (!is_best && !(is_of_this_climb && is_better)) return;
        at_ = {configuration, *log_cost};
        queue_.clear();
        widened_ = 0;
    }

    std::size_t params_;
    Neighbours neighbours_;
    std::optional<Place> at_;         ///< nullopt: in search of a start
    std::vector<std::size_t> queue_;  ///< neighbours of at_ to propose, the last first
    int widened_ = 0;                 ///< how often
    bool has_few_ = false;            ///< of the first neighbours: at most one for each parameter
    std::size_t climb_ = 0;           ///< counts them
    std::unordered_map<std::size_t, std::size_t> climb_of_;  ///< in which a configuration was proposed
    std::optional<double> best_;                             ///< of all climbs
};

}  // namespace

std::unique_ptr<Strategy> make_climb(const Space& space, std::uint64_t seed) {
    return std::make_unique<Climb>(space, seed);
}

}  // namespace kwb
