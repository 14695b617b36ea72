// SPDX-License-Identifier: Apache-2.0
// The median of a contestant's rounds with its confidence interval, and the comparison of two contestants
// round by round.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/interval.hpp"

namespace kwb::stats {

/// The middle value; for an even number of samples, the mean of the middle two.
/// @param samples  at least one, finite, any order
/// @throws ContractError if there are none or one is not finite
double median(std::span<const double> samples);

/// The smallest number of samples that gives a 95 % interval, see median_rank().
inline constexpr std::size_t kLeastIntervalSamples = 6;

/// The order statistics that bound the median: with the samples sorted, the k-th smallest and the k-th
/// largest.
/// @param n           number of samples
/// @param confidence  in (0, 1)
/// @return  the largest k, from 1, for which [x(k), x(n + 1 - k)] contains the median of the distribution
/// with
///          at least this probability; empty if even [smallest, largest] does not (95 %: n < 6)
/// The number of samples below the median is binomial (n, 1/2) for any distribution, so the coverage is
/// 1 - 2 P(Bin(n, 1/2) < k); it is exact for continuous distributions and higher with ties.
/// Source: Hahn and Meeker, "Statistical Intervals", 1991, section 5.2; Conover, "Practical Nonparametric
/// Statistics", 3rd edition, section 3.2.
std::optional<std::size_t> median_rank(std::size_t n, double confidence = 0.95);

/// The distribution-free confidence interval of the median, from order statistics (see median_rank).
/// @param samples  finite, any order; must be independent of each other. If times drift, the interval only
///         describes this run; use compare_paired() for comparisons
/// @return  empty if there are too few samples (95 %: fewer than 6)
/// @throws ContractError if a sample is not finite or the confidence is outside (0, 1)
std::optional<Interval> median_interval(std::span<const double> samples, double confidence = 0.95);

/// The upper end of Student's 95 % interval of the mean, for samples that are too few for median_interval().
/// @param samples  at least two, finite; must be independent of each other, and about normal
/// @throws ContractError if there are fewer
double mean_bound(std::span<const double> samples);

/// Whether half the width of the interval is at most `share` of `centre`; used by the stopping rule.
/// @param centre  the median of the samples; if it is 0, only an interval of width 0 is narrow enough
/// @param share   e.g. 0.02 for "± 2 %"
bool narrower_than(const Interval& interval, double centre, double share);

/// Whether the interval of a ratio is narrow enough to answer "no difference": its ends differ by at most 10
/// %.
bool is_clear(const Interval& ratio);

/// Whether the interval of a ratio lies so far from 1 (beyond 1.25 times) that more rounds change no answer,
/// wide as it may be.
bool is_far_from_one(const Interval& ratio);

/// Whether measuring may stop after this many rounds if the intervals are narrow enough.
/// @return  true for 6, 9, 14, 21, 32, 48 … rounds, each about 1.5 times the previous one
/// A rule that checks after every round stops at intervals that are narrow by chance: 95 % intervals then
/// miss the true median in up to 8.5 % of the runs (simulated: normal ratios with 5 % deviation, stop at ± 2
/// %). With these infrequent checks they miss it in 6 %. A time budget may end a run at any round, because it
/// does not depend on the samples.
/// Source of the problem: Chow and Robbins, "On the asymptotic theory of fixed-width sequential confidence
/// intervals for the mean", Annals of Mathematical Statistics 36, 1965.
bool is_stop_round(std::size_t rounds);

/// The nominal confidence of a comparison's interval, chosen so that the actual confidence is 95 % even if a
/// run stops because its intervals are narrow (see is_stop_round). Simulated A/A comparisons that may stop at
/// ± 2 % report a difference in at most 4.3 % of the runs, compared with 6 % for a nominal 0.95. Six rounds
/// still suffice (96.9 %).
inline constexpr double kComparisonConfidence = 0.9675;

struct Comparison {
    double ratio = 1;  ///< median over the rounds of baseline / contestant; above 1: contestant faster
    std::optional<Interval> interval;  ///< at least 95 %, of that median; empty with fewer than 6 rounds
    std::size_t rounds = 0;            ///< number of rounds in which both took part

    /// Only an interval can show a difference: false if it is missing or contains 1.
    bool differs() const { return interval && !interval->contains(1); }
};

/// Compare two contestants round by round.
/// @param baseline_ms, contestant_ms  one sample per round, >= 0, finite; index i of both is the same round.
///         A contestant that stopped early has fewer; only the common rounds are compared
/// @return  empty without a common round, or if a common round took 0 ms (too short for the device's clock)
/// @throws ContractError if a sample is negative or not finite
/// The samples of one round are close together in time, so drift of the machine affects both and cancels in
/// their ratio; it does not cancel in a ratio of separate medians.
/// Source: sign test on pairs, Conover, "Practical Nonparametric Statistics", 3rd edition, section 3.4;
/// pairing against drift: Box, Hunter and Hunter, "Statistics for Experimenters", chapter 3.
std::optional<Comparison> compare_paired(std::span<const double> baseline_ms,
                                         std::span<const double> contestant_ms);

}  // namespace kwb::stats
