// What programs do with an error map: find a cell, make it coarser, send and keep it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/result.hpp"

namespace kwb {

/// The cell that an element lies in.
/// @param map      with extents
/// @param element  of its buffer, below extents.rows * extents.columns
std::size_t cell_of(const ErrorMap& map, std::uint64_t element);

/// The same map with at most so many cells a side, each as bad as the worst of those that it takes in.
/// Its cells hold the elements that they would hold if it had been made in this size: a side of the map has
/// either a cell an element, or 256 (or a smaller power of two after an earlier call), of which
/// floor(floor(256 x) * n / 256) = floor(n x) for n = 1, 2, 4 …
/// @param map         with all its cells
/// @param most_cells  a power of two, at most 256
ErrorMap coarsened(const ErrorMap& map, std::uint32_t most_cells);

/// The cells as little-endian bytes, row-major: all worst shares (f32), then, if the map has them, of all
/// worst elements first the index (u32 for up to 2^32 elements, else u64), then expected, then got (f32 if
/// every one of these values is a float, else f64).
/// A cell of an output of floats costs 16 bytes: 64 KiB for 64 x 64 cells, 1 MiB for 256 x 256.
std::string cell_bytes(const ErrorMap& map);

/// Put cells from cell_bytes() into a map that has everything else.
/// @throws ProtocolError  not as many as the map has cells, or an element that does not lie in its cell
void put_cell_bytes(ErrorMap& map, std::string_view bytes);

}  // namespace kwb
