// One contestant's turn in a round: warm-up runs, whose times are discarded, then recorded runs.
#pragma once

#include <vector>

namespace kwb {

/// How long a turn warms up and records.
/// Measured on PoCL: a short kernel reaches its steady speed after about 10 launches or a few milliseconds,
/// because clocks, caches and worker threads must settle after the previous contestant. A long kernel settles
/// within its first run; `long_ms` prevents it from spending its whole time budget on warm-up.
struct TurnRule {
    double discard_ms = 5;       ///< warm-up: minimum total time of the discarded runs …
    unsigned discard_runs = 10;  ///< … and minimum number of them; both must be reached
    double record_ms = 5;        ///< minimum total time of the recorded runs before the last one …
    unsigned record_runs = 5;    ///< … and minimum number of recorded runs, including the last one
    /// Takes precedence over these minimums: no run starts that is expected to take the total of its kind
    /// (discarded or recorded) beyond this. The first discarded and the last recorded run are exempt.
    double long_ms = 50;
    unsigned most_runs = 200;  ///< upper limit for each kind, so that a stopped clock cannot hang the turn
};

/// The rule for a contestant that has already run. If its last run took longer than kSettledMs, nothing is
/// discarded and one run is recorded: the few milliseconds in which caches fill are negligible in such a run,
/// while a discarded run would cost as much time as a recorded one.
/// @param last_ms  duration of its last run, without compilation
inline TurnRule turn_rule_after(double last_ms) {
    constexpr double kSettledMs = 200;
    if (last_ms <= kSettledMs) return {};
    TurnRule rule;
    rule.discard_ms = rule.record_ms = 0;
    rule.discard_runs = 0;
    rule.record_runs = 1;
    return rule;
}

/// Do one turn.
/// @param run           does one run and returns its time in milliseconds
/// @param prepare_last  called before the last recorded run, whose outputs are verified
/// @return  times of the recorded runs in ms, in order; at least one
template <class Run, class PrepareLast>
std::vector<double> take_turn(const TurnRule& rule, Run&& run, PrepareLast&& prepare_last) {
    double time_ms = 0;
    double sum_ms = 0;
    for (unsigned runs = 0; (runs < rule.discard_runs || sum_ms < rule.discard_ms) &&
                            (runs == 0 || sum_ms + time_ms <= rule.long_ms) && runs < rule.most_runs;
         ++runs) {
        time_ms = run();
        sum_ms += time_ms;
    }
    std::vector<double> recorded_ms;
    sum_ms = 0;
    while ((recorded_ms.size() + 1 < rule.record_runs || sum_ms < rule.record_ms) &&
           sum_ms + time_ms <= rule.long_ms && recorded_ms.size() + 1 < rule.most_runs) {
        time_ms = run();
        sum_ms += time_ms;
        recorded_ms.push_back(time_ms);
    }
    prepare_last();
    recorded_ms.push_back(run());
    return recorded_ms;
}

}  // namespace kwb
