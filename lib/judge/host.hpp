// What the judge needs to know of the machine that it runs on.
#pragma once

#include <cstdint>
#include <string>

namespace kwb {

/// The processor's name, e.g. "AMD EPYC 7763"; "unknown" where the system does not tell.
std::string host_cpu_name();

/// Memory that can be had without swapping (MemAvailable); all of it where the system does not tell.
std::uint64_t available_memory_bytes();

}  // namespace kwb
