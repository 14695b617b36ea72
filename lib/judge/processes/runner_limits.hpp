// Limits the memory and processor time of a runner, and monitors its memory.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "ipc/channel.hpp"

namespace kwb {

/// What a runner needs for its current buffers.
struct MemoryNeeds {
    std::uint64_t buffer_bytes = 0;      ///< all allocations on the device
    std::uint64_t arena_bytes = 0;       ///< shared with the judge
    std::size_t unreadable_buffers = 0;  ///< those next to reserved, unreadable pages
    /// Also limit the address space (RLIMIT_AS), so that a single huge allocation fails at once. Only for
    /// drivers that use what they reserve: PoCL, but no GPU driver, and never with sanitizers.
    bool limit_address_space = false;
};

/// Memory for the driver and its compiler in addition to the buffers. PoCL's compiler takes 130 MiB for
/// ordinary kernels; macros that expand exponentially take more than 1.8 GiB.
inline constexpr std::uint64_t kRunnerRoomBytes = std::uint64_t{2} << 30;

/// Maximum resident memory of a runner: three times its buffers (on the device, in the arena, and a copy in
/// the driver) plus kRunnerRoomBytes, but at most half of the machine's memory, unless the buffers and the
/// arena alone need more.
/// @param machine_bytes  machine_memory_bytes()
std::uint64_t resident_limit_bytes(const MemoryNeeds& needs, std::uint64_t machine_bytes);

/// Memory of a process and its group, resident and swapped; shared pages count once. For processes that
/// cannot be inspected, all resident memory counts.
std::uint64_t bytes_of_group(pid_t leader);

/// The limits of one runner, all enforced from outside: with prlimit() and by sampling its memory.
class RunnerLimits {
public:
    explicit RunnerLimits(pid_t pid);

    void set_memory(const MemoryNeeds& needs);

    /// A stage of at most `timeout_ms` begins: allows that much processor time on every core, plus some
    /// seconds. Only a backstop, because the judge's own deadline expires first.
    void enter_stage(double timeout_ms);

    /// Samples the memory (resident and swapped) of the runner and the processes that it started. Takes 20
    /// µs, once a second 2 ms, and a walk through its pages if it seems to use too much. Within kLookMs it
    /// returns the previous result.
    /// @return  true if the runner uses more than its limit
    bool is_over_memory();
    static constexpr double kLookMs = 100;

    std::uint64_t resident_limit_bytes() const { return limit_bytes_; }
    /// True if the runner has started other processes. Takes 2 ms.
    bool has_started_others() const;
    /// From the last sample.
    std::uint64_t seen_bytes() const { return seen_bytes_; }

private:
    pid_t pid_;
    std::uint64_t machine_bytes_;
    std::uint64_t limit_bytes_;
    std::uint64_t seen_bytes_ = 0;
    Deadline next_look_ = Deadline::min();
    Deadline next_group_look_;
};

}  // namespace kwb
