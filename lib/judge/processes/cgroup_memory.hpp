// What the control groups that a process lies in allow it of the machine's memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace kwb {

/// Containers, batch systems and services limit memory so; beyond it the system ends processes.
struct CgroupMemory {
    std::optional<std::uint64_t> limit_bytes;  ///< the lowest of all groups; empty: none
    std::optional<std::uint64_t> free_bytes;   ///< the least that a group has left; empty: no limit
};

/// The limits of this process's group and of all above it, as far as they can be seen: of version 2
/// memory.max and memory.high, of version 1 memory.limit_in_bytes and hierarchical_memory_limit. File
/// pages that are not in use do not count as taken: the system drops them first.
/// @param root  of the file system: "/"; proc/self/cgroup and proc/self/mountinfo are read from there
/// Source: Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst; proc_pid_mountinfo(5).
CgroupMemory read_cgroup_memory(const std::filesystem::path& root = "/");

}  // namespace kwb
