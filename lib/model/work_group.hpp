// Which work-group would do where the one wanted does not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kwb {

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

}  // namespace kwb
