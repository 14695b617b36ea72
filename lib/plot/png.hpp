// Pictures as PNG.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot/geometry.hpp"

namespace kwb::plot {

/// @param pixels  row by row from the top, columns * rows
/// @return  the bytes of a PNG file, RGBA
/// @throws ContractError if the sizes do not fit
std::string encode_png(std::span<const Color> pixels, int columns, int rows);

/// Each pixel as factor × factor equal ones.
std::vector<Color> enlarged(std::span<const Color> pixels, int columns, int rows, int factor);

std::string base64(std::string_view bytes);

}  // namespace kwb::plot
