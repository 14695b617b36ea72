// How much memory and processor time a runner may take, and the look at what it takes.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "ipc/channel.hpp"

namespace kwb {

/// What a runner needs for the buffers at hand.
struct MemoryNeeds {
    std::uint64_t buffer_bytes = 0;      ///< all allocations on the device
    std::uint64_t arena_bytes = 0;       ///< shared with the judge
    std::size_t unreadable_buffers = 0;  ///< between unreadable pages: they reserve address space
    /// Limit the address space too (RLIMIT_AS), so that a single huge allocation fails at once. Only for
    /// drivers that use what they reserve: PoCL, but no GPU's, and nothing under sanitizers.
    bool limit_address_space = false;
};

/// Room for the driver and its compiler beyond the buffers. PoCL's compiler takes some 130 MiB for ordinary
/// kernels; the macro bombs that were measured go through 1.8 GiB and on.
inline constexpr std::uint64_t kRunnerRoomBytes = std::uint64_t{2} << 30;

/// Resident bytes that a runner may have: three times its buffers (the device's, the arena's, a driver's
/// copy) and kRunnerRoomBytes, but no more than half of the machine's memory, unless the buffers and the
/// arena alone need that.
/// @param machine_bytes  machine_memory_bytes()
std::uint64_t resident_limit_bytes(const MemoryNeeds& needs, std::uint64_t machine_bytes);

/// Memory of a process and of all in its group, resident and swapped, where shared pages count once. For a
/// process that cannot be looked into all that it has resident counts.
std::uint64_t bytes_of_group(pid_t leader);

/// Whether a process group has more processes than its leader.
bool has_others_in_group(pid_t leader);

/// The limits of one runner. All of them are enforced from outside: by prlimit() and by looking.
class RunnerLimits {
public:
    explicit RunnerLimits(pid_t pid);

    void set_memory(const MemoryNeeds& needs);

    /// A stage of at most `timeout_ms` of wall clock begins: allow as much processor time on every core, and
    /// some seconds. A backstop: the judge's own deadline comes first.
    void enter_stage(double timeout_ms);

    /// Look at the resident memory (with swap) of the runner and what it started. Costs some 20 µs, and once
    /// a second 2 ms, and where it seems to have too much a walk through its pages; returns the last finding
    /// if it looked less than kLookMs ago.
    /// @return  true if it has more than it may
    bool is_over_memory();
    static constexpr double kLookMs = 100;

    std::uint64_t resident_limit_bytes() const { return limit_bytes_; }
    /// Look whether the runner has started other processes. Costs some 2 ms.
    bool has_started_others() const { return has_others_in_group(pid_); }
    /// At the last look.
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
