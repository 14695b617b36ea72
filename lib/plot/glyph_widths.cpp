// Average glyph widths, measured once with the fonts named in svg_canvas.hpp.
#include <array>
#include <cstdint>

#include "plot/svg_canvas.hpp"

namespace kwb::plot {
namespace {

/// Hundredths of an em for ' ' … '~'.
constexpr std::array<std::uint8_t, 95> kAscii = {
    30, 34, 43, 73, 64, 88, 71, 25, 38, 38, 50, 75, 30, 46, 30, 36,  //  !"#$%&'()*+,-./
    63, 55, 62, 64, 64, 62, 63, 60, 63, 63, 31, 31, 75, 75, 75, 52,  // 0123456789:;<=>?
    97, 68, 67, 73, 74, 61, 59, 76, 75, 28, 54, 65, 56, 89, 75, 77,  // @ABCDEFGHIJKLMNO
    63, 77, 67, 64, 64, 74, 68, 97, 66, 66, 66, 38, 36, 38, 65, 48,  // PQRSTUVWXYZ[\]^_
    50, 59, 63, 56, 63, 60, 36, 62, 61, 26, 26, 56, 26, 92, 61, 60,  // `abcdefghijklmno
    62, 62, 39, 52, 38, 61, 57, 82, 57, 57, 54, 50, 33, 50, 75,      // pqrstuvwxyz{|}~
};

constexpr float kBoldRatio = 1.076f;

int width_beyond_ascii(std::uint32_t code) {
    if (code < 0x20 || (code >= 0x300 && code < 0x370) || code == 0x200B)
        return 0;  // controls, combining marks
    if (code == 0xB7) return 32;
    if (code == 0xB2 || code == 0xB3 || code == 0xB9 || (code >= 0x2070 && code <= 0x209C)) return 45;
    if (code == 0xD7 || code == 0xB1 || (code >= 0x2200 && code < 0x2300)) return code == 0x221E ? 93 : 75;
    if (code == 0x2013) return 50;
    if (code == 0x2014 || code == 0x2026) return 95;
    if (code < 0x250) return 64;  // Latin with marks
    if (code < 0x1100) return 72;
    if (code >= 0x2000 && code < 0x2E80) return 75;
    return 100;  // East Asian and pictures
}

}  // namespace

float average_text_width_em(std::string_view text, bool bold) {
    int hundredths = 0;
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= ' ' && byte < 0x7F) {
            hundredths += kAscii[byte - ' '];
            continue;
        }
        if (byte < 0x80) continue;
        // The bytes of one code point; text that is no UTF-8 only makes the width a little wrong.
        const bool first = (byte & 0xC0) == 0xC0;
        code = first ? byte & (byte >= 0xF0   ? 0x07u
                               : byte >= 0xE0 ? 0x0Fu
                                              : 0x1Fu)
                     : code << 6 | (byte & 0x3Fu);
        const bool ends = i + 1 == text.size() || (static_cast<unsigned char>(text[i + 1]) & 0xC0) != 0x80;
        if (ends) hundredths += width_beyond_ascii(code);
    }
    return static_cast<float>(hundredths) / 100 * (bold ? kBoldRatio : 1);
}

}  // namespace kwb::plot
