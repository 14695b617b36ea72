// SPDX-License-Identifier: Apache-2.0
// Checks whether a run fits a device, as far as possible without compiling the kernel.
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

// A limit of 0 means that the driver does not report it; it is not checked. Sizes saturate at UINT64_MAX
// instead of overflowing: see multiply_bytes().

struct BufferNeed {
    std::string name;
    std::uint64_t payload_bytes = 0;  ///< UINT64_MAX: overflow
    std::uint64_t around_bytes = 0;   ///< size of the guard zones before and after it
};

/// Compare each buffer with CL_DEVICE_MAX_MEM_ALLOC_SIZE, and their total with CL_DEVICE_GLOBAL_MEM_SIZE.
/// @return  the first violation. It suggests no size, because a size that fits the device may still be too
///          large to check
std::optional<Finding> find_memory_fault(std::span<const BufferNeed> buffers, const DeviceInfo& device);

/// Host memory that the judge needs to check one kernel. For an output: the expected values, their error
/// bounds, what was read back, a copy of it, and the copy of the pass before. For an input: the data and what
/// was read back. A buffer that is changed in place is both.
std::uint64_t reference_bytes(const ProblemInstance& instance);

/// Compare the memory needed for checking with the host memory of the judge.
/// @param needed_bytes  reference_bytes() plus the memory shared with the runner
/// @param free_bytes    0: unknown, not checked
std::optional<Finding> find_checking_fault(std::uint64_t needed_bytes, std::uint64_t free_bytes);

/// Compare the local memory of one work-group with CL_DEVICE_LOCAL_MEM_SIZE.
/// @param kernel    name of the kernel function
/// @param declared  bytes of __local variables in the source
/// @param asked     bytes of __local arguments
std::optional<Finding> find_local_memory_fault(const std::string& kernel, std::uint64_t declared,
                                               std::uint64_t asked, const DeviceInfo& device);

/// Warnings about resource use that exceeds the limits of a typical GPU.
/// @param local        work-group size; empty: the driver chooses
/// @param local_bytes  local memory of one work-group, as far as known
std::vector<Finding> warn_of_typical_gpus(const std::string& kernel, const std::vector<std::uint64_t>& local,
                                          std::uint64_t local_bytes);

/// Saturating arithmetic: UINT64_MAX on overflow.
std::uint64_t add_bytes(std::uint64_t a, std::uint64_t b);
std::uint64_t multiply_bytes(std::uint64_t a, std::uint64_t b);

// Suggestions for work-group sizes when the requested one is not possible.

/// Extents joined by "x": "16x16".
std::string format_extents(const std::vector<std::uint64_t>& extents);

/// Number of work-items in an NDRange or work-group; UINT64_MAX on overflow.
std::uint64_t count_items(const std::vector<std::uint64_t>& shape);

/// A smaller work-group of similar shape: each size is clamped to its limit, then the largest size is halved
/// until the number of work-items fits.
/// @param shape      1 to 3 sizes, each at least 1
/// @param max_items  at least 1
/// @param max_sizes  limit for each dimension; 0 or missing: no limit
std::vector<std::uint64_t> shrink_work_group(std::vector<std::uint64_t> shape, std::uint64_t max_items,
                                             const std::vector<std::uint64_t>& max_sizes);

/// The result of shrink_work_group() as text: "16x16 (256 work-items) would fit".
std::string describe_fit(const std::vector<std::uint64_t>& shape, std::uint64_t max_items,
                         const std::vector<std::uint64_t>& max_sizes);

/// The largest work-group that divides the NDRange and does not exceed `shape`, in each dimension.
/// @param global, shape  equally many sizes, each at least 1
std::vector<std::uint64_t> dividing_work_group(const std::vector<std::uint64_t>& global,
                                               std::vector<std::uint64_t> shape);

/// Advice for a work-group that does not divide the NDRange: "choose one that divides, e.g. 8x8, or let the
/// file round the global size up with round_up(…, local.x), to 520, and guard the edge in the kernel".
/// The first part is left out if only single work-items divide it.
/// @param dimension   the dimension in which it does not divide
/// @param may_change  false: the source requires this work-group size, so the first part is left out
std::string advise_on_division(const std::vector<std::uint64_t>& global,
                               const std::vector<std::uint64_t>& shape, std::size_t dimension,
                               bool may_change = true);

}  // namespace kwb
