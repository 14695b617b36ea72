// SPDX-License-Identifier: Apache-2.0
// Counts in a grid of cells, as colours: how often the elements of a buffer are read or written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plot/canvas.hpp"

namespace kwb::plot {

struct CountMap {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<std::uint32_t> counts{};  ///< row-major, rows * columns
    std::uint32_t most = 0;               ///< of `counts`, at least; maps with the same one can be compared
    std::size_t color_slot = 0;           ///< the theme's series colour of the largest count
};

/// Logarithmic, so that 1 differs visibly from 0 whatever `most` is.
Color count_color(std::uint32_t count, std::uint32_t most, std::size_t color_slot, const Theme& theme);

/// @param map  kept by the picture's `pixels`, so it must outlive the picture
Image count_picture(const CountMap& map, const Theme& theme);

/// Where the map is drawn in a room of this size: cells are squares, unless the map is so long and thin that
/// they could not be seen.
Size count_map_size(std::size_t rows, std::size_t columns, Size room);

/// @param area  of the whole map
Rect cell_rect(const Rect& area, std::size_t rows, std::size_t columns, std::size_t cell);
std::optional<std::size_t> cell_at(const Rect& area, std::size_t rows, std::size_t columns, Point at);

/// A picture of the map with its title above, and a scale with the largest count below.
std::string count_map_svg(const CountMap& map, std::string_view title, float side_px, bool dark);

}  // namespace kwb::plot
