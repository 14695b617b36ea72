// SPDX-License-Identifier: Apache-2.0
// Detects measurements that are less reliable than they look.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace kwb::stats {

enum class NoiseKind {
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
/// @param round_samples_ms  one sample per round in the order of measurement, finite, > 0; may be empty
/// @return  at most one warning of each kind, causes before symptoms: a drift is not reported as noise as
///          well. Empty for a quiet series and for one of fewer rounds than kLeastIntervalSamples
/// @throws ContractError if a sample is not positive or not finite
/// An effect must be statistically significant and at least 5 % in size. Independent, normally distributed
/// rounds with a deviation of up to 3 % cause a warning in less than 3 % of the runs (simulated, see the
/// tests).
/// Sources: those of the patterns below; Dixon, "Ratios involving extreme values", Annals of Mathematical
/// Statistics 22, 1951 (first round); Hampel, "The influence curve and its role in robust estimation",
/// Journal of the American Statistical Association 69, 1974 (median absolute deviation).
std::vector<NoiseWarning> find_noise(std::span<const double> round_samples_ms);

// Patterns in a series of times: trend, similarity of neighbours, two groups. The tests for the first two are
// based on ranks, so no single outlier can change their result.

/// Mann-Kendall test: how strongly the series rises (positive) or falls (negative).
/// @param series  in the order of measurement, finite, any length
/// @return  approximately standard normal for independent samples, with continuity and tie correction; 0 if
///          undefined (fewer than 3 samples, or all equal)
/// Takes quadratic time: about 1 ms for 1000 samples.
/// Source: Mann, "Nonparametric tests against trend", Econometrica 13, 1945; Kendall, "Rank Correlation
/// Methods", 4th edition, 1975 (variance with ties).
double trend_z(std::span<const double> series);

/// Bartels' rank version of von Neumann's ratio: tests whether neighbouring samples are similar.
/// @param series  in the order of measurement, finite, any length
/// @return  approximately standard normal for independent samples (from 10 on), positive if neighbours are
///          similar; 0 if undefined (fewer than 3 samples, or all equal)
/// Source: Bartels, "The rank version of von Neumann's ratio test for randomness", Journal of the American
/// Statistical Association 77, 1982.
double neighbour_z(std::span<const double> series);

struct TwoGroups {
    double low = 0;         ///< median of the lower group
    double high = 0;        ///< median of the upper group
    double high_share = 0;  ///< of all samples, in [0, 1]
    double separation = 0;  ///< Ashman's D: distance of the groups' means over their pooled deviation
};

/// Split the samples where the total scatter within the two parts is least, and test whether the parts are
/// far apart.
/// @param samples  finite, any order
/// @return  empty with fewer than 10 samples, or if the parts could belong to a unimodal distribution
/// Each group has at least 3 samples and 15 % of all. A D above 2 separates two given groups, but the best
/// split of a unimodal distribution has a large D, too: 3.5 for many uniform samples, more for few. The
/// threshold 4 + 36 / n is the 99 % point of D for uniform samples (simulated, n = 10 … 200), the worst case
/// of the distributions tried (normal, lognormal, exponential).
/// Source: Fisher, "On grouping for maximum homogeneity", Journal of the American Statistical Association 53,
/// 1958; Ashman, Bird and Zepf, "Detecting bimodality in astronomical datasets", Astronomical Journal 108,
/// 1994.
std::optional<TwoGroups> find_two_groups(std::span<const double> samples);

}  // namespace kwb::stats
