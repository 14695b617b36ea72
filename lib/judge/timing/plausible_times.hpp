// SPDX-License-Identifier: Apache-2.0
// Checks whether the times that a runner reports are plausible: a kernel in its process may have forged them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/problem.hpp"
#include "model/request.hpp"

namespace kwb {

/// One run by both clocks.
struct TimedRun {
    double run_ms = 0;                     ///< by the device's clock, as the runner reports it
    double wall_ms = 0;                    ///< of the request, by the judge's clock
    std::uint64_t untimed_bytes = 0;       ///< copied and filled within the request
    bool may_include_compilation = false;  ///< the request
};

/// Whether the device's clock has measured the run; no launch is as short as the times of clocks that do not
/// work. Rusticl 22.3 on llvmpipe, for example, reports 1 ns for each.
inline bool has_device_time(double run_ms) {
    return run_ms >= 1e-4;
}

/// The times of a turn.
struct TurnTimes {
    std::vector<TimedRun> runs;         ///< all recorded ones, at least 1
    std::optional<double> cpu_ms = {};  ///< CPU time of the runner in the meantime, for PoCL's CPU device
    std::uint64_t untimed_bytes = 0;    ///< filled, copied and read back in the meantime
};

/// A turn that took longer by the device's clock than by the judge's clock.
struct ClockDisagreement {
    double device_ms = 0;  ///< the recorded runs, by the device's clock
    double host_ms = 0;    ///< their requests
};

struct TurnReading {
    double sample_ms = 0;  ///< the median of the runs with plausible times
    std::optional<ClockDisagreement> disagreement;
    /// The device's clock measured no usable time, so this is a time of requests. A kernel that forges such
    /// times gains nothing.
    bool is_by_judge = false;
};

/// Evaluates the times of a turn. The clocks of some drivers run fast or jump occasionally: runs with
/// impossible times are dropped, and the disagreement is reported.
/// @param may_be_forged  on a CPU device, where the kernel runs in the process that reports the times: each
///                       time is bounded below by the judge's clock
/// @return  nullopt if most runs contradict the judge's clock and may be forged
std::optional<TurnReading> read_turn(const std::vector<TimedRun>& runs, bool may_be_forged);

inline constexpr const char* kImpossibleTimes =
    "the process that ran the kernel reported impossible times: the kernel has probably overwritten memory "
    "that is not its own";

/// Compares the reported times with the CPU time that the runs used.
/// @param turns    of one kernel; those without CPU time are ignored
/// @param threads  number of threads that the device can run at the same time
/// @return  a sentence with both numbers if the times are not credible
std::optional<std::string> find_unbelievable(const std::vector<TurnTimes>& turns, std::uint64_t threads);

/// Compares a time with the rates that the device can reach.
/// @return  a sentence with both rates if the time is too short for the problem's work
std::optional<std::string> find_too_short(double median_ms, const Cost& cost, const RunRequest& request);

/// Runs that took much longer by the judge's clock than they report.
struct SlowTurns {
    double told_ms = 0;  ///< per run
    double took_ms = 0;
};

/// Compares the reported times with the judge's wall clock; they differ because of slow launches, a busy
/// machine or forged times.
std::optional<SlowTurns> find_slow_turns(const std::vector<TurnTimes>& turns);

}  // namespace kwb
