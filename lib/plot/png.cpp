#include "plot/png.hpp"

// Static, because another library of the same program may also contain stb_image_write.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

#include <cstdint>
#include <limits>

#include "base/error.hpp"

namespace kwb::plot {

std::string encode_png(std::span<const Color> pixels, int columns, int rows) {
    static_assert(sizeof(Color) == 4);
    // stb counts bytes in an int: four for each pixel and one for each row.
    expects(columns > 0 && rows > 0 && rows <= std::numeric_limits<int>::max() / (4LL * columns + 1),
            "a PNG has at least one pixel and less than 2 GiB of them");
    expects(pixels.size() == static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows),
            "a picture has columns * rows pixels");
    // Enlarged pictures have equal adjacent rows, which the filter "up" turns into zeros. Trying all five
    // filters would take five times as long.
    [[maybe_unused]] static const bool set_once = [] {
        stbi_write_force_png_filter = 2;
        stbi_write_png_compression_level = 5;
        return true;
    }();
    std::string bytes;
    const auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    stbi_write_png_to_func(append, &bytes, columns, rows, 4, pixels.data(), columns * 4);
    return bytes;
}

std::vector<Color> enlarged(std::span<const Color> pixels, int columns, int rows, int factor) {
    expects(factor >= 1, "a picture is enlarged by 1 or more");
    const auto width = static_cast<std::size_t>(columns);
    std::vector<Color> result;
    result.reserve(pixels.size() * static_cast<std::size_t>(factor) * static_cast<std::size_t>(factor));
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
        for (int repeat = 0; repeat < factor; ++repeat)
            for (std::size_t column = 0; column < width; ++column)
                result.insert(result.end(), static_cast<std::size_t>(factor), pixels[row * width + column]);
    return result;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j)
            bits = bits << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
        for (std::size_t j = 0; j < 4; ++j) text += j <= count ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
    }
    return text;
}

}  // namespace kwb::plot
