// How many times as fast one contestant is as another, from rounds in which both took turns.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/interval.hpp"

namespace kwb::stats {

/// The confidence that the interval of a comparison is made with, so that 95 % remain when a run stopped
/// because its intervals were narrow (see is_stop_round). Simulated A/A comparisons that may stop at ± 2 %
/// report a difference in at most 4.3 % of the runs, against 6 % with 0.95. Six rounds still suffice (96.9
/// %).
inline constexpr double kComparisonConfidence = 0.9675;

struct Comparison {
    double ratio = 1;  ///< median over the rounds of baseline / contestant; above 1: contestant faster
    std::optional<Interval>
        interval;            ///< at least 95 %, of that median; missing with fewer than 6 common rounds
    std::size_t rounds = 0;  ///< rounds that both took part in

    /// Only an interval can show a difference: false where it is missing or holds 1.
    bool differs() const { return interval && !interval->contains(1); }
};

/// Compare two contestants round by round.
/// @param baseline_ms, contestant_ms  one sample a round, >= 0, finite; index i of both is the same round.
///        A contestant that stopped early has fewer: the rounds that both have are compared
/// @return  nothing without a common round, or if a common round shows 0 ms (too short for the device's
/// clock)
/// @throws ContractError if a sample is negative or not finite
/// Turns of one round lie close together in time, so a drift of the machine acts on both and cancels in their
/// ratio; it does not cancel in a ratio of separately taken medians.
/// Source: sign test on pairs, Conover, "Practical Nonparametric Statistics", 3rd edition, section 3.4;
/// pairing against drift: Box, Hunter and Hunter, "Statistics for Experimenters", chapter 3.
std::optional<Comparison> compare_paired(std::span<const double> baseline_ms,
                                         std::span<const double> contestant_ms);

}  // namespace kwb::stats
