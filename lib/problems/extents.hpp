// Extents of buffers: read from sizes, and awkward ones.
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

/// Rows that broken kernels trip over: 1, primes, a power of two, and one below and above each of: a vector,
/// a work-group, and a work-group whose work-items take several vectors each; each once, in ascending order,
/// all at most 100003.
/// @param tile  the work-items of a work-group, at least 1
std::vector<std::int64_t> awkward_lengths(std::int64_t tile);

/// Edges of what has the same extent everywhere: 1, primes, a power of two, and one below and above the tile
/// and four of it; at least 1, some perhaps twice.
/// @param tile  the edge that matters to the kernel, at least 1
std::vector<std::int64_t> awkward_edges(std::int64_t tile);

struct Extent2 {
    std::int64_t rows = 1;
    std::int64_t columns = 1;

    friend bool operator==(const Extent2&, const Extent2&) = default;
};

/// Matrices that broken kernels trip over: squares of awkward_edges(), two different primes, a row, a column,
/// tall and thin, long and flat; each once.
/// @param tile  the edge that matters to the kernel, at least 1
std::vector<Extent2> awkward_extents(std::int64_t tile);

}  // namespace kwb
