// One contestant's turn in a round: settle first, then record a burst.
#pragma once

#include <vector>

namespace kwb {

/// How long a turn settles and records.
/// Measured on PoCL: a short kernel reaches its speed after some 10 launches or a few milliseconds, because
/// clocks, caches and worker threads have to settle after the contestant before it.
struct TurnRule {
    double discard_ms = 5;       ///< discard until so long …
    unsigned discard_runs = 10;  ///< … and so many runs have passed
    double long_run_ms = 50;     ///< a run longer than this settles by itself: one discarded, one recorded
    double record_ms = 5;        ///< record until so long …
    unsigned record_runs = 5;    ///< … and so many runs have passed, the last one included
    unsigned most_runs = 200;    ///< recorded, at most
};

/// Take one turn.
/// @param run           does one run and returns its time in milliseconds
/// @param prepare_last  called before the last recorded run, whose outputs will be verified
/// @return  times of the recorded runs in ms, in order; at least one
template <class Run, class PrepareLast>
std::vector<double> take_turn(const TurnRule& rule, Run&& run, PrepareLast&& prepare_last) {
    bool is_long = false;
    double discarded_ms = 0;
    for (unsigned runs = 0; !is_long && (runs < rule.discard_runs || discarded_ms < rule.discard_ms);
         ++runs) {
        const double time_ms = run();
        discarded_ms += time_ms;
        is_long = time_ms > rule.long_run_ms;
        if (runs >= rule.most_runs * 10) break;  // a clock that stands still must not hang the turn
    }
    std::vector<double> recorded_ms;
    double sum_ms = 0;
    while (!is_long && recorded_ms.size() + 1 < rule.most_runs &&
           (recorded_ms.size() + 1 < rule.record_runs || sum_ms < rule.record_ms)) {
        recorded_ms.push_back(run());
        sum_ms += recorded_ms.back();
    }
    prepare_last();
    recorded_ms.push_back(run());
    return recorded_ms;
}

}  // namespace kwb
