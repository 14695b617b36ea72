// SPDX-License-Identifier: Apache-2.0
// Reading pictures of 8 bits per channel: PNG, and the formats of the simplest programs.
#pragma once

#include "base/png.hpp"

namespace kwb {

/// True if the name ends with .png, .pgm, .ppm or .bmp.
bool is_picture_file(std::string_view name);

/// A PNG, PGM or PPM file (Netpbm's, in text or binary), or a BMP file without compression. Files of 16 bits
/// per channel are read as 8 bits. Only PNG pictures are transparent.
/// @param name      of the file, for error messages
/// @param channels  1: grey, colours become their luminance; 4: red, green, blue and alpha
/// @param most_bytes  of the pixels
/// @throws BadInput "name: finding; remedy": not such a file, damaged, or too large
/// Source: the manual pages pgm(5) and ppm(5) of Netpbm; BITMAPINFOHEADER, Microsoft.
DecodedPicture decode_picture(const std::string& name, std::string_view bytes, unsigned channels,
                              std::uint64_t most_bytes);

}  // namespace kwb
