// SPDX-License-Identifier: Apache-2.0
#include "base/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"

namespace kwb {
namespace {

struct Letters {
    std::uint32_t first;
    std::uint32_t last;
};

/// Invisible characters: format characters (except those of single scripts), line separators, fillers,
/// variation selectors, and the range from U+E0000 that is reserved for more of them.
constexpr auto kUnseen = std::to_array<Letters>({{0x00AD, 0x00AD},
                                                 {0x034F, 0x034F},
                                                 {0x061C, 0x061C},
                                                 {0x115F, 0x1160},
                                                 {0x17B4, 0x17B5},
                                                 {0x180B, 0x180F},
                                                 {0x200B, 0x200F},
                                                 {0x2028, 0x202E},
                                                 {0x2060, 0x206F},
                                                 {0x3164, 0x3164},
                                                 {0xFE00, 0xFE0F},
                                                 {0xFEFF, 0xFEFF},
                                                 {0xFFA0, 0xFFA0},
                                                 {0xFFF9, 0xFFFB},
                                                 {0xE0000, 0xE0FFF}});

bool is_unseen(std::uint32_t letter) {
    return std::ranges::any_of(
        kUnseen, [letter](const Letters& block) { return letter >= block.first && letter <= block.last; });
}

bool is_control_letter(std::uint32_t letter) {
    return letter < 0x20 || (letter >= 0x7F && letter < 0xA0);
}

std::string make_printable(std::string_view text, std::string_view kept) {
    const std::string valid = to_utf8(text);
    std::string out;
    for (std::size_t at = 0; at < valid.size();) {
        const auto lead = static_cast<unsigned char>(valid[at]);
        const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        std::uint32_t letter = bytes == 1 ? lead : lead & (0xFFu >> (bytes + 1));
        for (std::size_t i = 1; i < bytes; ++i)
            letter = letter << 6 | (static_cast<unsigned char>(valid[at + i]) & 0x3Fu);
        const bool ends_line = valid.compare(at, 2, "\r\n") == 0 && kept.find('\n') != std::string_view::npos;
        if (is_unseen(letter))
            out += fmt::format("<U+{:04X}>", letter);
        else if (is_control_letter(letter) && kept.find(valid[at]) == std::string_view::npos)
            out += ends_line ? "" : "?";
        else
            out.append(valid, at, bytes);
        at += bytes;
    }
    return out;
}

}  // namespace

std::string printable(std::string_view text) {
    return make_printable(text, "\t\n");
}

std::string printable_line(std::string_view text) {
    return make_printable(text, "");
}

std::string xml_text(std::string_view text) {
    std::string escaped;
    for (const char c : printable(text)) switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\n':
                escaped += "&#10;";
                break;
            default:
                escaped += c;
        }
    return escaped;
}

}  // namespace kwb
