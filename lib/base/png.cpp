// SPDX-License-Identifier: Apache-2.0
#include "base/png.hpp"

#include <png.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

/// libpng's description of a picture, which owns what libpng allocates.
struct Image : png_image {
    Image() : png_image{} { version = PNG_IMAGE_VERSION; }
    ~Image() { png_image_free(this); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
};

png_uint_32 format_of(unsigned channels) {
    expects(channels == 1 || channels == 4, "a picture has 1 or 4 channels");
    return channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGBA;
}

}  // namespace

DecodedPicture decode_png(const std::string& name, std::string_view bytes, unsigned channels,
                          std::uint64_t most_bytes) {
    Image image;
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
        throw BadInput(name + ": not a PNG picture (" + image.message + "); save it as one");
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // 16-bit files are encoded as sRGB, as 8-bit files are
    image.format = format_of(channels);
    DecodedPicture picture{image.width, image.height, {}};
    const std::uint64_t size = std::uint64_t{channels} * image.width * image.height;
    if (size > most_bytes)
        throw BadInput(name + ": its pixels take " + format_bytes(size) + ", but the limit is " +
                       format_bytes(most_bytes) + "; choose a smaller picture");
    picture.pixels.resize(size);
    png_color background = {};  // black, behind the transparent pixels of grey
    if (png_image_finish_read(&image, &background, picture.pixels.data(), 0, nullptr) == 0)
        throw BadInput(name + ": damaged PNG picture (" + image.message + "); save it again");
    return picture;
}

std::string encode_png(std::span<const std::uint8_t> pixels, std::uint32_t columns, std::uint32_t rows,
                       unsigned channels) {
    const std::uint64_t size = std::uint64_t{channels} * columns * rows;
    expects(size > 0 && size <= kMostPngBytes, "a PNG has at least one pixel and less than 2 GiB of them");
    expects(pixels.size() == size, "a picture has columns * rows pixels");
    Image image;
    image.width = columns;
    image.height = rows;
    image.format = format_of(channels);
    image.flags = PNG_IMAGE_FLAG_FAST;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
    png_alloc_size_t length = bytes.size();
    const int written =
        png_image_write_to_memory(&image, bytes.data(), &length, 0, pixels.data(), 0, nullptr);
    expects(written != 0, "libpng writes a valid picture");
    bytes.resize(length);
    return bytes;
}

}  // namespace kwb
