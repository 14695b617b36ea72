// Detects measurements that are less reliable than they look.
#pragma once

#include <span>
#include <vector>

namespace kwb::stats {

enum class NoiseKind {
    TooShort,   ///< some round took 0 ms by the device's clock
    SlowFirst,  ///< the first round is an outlier
    Drifting,   ///< rounds became slower or faster
    Wandering,  ///< the level moved up and down; neighbouring rounds are similar
    Bimodal,    ///< rounds fall into two groups
    Noisy,      ///< wide scatter with none of the causes above
};

struct NoiseWarning {
    NoiseKind kind;
    /// SlowFirst, Bimodal: how many times as long the slow rounds took.
    double ratio = 0;
    /// Drifting: relative change of the level, negative if rounds became faster. Wandering: its relative
    /// range. Bimodal: share of slow rounds. Noisy: median distance of the rounds from their median or, with
    /// `few_far`, half the width of the median's interval, both relative to the median.
    double share = 0;
    bool few_far = false;  ///< Noisy: few rounds, of which some are far from the median
};

/// Look for reasons not to trust one contestant's rounds.
/// @param round_samples_ms  one sample per round in the order of measurement, finite, >= 0; may be empty
/// @return  at most one warning of each kind, causes before symptoms: a drift is not reported as noise as
///          well. Empty for a quiet or empty series; with fewer rounds than kLeastIntervalSamples, only
///          TooShort can be detected
/// @throws ContractError if a sample is negative or not finite
/// An effect must be statistically significant and at least 5 % in size. Independent, normally distributed
/// rounds with a deviation of up to 3 % cause a warning in less than 3 % of the runs (simulated, see the
/// tests).
/// Sources: patterns.hpp; Dixon, "Ratios involving extreme values", Annals of Mathematical
/// Statistics 22, 1951 (first round); Hampel, "The influence curve and its role in robust estimation",
/// Journal of the American Statistical Association 69, 1974 (median absolute deviation).
std::vector<NoiseWarning> find_noise(std::span<const double> round_samples_ms);

}  // namespace kwb::stats
