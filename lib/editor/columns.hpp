// Places in a text, and the three ways to measure a line of valid UTF-8: bytes, columns (code points), and
// cells, where a tab reaches to the next multiple of the tab width.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace kwb::editor {

/// A place between two characters. Both count from 0; compilers and people count lines from 1.
struct Position {
    std::size_t line = 0;
    std::size_t column = 0;  ///< code points before it in the line

    friend auto operator<=>(const Position&, const Position&) = default;
};

/// The text between two places, begin <= end.
struct TextRange {
    Position begin;
    Position end;

    bool empty() const { return begin == end; }
    friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// What is selected: from the anchor, where selecting began, to the caret. Equal: nothing is selected.
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

/// A file's bytes as text.
struct CleanText {
    std::string text;                ///< valid UTF-8, lines end in \n
    bool crlf = false;               ///< most lines ended in \r\n
    bool mixed_line_ends = false;    ///< not all lines ended alike
    std::size_t replaced_bytes = 0;  ///< that were not UTF-8, or NUL; each is now U+FFFD
};

/// Line ends \r\n and \r become \n; a byte that is not UTF-8 (or NUL) becomes U+FFFD.
CleanText clean_text(std::string_view bytes);

/// Whether a byte of valid UTF-8 is the first one of a code point.
inline bool starts_code_point(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u;
}

/// @return  code points in valid UTF-8
std::size_t count_code_points(std::string_view utf8);

/// @return  bytes before code point `column`; line.size() if the line is shorter
std::size_t byte_of_column(std::string_view line, std::size_t column);

/// @param byte  0 .. line.size(), the start of a code point or the end
std::size_t column_of_byte(std::string_view line, std::size_t byte);

/// The end of `text` if it begins at `at`.
/// @param text  valid UTF-8 with any number of \n
Position end_of_text(Position at, std::string_view text);

/// The class of a character in the search for words. Every character beyond ASCII is part of a word.
enum class CharClass { Blank, Word, Punctuation };

/// @param byte  the first byte of a code point
CharClass char_class(char byte);

/// Cells from one tab stop to the next.
inline constexpr std::size_t kTabWidth = 4;

/// @param column  code points before the place
/// @return  cells before the place; a place past the end of the line counts as that end
std::size_t cell_of_column(std::string_view line, std::size_t column);

/// The place nearest to a cell's left edge: before a tab for its first half, after it for its second.
/// @return  code points; at most those of the line
std::size_t column_of_cell(std::string_view line, std::size_t cell);

/// @return  cells of the whole line
std::size_t cells_of(std::string_view line);

/// The line as it is drawn, with blanks for its tabs.
std::string without_tabs(std::string_view line);

/// Blanks and tabs at the start of a line, in bytes.
std::size_t blank_prefix(std::string_view line);

}  // namespace kwb::editor
