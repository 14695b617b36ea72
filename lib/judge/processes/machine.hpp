// What the judge needs to know about its machine: processor, memory, cgroup limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

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

/// The processor's name, e.g. "AMD EPYC 7763"; "unknown" if the system does not report it.
std::string host_cpu_name();

// Both of the following respect the cgroup limits of this process.

/// Memory of the machine that this process may use; UINT64_MAX if the system does not report it.
/// @param root  root of the file system
std::uint64_t machine_memory_bytes(const std::filesystem::path& root = "/");

/// Memory available without swapping (MemAvailable), never 0; UINT64_MAX if the system does not report it.
std::uint64_t available_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace kwb
