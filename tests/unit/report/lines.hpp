// Lines of a report, for properties that hold for each of them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "report/text_layout.hpp"

namespace kwb {

/// The lines of the table itself: those before the first empty line.
inline std::vector<std::string> table_lines(const std::string& text) {
    std::vector<std::string> lines = split_lines(text);
    lines.erase(std::find(lines.begin(), lines.end(), ""), lines.end());
    return lines;
}

inline std::size_t widest(const std::vector<std::string>& lines) {
    std::size_t width = 0;
    for (const std::string& line : lines) width = std::max(width, display_width(line));
    return width;
}

inline bool is_ascii(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

inline std::size_t occurrences(const std::string& text, const std::string& piece) {
    std::size_t count = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
    return count;
}

}  // namespace kwb
