// Extents of matrices: read from sizes, and awkward ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/problem.hpp"

namespace kwb {

/// @return  the extent of that name, which must be there and at least 1
std::int64_t extent_of(const Sizes& sizes, std::string_view name);

/// What people call the number of rows, and of columns: "rows", "ny", "height", …
std::vector<std::string> height_words();
std::vector<std::string> width_words();

struct Extent2 {
    std::int64_t rows = 1;
    std::int64_t columns = 1;

    friend bool operator==(const Extent2&, const Extent2&) = default;
};

/// Matrices that broken kernels trip over: one element, primes, one below and above the tile and four of it,
/// a row, a column, tall and thin, long and flat; each once.
/// @param tile  the edge that matters to the kernel, at least 1
std::vector<Extent2> awkward_extents(std::int64_t tile);

}  // namespace kwb
