// SPDX-License-Identifier: Apache-2.0
// One contestant's turn in a round: warm-up runs, whose times are discarded, then recorded runs.
#pragma once

#include <algorithm>
#include <cmath>

namespace kwb {

/// How long a turn warms up and records.
/// Measured on PoCL: a short kernel reaches its steady speed after about 10 launches or a few milliseconds,
/// because clocks, caches and worker threads must settle after the previous contestant. A long kernel settles
/// within its first run; `long_ms` prevents it from spending its whole time budget on warm-up.
struct TurnRule {
    double discard_ms = 5;       ///< warm-up: minimum total time of the discarded runs …
    unsigned discard_runs = 10;  ///< … and minimum number of them; both must be reached
    double record_ms = 5;        ///< minimum total time of the recorded runs …
    unsigned record_runs = 5;    ///< … and minimum number of them
    unsigned most_recorded =
        25;  ///< enough for a median; each run of a short kernel costs as much again to prepare
    /// Takes precedence over these minimums: no run starts that is expected to take the total of its kind
    /// (discarded or recorded) beyond this. The first of each kind is exempt.
    double long_ms = 50;
    unsigned most_runs =
        200;  ///< upper limit of discarded runs, so that a stopped clock cannot hang the turn
};

/// The rule for a contestant that has already run. If its last run took longer than kSettledMs, nothing is
/// discarded and one run is recorded: the few milliseconds in which caches fill are negligible in such a run,
/// while a discarded run would cost as much time as a recorded one.
/// @param last_ms   duration of its last run, without compilation
/// @param is_short  half the time for kernels that take more than a few milliseconds: where most contestants
///                  are soon dropped, more rounds are more informative than longer turns
inline TurnRule turn_rule_after(double last_ms, bool is_short = false) {
    constexpr double kSettledMs = 200;
    TurnRule rule;
    if (is_short) rule.long_ms /= 2;
    if (last_ms <= kSettledMs) return rule;
    rule.discard_ms = rule.record_ms = 0;
    rule.discard_runs = 0;
    rule.record_runs = 1;
    return rule;
}

/// Warms up.
/// @param run  does one run and returns its time in milliseconds
/// @return  time of the last run; 0 if there was none
template <class Run>
double warm_up(const TurnRule& rule, Run&& run) {
    double time_ms = 0;
    double sum_ms = 0;
    for (unsigned runs = 0; (runs < rule.discard_runs || sum_ms < rule.discard_ms) &&
                            (runs == 0 || sum_ms + time_ms <= rule.long_ms) && runs < rule.most_runs;
         ++runs) {
        time_ms = run();
        sum_ms += time_ms;
    }
    return time_ms;
}

/// The number of runs to record, at least 1.
/// @param run_ms      expected time of a run
/// @param prepare_ms  time to make the inputs of a run; those of a turn take at most long_ms
inline unsigned count_recorded(const TurnRule& rule, double run_ms, double prepare_ms = 0) {
    const double most = rule.most_recorded;
    double runs = rule.record_runs;
    if (rule.record_ms > 0) runs = run_ms > 0 ? std::max(runs, std::ceil(rule.record_ms / run_ms)) : most;
    if (run_ms > 0) runs = std::min(runs, 1 + std::floor(rule.long_ms / run_ms));
    if (prepare_ms > 0) runs = std::min(runs, std::floor(rule.long_ms / prepare_ms));
    return static_cast<unsigned>(std::clamp(runs, 1.0, most));
}

}  // namespace kwb
