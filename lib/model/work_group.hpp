// Which work-group would do where the one wanted does not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kwb {

/// "16x16"
std::string format_extents(const std::vector<std::uint64_t>& extents);

/// Work-items of an NDRange or work-group; UINT64_MAX where 64 bits do not hold them.
std::uint64_t count_items(const std::vector<std::uint64_t>& shape);

/// A smaller work-group of much the same shape: each size cut to its limit, then the longest halved until the
/// whole fits.
/// @param shape      1 to 3 sizes, each at least 1
/// @param max_items  at least 1
/// @param max_sizes  a limit for each dimension; 0 or missing: none
std::vector<std::uint64_t> shrink_work_group(std::vector<std::uint64_t> shape, std::uint64_t max_items,
                                             const std::vector<std::uint64_t>& max_sizes);

/// "16x16 (256 work-items) would fit", of shrink_work_group()
std::string describe_fit(const std::vector<std::uint64_t>& shape, std::uint64_t max_items,
                         const std::vector<std::uint64_t>& max_sizes);

/// The largest work-group up to `shape` in each dimension that divides the NDRange.
/// @param global, shape  as many sizes, each at least 1
std::vector<std::uint64_t> dividing_work_group(const std::vector<std::uint64_t>& global,
                                               std::vector<std::uint64_t> shape);

/// What to do about a work-group that does not divide: "choose one that divides, e.g. 8x8, or let the
/// file round the global size up with round_up(…, local.x), to 520, and guard the edge in the kernel".
/// Only the latter where nothing but single work-items divides.
/// @param dimension   the one in which it does not
/// @param may_change  false: the source demands this work-group
std::string advise_on_division(const std::vector<std::uint64_t>& global,
                               const std::vector<std::uint64_t>& shape, std::size_t dimension,
                               bool may_change = true);

}  // namespace kwb
