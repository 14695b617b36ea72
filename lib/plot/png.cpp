// SPDX-License-Identifier: Apache-2.0
#include "plot/png.hpp"

#include <cstdint>

#include "base/error.hpp"
#include "base/png.hpp"

namespace kwb::plot {

std::string encode_png(std::span<const Color> pixels, int columns, int rows) {
    static_assert(sizeof(Color) == 4);
    expects(columns > 0 && rows > 0, "a PNG has at least one pixel");
    return kwb::encode_png({reinterpret_cast<const std::uint8_t*>(pixels.data()), 4 * pixels.size()},
                           static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows), 4);
}

std::vector<Color> colors_of(std::span<const std::uint32_t> packed) {
    std::vector<Color> colors;
    for (const std::uint32_t color : packed) {
        const auto byte = [&](int shift) { return static_cast<std::uint8_t>(color >> shift); };
        colors.push_back({byte(0), byte(8), byte(16), byte(24)});
    }
    return colors;
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
