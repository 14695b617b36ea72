// What the judge needs to know about its machine: processor, memory, limits of control groups.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace kwb {

/// Memory limits of control groups, which containers, batch systems and services use. The system kills
/// processes that exceed them.
struct CgroupMemory {
    std::optional<std::uint64_t> limit_bytes;  ///< the lowest of all groups; none: no limit
    std::optional<std::uint64_t> free_bytes;   ///< the least that any group has left; none: no limit
};

/// The limits of this process's group and of all groups above it that can be seen: of version 2
/// memory.max and memory.high, of version 1 memory.limit_in_bytes and hierarchical_memory_limit. Inactive
/// file pages do not count as used, because the system drops them first.
/// @param root  of the file system: "/"; proc/self/cgroup and proc/self/mountinfo are read from there
/// Source: Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst; proc_pid_mountinfo(5).
CgroupMemory read_cgroup_memory(const std::filesystem::path& root = "/");

/// The processor's name, e.g. "AMD EPYC 7763"; "unknown" if the system does not report it.
std::string host_cpu_name();

// Both respect the control groups of this process.

/// Memory of the machine that this process may use; UINT64_MAX if the system does not report it.
/// @param root  of the file system
std::uint64_t machine_memory_bytes(const std::filesystem::path& root = "/");

/// Memory available without swapping (MemAvailable), never 0; UINT64_MAX if the system does not report it.
std::uint64_t available_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace kwb
