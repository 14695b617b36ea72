// Whether the times that a runner reports can be: a kernel in its process may have forged them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ipc/runner_messages.hpp"

namespace kwb {

/// What a turn took by the judge's clocks and by the runner's word.
struct TurnTimes {
    double wall_ms = 0;               ///< of the whole request, by the judge's clock
    std::optional<double> cpu_ms;     ///< that the runner used for it, all threads; for CPU devices
    double runs_ms = 0;               ///< all of its runs, by the device's clock
    std::uint32_t runs = 0;           ///< at least 1
    std::uint64_t untimed_bytes = 0;  ///< filled, copied and read back besides

    /// What each run took beyond its device time, on average: launch overhead in an honest turn.
    double unexplained_ms() const;
    /// Processor time of each run beyond what `threads` can use within its device time, on average. Other
    /// programs lengthen every run, but not this.
    std::optional<double> unexplained_cpu_ms(std::uint64_t threads) const;
};

/// A turn of which the device's clock says that it took longer than the judge's clock does.
struct ClockDisagreement {
    double device_ms = 0;  ///< all runs, by the device's clock
    double host_ms = 0;    ///< the whole request
};

struct TurnReading {
    double sample_ms = 0;    ///< the median of the runs whose times can be
    double all_runs_ms = 0;  ///< device time of all runs, at most the turn's own
    std::optional<ClockDisagreement> disagreement;
};

/// What a reply to a turn is worth. Some drivers' clocks run fast, or jump now and then: that is told, and
/// costs the runs that cannot be.
/// @param wall_ms   of the request, by the judge's clock
/// @param launches  in one run
/// @return  nothing if the reply contradicts itself, or most of its runs the judge's clock
std::optional<TurnReading> read_turn(const ExecutedReply& reply, double wall_ms, std::size_t launches);

inline constexpr const char* kImpossibleTimes =
    "the process that ran the kernel reported times that cannot be: the kernel has probably overwritten "
    "memory that is not its own";

/// Compare what runs are said to take with the processor time that they used.
/// @param turns    of one kernel
/// @param threads  of the device that can be at work at a time
/// @return  a sentence with both numbers if the times are not to be believed
std::optional<std::string> find_unbelievable(const std::vector<TurnTimes>& turns, std::uint64_t threads);

/// Compare what runs are said to take with the judge's wall clock: slow launches, a busy machine, or a lie.
/// @return  a sentence for a warning
std::optional<std::string> find_slow_turns(const std::vector<TurnTimes>& turns);

}  // namespace kwb
