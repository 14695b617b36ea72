// Lines of valid UTF-8: columns in code points, offsets in bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "editor/position.hpp"

namespace kwb::editor {

/// What a file's bytes became when they were read.
struct CleanText {
    std::string text;                ///< valid UTF-8, lines end in \n
    bool crlf = false;               ///< most lines ended in \r\n
    bool mixed_line_ends = false;    ///< not all lines ended alike
    std::size_t replaced_bytes = 0;  ///< were no UTF-8, or NUL; each is now U+FFFD
};

/// Line ends \r\n and \r become \n, a byte that is no UTF-8 (or NUL) U+FFFD.
CleanText clean_text(std::string_view bytes);

/// @return  code points in valid UTF-8
std::size_t count_code_points(std::string_view utf8);

/// @return  bytes before code point `column`; line.size() if the line is shorter
std::size_t byte_of_column(std::string_view line, std::size_t column);

/// @param byte  0 .. line.size(), the start of a code point or the end
std::size_t column_of_byte(std::string_view line, std::size_t byte);

/// The place behind `text` if it begins at `at`.
/// @param text  valid UTF-8 with any number of \n
Position place_behind(Position at, std::string_view text);

/// What a character is when words are looked for. Every character beyond ASCII counts as part of a word.
enum class CharClass { Blank, Word, Punctuation };

/// @param byte  the first byte of a code point
CharClass char_class(char byte);

}  // namespace kwb::editor
