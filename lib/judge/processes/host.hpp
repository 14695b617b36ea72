// What the judge needs to know of the machine that it runs on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kwb {

/// The processor's name, e.g. "AMD EPYC 7763"; "unknown" where the system does not tell.
std::string host_cpu_name();

// Both heed the control groups that this process lies in: see cgroup_memory.hpp.

/// Memory of the machine, as far as this process may use it; UINT64_MAX where the system does not tell.
/// @param root  of the file system
std::uint64_t machine_memory_bytes(const std::filesystem::path& root = "/");

/// Memory that can be had without swapping (MemAvailable), never 0; UINT64_MAX where the system
/// does not tell.
std::uint64_t available_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace kwb
