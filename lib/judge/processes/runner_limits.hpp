// SPDX-License-Identifier: Apache-2.0
// Limits what a runner takes: memory, CPU time, processes, threads and files.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

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

/// Memory of a process and of those that it started, resident and swapped; shared pages count once. For
/// processes that cannot be inspected, all resident memory counts.
std::uint64_t bytes_of_family(pid_t leader);

/// What the judge watches. Drivers need far less of everything but memory.
enum class Resource { Memory, Processes, Threads, Files, FileBytes };

inline constexpr std::uint64_t kMostProcesses = 64;  ///< that a runner starts; PoCL's compiler starts two
/// Of a runner and the processes that it starts; drivers start one to three for each processor.
inline constexpr std::uint64_t kMostThreads = 10'000;
/// In a runner's own folders; PoCL keeps about ten for each kernel.
inline constexpr std::uint64_t kMostFiles = 5'000;
/// The same. A compilation of PoCL left up to 387 MB.
inline constexpr std::uint64_t kMostFolderBytes = std::uint64_t{2} << 30;

/// A runner that takes too much.
struct Excess {
    Resource of = Resource::Memory;
    std::uint64_t limit = 0;
    bool has_started_others = false;  ///< the runner has started other processes
};

/// The limits of one runner, all enforced from outside: with prlimit() and by sampling what it uses.
class RunnerLimits {
public:
    /// @param folders  that only this runner writes to
    explicit RunnerLimits(pid_t pid, std::vector<std::filesystem::path> folders = {});

    void set_memory(const MemoryNeeds& needs);

    /// A stage of at most `timeout_ms` begins: allows that much CPU time on every core, plus some
    /// seconds. Only a backstop, because the judge's own deadline expires first.
    void enter_stage(double timeout_ms);

    /// Samples what the runner and the processes that it started use: the number of processes and threads,
    /// memory (resident and swapped), once a second its files. Takes 0.1 ms for ten threads, and a walk
    /// through its pages if it seems to use too much memory. Within kLookMs of the previous sample it returns
    /// nothing.
    std::optional<Excess> find_excess();
    static constexpr double kLookMs = 100;

    /// Memory in the last sample.
    std::uint64_t seen_bytes() const { return seen_bytes_; }

private:
    std::optional<Excess> look();

    pid_t pid_;
    std::vector<std::filesystem::path> folders_;
    std::uint64_t machine_bytes_;
    std::uint64_t limit_bytes_;
    std::uint64_t seen_bytes_ = 0;
    Deadline next_look_ = Deadline::min();
    Deadline next_file_look_;
};

}  // namespace kwb
