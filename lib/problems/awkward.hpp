// Extents that broken kernels trip over.
#pragma once

#include <cstdint>
#include <vector>

namespace kwb {

/// Lengths of a row: 1, primes, a power of two, and one below and above each of: a vector, a work-group, and
/// a work-group whose work-items take several vectors each; each once, in ascending order, at most 100003.
/// @param tile  the work-items of a work-group, at least 1
std::vector<std::int64_t> awkward_lengths(std::int64_t tile);

/// Edges of squares and cubes: 1, primes, a power of two, and one below and above the tile and four tiles;
/// at least 1, some perhaps twice.
/// @param tile  the edge that matters to the kernel, at least 1
std::vector<std::int64_t> awkward_edges(std::int64_t tile);

struct Extent2 {
    std::int64_t rows = 1;
    std::int64_t columns = 1;

    friend bool operator==(const Extent2&, const Extent2&) = default;
};

/// Matrices: squares of awkward_edges(), two different primes, a row, a column, tall and thin, long and flat;
/// each once.
/// @param tile  the edge that matters to the kernel, at least 1
std::vector<Extent2> awkward_extents(std::int64_t tile);

}  // namespace kwb
