// Suggestions for work-group sizes when the requested one is not possible.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kwb {

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
