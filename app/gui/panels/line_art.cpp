// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/line_art.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace kwb::gui {
namespace {

bool is_one_of(char letter, std::string_view letters) {
    return letters.find(letter) != std::string_view::npos;
}

/// A character of each cell; that of a character outside ASCII is its first byte.
class Cells {
public:
    explicit Cells(const std::vector<std::string>& lines) {
        for (const std::string& line : lines) {
            std::string& row = rows_.emplace_back();
            for (const char byte : line)
                if ((static_cast<unsigned char>(byte) & 0xc0u) != 0x80u) row += byte;
        }
    }
    /// A blank outside.
    char at(std::ptrdiff_t row, std::ptrdiff_t column) const {
        if (row < 0 || row >= std::ssize(rows_) || column < 0) return ' ';
        const std::string& cells = rows_[static_cast<std::size_t>(row)];
        return column < std::ssize(cells) ? cells[static_cast<std::size_t>(column)] : ' ';
    }

private:
    std::vector<std::string> rows_;
};

/// Appends the strokes of a cell. @return  false: it is text
bool add_strokes(const Cells& cells, std::ptrdiff_t row, std::ptrdiff_t column,
                 std::vector<Stroke>& strokes) {
    const auto x = static_cast<float>(column), y = static_cast<float>(row);
    const char here = cells.at(row, column), left = cells.at(row, column - 1),
               right = cells.at(row, column + 1), above = cells.at(row - 1, column),
               below = cells.at(row + 1, column);
    const std::size_t before = strokes.size();
    switch (here) {
        case '-':
        case '=':
            if (is_one_of(left, "-=+|<") || is_one_of(right, "-=+|>"))
                strokes.push_back({left == '|' ? x - 0.5f : x, y + 0.5f, right == '|' ? x + 1.5f : x + 1,
                                   y + 0.5f, here == '='});
            break;
        case '|':
            strokes.push_back({x + 0.5f, y, x + 0.5f, y + 1});
            break;
        case '+':
            if (!is_one_of(left, "-=") && !is_one_of(right, "-=")) break;
            if (is_one_of(left, "-=")) strokes.push_back({x, y + 0.5f, x + 0.5f, y + 0.5f, left == '='});
            if (is_one_of(right, "-="))
                strokes.push_back({x + 0.5f, y + 0.5f, x + 1, y + 0.5f, right == '='});
            if (is_one_of(above, "|+")) strokes.push_back({x + 0.5f, y, x + 0.5f, y + 0.5f});
            if (is_one_of(below, "|+")) strokes.push_back({x + 0.5f, y + 0.5f, x + 0.5f, y + 1});
            break;
        case '/':
            if (left == ' ' && right == ' ') {
                const bool is_flat =
                    cells.at(row + 1, column - 2) == '/' || cells.at(row - 1, column + 2) == '/';
                Stroke slope = {x + 1, y, is_flat ? x - 1 : x, y + 1};
                // A flat slope meets the lines at its ends.
                if (is_flat && cells.at(row - 1, column + 2) == '+') slope.x0 = x + 2.5f, slope.y0 = y - 0.5f;
                if (is_flat && cells.at(row + 1, column - 1) == '-') slope.x1 = x - 2, slope.y1 = y + 1.5f;
                strokes.push_back(slope);
            }
            break;
        case '>':
            if (left == '-') strokes.push_back({x, y + 0.5f, x + 1, y + 0.5f, false, true});
            break;
        case '<':
            if (right == '-') strokes.push_back({x + 1, y + 0.5f, x, y + 0.5f, false, true});
            break;
        case '^':
            if (below == '|') strokes.push_back({x + 0.5f, y + 1, x + 0.5f, y, false, true});
            break;
        default:
            break;
    }
    return strokes.size() > before;
}

bool is_picture(const std::string& line) {
    constexpr std::string_view kParts[] = {"+--", "+==", "---"};
    return std::ranges::any_of(kParts, [&](std::string_view part) { return line.find(part) != line.npos; }) ||
           (line.find('|') != line.npos && line.find('/') != line.npos &&
            line.find_first_not_of(" |/") == line.npos);
}

}  // namespace

LineArt line_art(const std::vector<std::string>& lines) {
    LineArt art{lines, {}};
    if (std::ranges::none_of(lines, is_picture)) return art;
    const Cells cells(lines);
    for (std::size_t row = 0; row < lines.size(); ++row) {
        std::ptrdiff_t column = -1;
        for (char& letter : art.words[row]) {
            if ((static_cast<unsigned char>(letter) & 0xc0u) == 0x80u) continue;
            ++column;
            if (add_strokes(cells, static_cast<std::ptrdiff_t>(row), column, art.strokes)) letter = ' ';
        }
    }
    return art;
}

}  // namespace kwb::gui
