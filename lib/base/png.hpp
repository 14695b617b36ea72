// SPDX-License-Identifier: Apache-2.0
// Reading and writing PNG pictures of 8 bits per channel, with libpng.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kwb {

/// What encode_png() can write.
inline constexpr std::uint64_t kMostPngBytes = (std::uint64_t{1} << 31) - 1;

/// As row-major bytes from the top, the channels of a pixel next to each other.
struct DecodedPicture {
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::string pixels;
};

/// @param name      of the file, for error messages
/// @param channels  1: grey, colours become their luminance; 4: red, green, blue and alpha
/// @param most_bytes  of the pixels
/// @throws BadInput "name: finding; remedy": not a PNG file, damaged, or too large
DecodedPicture decode_png(const std::string& name, std::string_view bytes, unsigned channels,
                          std::uint64_t most_bytes);

/// @param pixels    as in DecodedPicture
/// @param channels  1 or 4
/// @return  the bytes of a PNG file
/// @throws ContractError  if there are not columns * rows pixels, none, or 2 GiB or more of them
std::string encode_png(std::span<const std::uint8_t> pixels, std::uint32_t columns, std::uint32_t rows,
                       unsigned channels);

}  // namespace kwb
