// SPDX-License-Identifier: Apache-2.0
// Positions in a text, and the three units for measuring a line of valid UTF-8: bytes, columns (code points),
// and cells, where a tab extends to the next multiple of the tab width.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace kwb::editor {

/// A position between two characters. Line and column count from 0; compilers and users count lines from 1.
struct Position {
    std::size_t line = 0;
    std::size_t column = 0;  ///< number of code points before the position

    friend auto operator<=>(const Position&, const Position&) = default;
};

/// The text between two positions, begin <= end.
struct TextRange {
    Position begin;
    Position end;

    bool empty() const { return begin == end; }
    friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// The selection: from the anchor, where selecting began, to the caret. If both are equal, nothing is
/// selected.
struct Selection {
    Position anchor;
    Position caret;

    bool empty() const { return anchor == caret; }
    TextRange range() const { return {std::min(anchor, caret), std::max(anchor, caret)}; }
    friend bool operator==(const Selection&, const Selection&) = default;
};

/// Columns of one line, [begin, end).
struct ColumnRange {
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const ColumnRange&, const ColumnRange&) = default;
};

/// Lines [first, first + removed) of an older text became lines [first, first + inserted) of the newer one.
struct LineChange {
    std::size_t first = 0;
    std::size_t removed = 0;
    std::size_t inserted = 0;

    friend bool operator==(const LineChange&, const LineChange&) = default;
};

/// The content of a file, converted to clean text.
struct CleanText {
    std::string text;                ///< valid UTF-8, lines end in \n
    bool crlf = false;               ///< most lines ended in \r\n
    bool mixed_line_ends = false;    ///< the file used more than one kind of line end
    std::size_t replaced_bytes = 0;  ///< bytes that were not UTF-8, or NUL; each became U+FFFD
};

/// Converts line ends \r\n and \r to \n, and bytes that are not UTF-8 (or NUL) to U+FFFD.
CleanText clean_text(std::string_view bytes);

/// Whether a byte of valid UTF-8 is the first byte of a code point.
inline bool starts_code_point(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u;
}

/// @return  the number of code points in valid UTF-8
std::size_t count_code_points(std::string_view utf8);

/// @return  number of bytes before code point `column`; line.size() if the line is shorter
std::size_t byte_of_column(std::string_view line, std::size_t column);

/// @param byte  0 .. line.size(); the start of a code point or the end of the line
std::size_t column_of_byte(std::string_view line, std::size_t byte);

/// Position of the end of `text` if `text` starts at `at`.
/// @param text  valid UTF-8, possibly with line breaks
Position end_of_text(Position at, std::string_view text);

/// Character classes for finding word boundaries. Every non-ASCII character belongs to a word.
enum class CharClass { Blank, Word, Punctuation };

/// @param byte  the first byte of a code point
CharClass char_class(char byte);

/// Number of cells between tab stops.
inline constexpr std::size_t kTabWidth = 4;

/// @param column  number of code points before the position
/// @return  number of cells before the position; a position past the end of the line is moved to the end
std::size_t cell_of_column(std::string_view line, std::size_t column);

/// The position nearest to a cell's left edge; for a cell within a tab, before the tab if the cell is in its
/// first half, otherwise after it.
/// @return  in code points; at most the length of the line
std::size_t column_of_cell(std::string_view line, std::size_t cell);

/// @return  width of the whole line in cells
std::size_t cells_of(std::string_view line);

/// The line as it is drawn: tabs replaced with spaces.
std::string without_tabs(std::string_view line);

/// Number of bytes of spaces and tabs at the start of a line.
std::size_t blank_prefix(std::string_view line);

}  // namespace kwb::editor
