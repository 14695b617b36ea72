// Warnings about measurements that deserve less trust than their numbers suggest.
#pragma once

#include <span>
#include <vector>

namespace kwb::stats {

enum class NoiseKind {
    TooShort,   ///< some round took 0 ms by the device's clock
    SlowFirst,  ///< the first round is an outlier
    Drifting,   ///< rounds became slower or faster
    Wandering,  ///< the level went up and down; neighbouring rounds are alike
    Bimodal,    ///< rounds fall into two groups
    Noisy,      ///< wide scatter with none of the causes above
};

struct NoiseWarning {
    NoiseKind kind;
    /// SlowFirst, Bimodal: how many times as long the slow rounds took.
    double ratio = 0;
    /// Drifting: change of the level, below 0 where rounds became faster. Wandering: by how much it moves.
    /// Bimodal: share of slow rounds. Noisy: distance from the median that half of the rounds reach, or,
    /// with `few_far`, half of the median's interval.
    double share = 0;
    bool few_far = false;
};

/// Look at one contestant's rounds for reasons to distrust them.
/// @param round_samples_ms  one sample per round in the order of measuring, finite, >= 0; may be empty
/// @return  at most one warning of a kind, the explanation before its symptoms: a drift is not called noise
///          as well. Empty for a quiet series, and where nothing was measured; of fewer rounds than
///          kLeastIntervalSamples nothing but TooShort can be said
/// @throws ContractError if a sample is negative or not finite
/// An effect must be improbable by chance and at least 5 % in size. Independent, normally distributed rounds
/// with a deviation of up to 3 % raise any warning in less than 3 % of the runs (simulated, see the tests).
/// Sources: patterns.hpp; Dixon, "Ratios involving extreme values", Annals of Mathematical
/// Statistics 22, 1951 (first round); Hampel, "The influence curve and its role in robust estimation",
/// Journal of the American Statistical Association 69, 1974 (median absolute deviation).
std::vector<NoiseWarning> find_noise(std::span<const double> round_samples_ms);

}  // namespace kwb::stats
