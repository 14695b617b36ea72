// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "tune/gaussian_process.hpp"
#include "tune/neighbours.hpp"
#include "tune/search.hpp"

namespace kwb {
namespace {

/// This many untried configurations are compared: all, or the neighbours of the fastest and a random sample.
/// With at most this many samples, a proposal takes a few milliseconds, however large the space is.
constexpr std::size_t kMostCandidates = 1000;
constexpr std::size_t kNeighboursOf = 8;

/// The fastest half, and a random choice of the others.
constexpr std::size_t kMostSamples = 128;

/// The first configurations are random, until there is a model.
constexpr std::size_t kFirst = 5;

/// A configuration that is not good counts as slower than all others by this logarithm.
constexpr double kLogOfBad = 0.7;

/// Every second proposal looks only for what improves the best by more than this logarithm. Otherwise many
/// proposals go to configurations that are like the best, while one far away might be much faster.
constexpr double kMuchFaster = 0.3;

/// The lengths are adapted whenever the number of outcomes has grown by this factor.
constexpr double kAdaptAfter = 1.2;

/// How much less than `best` a normally distributed cost is to be expected, where more counts as none.
double expected_improvement(const Prediction& cost, double best) {
    if (cost.deviation < 1e-9) return std::max(0.0, best - cost.mean);
    const double z = (best - cost.mean) / cost.deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return (best - cost.mean) * std::erfc(-z / std::numbers::sqrt2) / 2 + cost.deviation * density;
}

/// Predicts the logarithm of the times of untried configurations by a Gaussian process, and proposes the one
/// with the largest expected improvement. A proposal without an outcome counts as if its prediction had come
/// true.
/// Sources: Jones, Schonlau, Welch, Efficient Global Optimization of Expensive Black-Box Functions, 1998; for
/// logarithms of times: Hutter, Hoos, Leyton-Brown, Sequential Model-Based Optimization, 2011; for proposals
/// before outcomes: Ginsbourger, Le Riche, Carraro, Kriging Is Well-Suited to Parallelize Optimization, 2010.
class Model final : public Search {
public:
    Model(const Space& space, std::uint64_t seed)
        : Search(space, seed), space_(space), neighbours_(space), process_(features_of(space, neighbours_)) {}

private:
    struct Outcome {
        std::size_t configuration;
        double log_cost;
    };

    static std::vector<GaussianProcess::Feature> features_of(const Space& space,
                                                             const Neighbours& neighbours) {
        std::vector<GaussianProcess::Feature> features;
        for (std::size_t p = 0; p < space.params().size(); ++p)
            features.push_back({space.params()[p].value.size(), neighbours.is_ordered(p)});
        return features;
    }

    std::size_t choose() override {
        if (good_.empty() || good_.size() + bad_.size() < kFirst) return any_untried();
        fit();
        const std::vector<std::size_t> candidates = choose_candidates();
        const std::vector<Prediction> predictions = process_.predict(ranks_of(candidates));
        std::size_t chosen = 0;
        std::size_t equals = 0;
        looks_far_ = !looks_far_;
        const double goal = good_.front().log_cost - (looks_far_ ? kMuchFaster : 0);
        double most = -1;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const double improvement = expected_improvement(predictions[i], goal);
            if (improvement < most) continue;
            equals = improvement > most ? 1 : equals + 1;
            most = improvement;
            if (chance().below(equals) == 0) chosen = i;
        }
        expected_[candidates[chosen]] = predictions[chosen].mean;
        return candidates[chosen];
    }

    void learn(std::size_t configuration, std::optional<double> log_cost) override {
        expected_.erase(configuration);
        if (!log_cost)
            bad_.push_back(configuration);
        else
            good_.insert(std::ranges::upper_bound(good_, *log_cost, {}, &Outcome::log_cost),
                         {configuration, *log_cost});
    }

    void fit() {
        std::vector<Outcome> outcomes = good_;
        for (const std::size_t i : bad_) outcomes.push_back({i, good_.back().log_cost + kLogOfBad});
        const std::size_t told = outcomes.size();
        if (told > kMostSamples) {
            for (std::size_t i = kMostSamples / 2; i < kMostSamples; ++i)
                std::swap(outcomes[i], outcomes[i + chance().below(told - i)]);
            outcomes.resize(kMostSamples);
        }
        for (const auto& [configuration, log_cost] : expected_) outcomes.push_back({configuration, log_cost});
        std::vector<std::size_t> configurations;
        std::vector<double> log_costs;
        for (const Outcome& outcome : outcomes) {
            configurations.push_back(outcome.configuration);
            log_costs.push_back(outcome.log_cost);
        }
        process_.fit(ranks_of(configurations), log_costs);
        if (static_cast<double>(told) < kAdaptAfter * static_cast<double>(adapted_)) return;
        adapted_ = told;
        process_.adapt_lengths();
    }

    std::vector<std::size_t> choose_candidates() {
        std::vector<std::size_t> candidates;
        if (untried().size() <= kMostCandidates) {
            for (std::size_t i = 0; i < untried().size(); ++i) candidates.push_back(untried()[i]);
            return candidates;
        }
        for (std::size_t i = 0; i < std::min(kNeighboursOf, good_.size()); ++i)
            for (const Distance distance : {Distance::OneStep, Distance::TwoSteps})
                for (const std::size_t near : neighbours_.of(good_[i].configuration, distance))
                    if (untried().contains(near) && candidates.size() < kMostCandidates / 2)
                        candidates.push_back(near);
        while (candidates.size() < kMostCandidates) candidates.push_back(any_untried());
        return candidates;
    }

    std::vector<std::uint16_t> ranks_of(const std::vector<std::size_t>& configurations) const {
        std::vector<std::uint16_t> ranks;
        for (const std::size_t configuration : configurations) {
            const std::span<const std::uint16_t> values = space_.indices(configuration);
            for (std::size_t p = 0; p < values.size(); ++p) ranks.push_back(neighbours_.rank(p, values[p]));
        }
        return ranks;
    }

    const Space& space_;
    Neighbours neighbours_;
    GaussianProcess process_;
    std::vector<Outcome> good_;  ///< the fastest first
    std::vector<std::size_t> bad_;
    std::map<std::size_t, double> expected_;  ///< proposed with this prediction, without an outcome so far
    bool looks_far_ = false;
    std::size_t adapted_ = 0;  ///< outcomes when the lengths were adapted
};

}  // namespace

std::unique_ptr<Strategy> make_model(const Space& space, std::uint64_t seed) {
    return std::make_unique<Model>(space, seed);
}

}  // namespace kwb
