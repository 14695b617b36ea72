// SPDX-License-Identifier: Apache-2.0
// PNG encoding.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot/geometry.hpp"

namespace kwb::plot {

/// @param pixels  row-major from the top, columns * rows values
/// @return  the bytes of an RGBA PNG file
/// @throws ContractError  as kwb::encode_png()
std::string encode_png(std::span<const Color> pixels, int columns, int rows);

/// @param packed  red + 2^8 green + 2^16 blue + 2^24 alpha
std::vector<Color> colors_of(std::span<const std::uint32_t> packed);

/// Replaces each pixel by a block of factor × factor equal pixels.
std::vector<Color> enlarged(std::span<const Color> pixels, int columns, int rows, int factor);

std::string base64(std::string_view bytes);

}  // namespace kwb::plot
