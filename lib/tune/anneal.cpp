// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "tune/neighbours.hpp"
#include "tune/search.hpp"

namespace kwb {
namespace {

/// Costs are logarithms, so a temperature is a ratio of times: at 0.3, a neighbour that takes e^0.3 = 1.35
/// times as long is accepted with a chance of 1/e.
constexpr double kHottest = 0.3;
constexpr double kColdest = 0.01;
/// Cooling per outcome: 47 outcomes from the hottest to the coldest.
constexpr double kCooling = 0.93;

/// Simulated annealing: moves to a random neighbour if it is faster, else with a chance that falls with the
/// ratio of their times and with the temperature. It goes back to no configuration; where all neighbours are
/// tried, it heats up and begins again elsewhere.
/// Source: Kirkpatrick, Gelatt, Vecchi, Optimization by Simulated Annealing, Science 220 (1983).
class Anneal final : public Search {
public:
    Anneal(const Space& space, std::uint64_t seed) : Search(space, seed), neighbours_(space) {}

private:
    std::size_t choose() override {
        if (!at_) return any_untried();
        for (const Distance distance : {Distance::OneStep, Distance::TwoSteps, Distance::OneParameter}) {
            std::vector<std::size_t> near = neighbours_.of(*at_, distance);
            std::erase_if(near, [&](std::size_t i) { return !untried().contains(i); });
            if (!near.empty()) return near[chance().below(near.size())];
        }
        at_.reset();
        temperature_ = kHottest;
        return any_untried();
    }

    void learn(std::size_t configuration, std::optional<double> log_cost) override {
        temperature_ = std::max(kColdest, temperature_ * kCooling);
        if (!log_cost) return;
        if (at_ && chance().share() >= std::exp((log_cost_ - *log_cost) / temperature_)) return;
        at_ = configuration;
        log_cost_ = *log_cost;
    }

    Neighbours neighbours_;
    std::optional<std::size_t> at_;  ///< nullopt: in search of a start
    double log_cost_ = 0;            ///< of at_
    double temperature_ = kHottest;
};

}  // namespace

std::unique_ptr<Strategy> make_anneal(const Space& space, std::uint64_t seed) {
    return std::make_unique<Anneal>(space, seed);
}

}  // namespace kwb
