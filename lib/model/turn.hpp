// One contestant's turn in a round: settle first, then record a burst.
#pragma once

#include <vector>

namespace kwb {

/// How long a turn settles and records.
/// Measured on PoCL: a short kernel reaches its speed after some 10 launches or a few milliseconds, because
/// clocks, caches and worker threads have to settle after the contestant before it. A long one settles within
/// its first run; `long_ms` keeps it from spending its whole time budget on settling.
struct TurnRule {
    double discard_ms = 5;       ///< discard until so long …
    unsigned discard_runs = 10;  ///< … and so many runs have passed,
    double record_ms = 5;        ///< then record until so long …
    unsigned record_runs = 5;    ///< … and so many runs have passed, the last one included;
    double long_ms = 50;       ///< but start neither a second discarded nor another recorded run, except the
                               ///< last, that would end later than this after the first of its kind
    unsigned most_runs = 200;  ///< of either kind: a clock that stands still must not hang the turn
};

/// The rule for a contestant that has run before.
/// @param last_ms  how long its last run took, without compiling. Beyond kSettledMs nothing is discarded and
/// one
///                 run recorded: the few milliseconds in which caches fill are lost in it, while a discarded
///                 run would take the time of a recorded one.
inline TurnRule turn_rule_after(double last_ms) {
    constexpr double kSettledMs = 200;
    if (last_ms <= kSettledMs) return {};
    TurnRule rule;
    rule.discard_ms = rule.record_ms = 0;
    rule.discard_runs = 0;
    rule.record_runs = 1;
    return rule;
}

/// Take one turn.
/// @param run           does one run and returns its time in milliseconds
/// @param prepare_last  called before the last recorded run, whose outputs will be verified
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
