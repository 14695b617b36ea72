// SPDX-License-Identifier: Apache-2.0
// Operations on error maps: cell lookup, downsampling, and the binary format for messages and files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/result.hpp"

namespace kwb {

/// Index of the cell that contains an element.
/// @param map      must have `extents`
/// @param element  index in the buffer, less than extents.rows * extents.columns
std::size_t cell_of(const ErrorMap& map, std::uint64_t element);

/// The map downsampled to at most `most_cells` cells per side. Each new cell has the value of the worst cell
/// that it covers.
/// The result is the same as for a map built at the smaller size. Each side of `map` has either one cell per
/// element or 256 cells (a smaller power of two after an earlier call). In the latter case, for a position x
/// in [0, 1), floor(floor(256 x) * n / 256) = floor(n x) for n = 1, 2, 4 …
/// @param map         must have all its cells
/// @param most_cells  a power of two, at most 256
ErrorMap coarsened(const ErrorMap& map, std::uint32_t most_cells);

/// The cells as little-endian bytes, row-major. First worst_share of all cells (f32). If the map has
/// worst_elements, these arrays follow: the index of all cells (u32 for up to 2^32 elements, else u64), then
/// `expected` of all cells, then `got` of all cells (f32 if all of these values are exact as floats, else
/// f64). A cell of a float output takes 16 bytes: 64 KiB for 64 x 64 cells, 1 MiB for 256 x 256.
std::string cell_bytes(const ErrorMap& map);

/// Read the cells from cell_bytes() into a map whose other fields are set.
/// @throws ProtocolError  the size does not match the number of cells, or an element is not in its cell
void put_cell_bytes(ErrorMap& map, std::string_view bytes);

}  // namespace kwb
