// What a run needs against what a device has, as far as that is known without a compiler.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/finding.hpp"
#include "model/problem.hpp"

namespace kwb {

// Limits that a driver does not tell (0) hold nobody back. Sizes near 2^64 are no trouble: see
// multiply_bytes().

struct BufferNeed {
    std::string name;
    std::uint64_t payload_bytes = 0;  ///< UINT64_MAX: more than 64 bits hold
    std::uint64_t around_bytes = 0;   ///< guard zones
};

/// Each buffer against CL_DEVICE_MAX_MEM_ALLOC_SIZE, all of them against CL_DEVICE_GLOBAL_MEM_SIZE.
/// @return  names no size that would do: one that fits the device may be too large to check
std::optional<Finding> find_memory_fault(std::span<const BufferNeed> buffers, const DeviceInfo& device);

/// Memory of the judge's machine for the reference of one pass: of an output its expected values, their
/// bounds and a copy of what was read back, of an input itself and a copy in double precision.
std::uint64_t reference_bytes(const ProblemInstance& instance);

/// Checking against the memory of the judge's machine.
/// @param needed_bytes  reference_bytes() and the memory shared with the runner
/// @param free_bytes    0: not told
std::optional<Finding> find_checking_fault(std::uint64_t needed_bytes, std::uint64_t free_bytes);

/// The local memory of one work-group against CL_DEVICE_LOCAL_MEM_SIZE.
/// @param kernel    the function
/// @param declared  bytes of the source's own __local variables
/// @param asked     bytes of __local arguments
std::optional<Finding> find_local_memory_fault(const std::string& kernel, std::uint64_t declared,
                                               std::uint64_t asked, const DeviceInfo& device);

/// What fits here, but not on a typical GPU.
/// @param local        work-group; empty: the driver chooses
/// @param local_bytes  of local memory, as far as known
std::vector<Finding> warn_of_typical_gpus(const std::string& kernel, const std::vector<std::uint64_t>& local,
                                          std::uint64_t local_bytes);

/// Saturating: UINT64_MAX where 64 bits do not hold the result.
std::uint64_t add_bytes(std::uint64_t a, std::uint64_t b);
std::uint64_t multiply_bytes(std::uint64_t a, std::uint64_t b);

}  // namespace kwb
