// Whether the times that a runner reports can be: a kernel in its process may have forged them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ipc/runner_messages.hpp"

namespace kwb {

/// What a turn took by the judge's clock and by the runner's word.
struct TurnTimes {
    double wall_ms = 0;               ///< of the whole request, by the judge's clock
    double runs_ms = 0;               ///< all of its runs, by the device's clock
    std::uint32_t runs = 0;           ///< at least 1
    std::uint64_t untimed_bytes = 0;  ///< filled, copied and read back besides

    /// What each run took beyond its device time, on average: launch overhead in an honest turn.
    double unexplained_ms() const;
};

/// A reply to a turn whose numbers do not contradict each other, nor the judge's clock.
/// @param launches  in one run
bool is_possible(const ExecutedReply& reply, double wall_ms, std::size_t launches);

inline constexpr const char* kImpossibleTimes =
    "the process that ran the kernel reported times that cannot be: the kernel has probably overwritten "
    "memory that is not its own";

/// Compare what runs are said to take with what they did take.
/// @param turns  of one kernel
/// @return  a sentence with both numbers if the times are not to be believed
std::optional<std::string> find_unbelievable(const std::vector<TurnTimes>& turns);

}  // namespace kwb
