// SPDX-License-Identifier: Apache-2.0
// What the judge needs to know about its machine: CPU, memory, cgroup limits.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/fd.hpp"

namespace kwb {

/// Memory limits of control groups (cgroups), which containers, batch systems and services use. The system
/// kills processes that exceed them.
struct CgroupMemory {
    std::optional<std::uint64_t> limit_bytes;  ///< the lowest of all groups; nullopt: no limit
    std::optional<std::uint64_t> free_bytes;   ///< the lowest free amount of all groups; nullopt: no limit
};

/// Reads the limits of this process's group and of all its visible ancestors: in version 2 memory.max and
/// memory.high, in version 1 memory.limit_in_bytes and hierarchical_memory_limit. Inactive file pages do not
/// count as used, because the system evicts them first.
/// @param root  root of the file system; proc/self/cgroup and proc/self/mountinfo are read below it
/// Source: Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst; proc_pid_mountinfo(5).
CgroupMemory read_cgroup_memory(const std::filesystem::path& root = "/");

/// The CPU's name, e.g. "AMD EPYC 7763"; "unknown" if the system does not report it.
std::string host_cpu_name();

// Both of the following respect the cgroup limits of this process.

/// Memory of the machine that this process may use; UINT64_MAX if the system does not report it.
/// @param root  root of the file system
std::uint64_t machine_memory_bytes(const std::filesystem::path& root = "/");

/// Memory available without swapping (MemAvailable), never 0; UINT64_MAX if the system does not report it.
std::uint64_t available_memory_bytes(const std::filesystem::path& root = "/");

/// How many processes the system has killed because memory ran out, since it started; 0 if it does not report
/// it.
std::uint64_t count_memory_kills(const std::filesystem::path& root = "/");

// Controls on which processors the threads of a CPU driver run, and who may bind them.

/// Answers the notifications of a runner's system call filter (SandboxReport::question_fd). A runner may bind
/// its own threads, as some drivers do (AMD's ROCm), but no kernel may bind threads of the judge or of
/// another runner.
class AffinitySupervisor {
public:
    AffinitySupervisor() = default;
    /// If the descriptor cannot be copied (ptrace scope 3, for example), the runner's calls are refused.
    /// @param pidfd        of the runner
    /// @param question_fd  its number in the runner; -1: the filter sends no notifications
    AffinitySupervisor(int pidfd, int question_fd);

    /// Poll this for input; -1: nothing to answer.
    int fd() const { return questions_.get(); }

    /// Answers one notification, if there is one. Does not wait.
    void answer();

private:
    Fd questions_;
};

/// Binds each worker thread of a runner to its own CPU, if there are as many workers as processors that
/// we may use; otherwise does nothing. Failures are ignored. Without this, Linux often wakes both of PoCL's
/// two workers on the same CPU during short launches, for seconds on end: a matmul at 64 then takes
/// 0.19 ms instead of 0.10 ms for whole rounds. PoCL's own setting, POCL_AFFINITY, counts processors from 0,
/// even in a container that may not use CPU 0, and makes a system call that the sandbox refuses.
/// @param runner  its driver has started its threads, and it has no others except the first
void spread_worker_threads(pid_t runner);

}  // namespace kwb
