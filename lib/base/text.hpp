// SPDX-License-Identifier: Apache-2.0
// String helpers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kwb {

/// Replace invalid UTF-8 bytes by U+FFFD, so that the text is valid in JSON and on terminals.
std::string to_utf8(std::string_view text);

/// "a, b and c"
std::string enumerate(const std::vector<std::string>& items, std::string_view last = "and");

std::string join(const std::vector<std::string>& items, std::string_view separator);

/// @param separator  one character; empty pieces are kept
std::vector<std::string> split(std::string_view text, char separator);

std::vector<std::string> split_lines(std::string_view text);

std::string_view trim(std::string_view text);

/// A line break, a tab or another control character of ASCII.
bool is_control(char c);

std::string to_lower(std::string_view text);

/// " Did you mean matmul/tiled?" with at most three names, the nearest first, or an empty string if no name
/// is similar: at a small edit distance, or one contains the other. Source: F. Damerau, "A technique for
/// computer detection and correction of spelling errors", 1964.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& names);

/// The source line with a caret under the column, in the style of compilers:
///   "   12 | int x = ;\n      |         ^"
/// @param line, column  from 1; a column beyond the end of the line is clamped to it
/// @return  empty if there is no such line
std::string caret_line(std::string_view source, std::size_t line, std::size_t column);

/// "0 bytes", "1 byte", "2 bytes"
/// @param noun  singular; its plural ends in s
std::string counted(unsigned long long count, std::string_view noun);

/// "262,144" of "262144"; anything but digits is returned unchanged.
std::string group_thousands(std::string text);

/// "1.5 MiB", "48 KiB", "100 bytes": one decimal, or none for an integer.
std::string format_bytes(unsigned long long bytes);

using NumberTexts = std::pair<std::string, std::string>;

/// Format two numbers with the same number of significant digits, as many as needed to distinguish them:
/// "0.1" and "0.100000001". NaN is written without a sign, which carries no meaning.
/// @param least_digits  minimum number of significant digits, 1 to 17
NumberTexts tell_apart(double first, double second, int least_digits);

// Places.

/// False for the second and later bytes of a character in UTF-8.
inline bool starts_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
}

/// Line and column, both counted from 1; columns count characters, a tab counts as one.
struct Place {
    std::uint32_t line = 1;
    std::uint32_t column = 1;

    /// Advance past one byte of the text.
    void pass(char byte);
};

/// The place of the byte at `offset` in `text`.
Place place_of(std::string_view text, std::size_t offset);

// Shell helpers.

/// Quote `word` as a single word for a POSIX shell; returned unchanged if it has no special characters.
/// "it's" → "'it'\''s'", "" → "''"
std::string quote_for_shell(std::string_view word);

/// @return  the first executable of this name in $PATH; empty if there is none
std::string find_in_path(std::string_view name);

}  // namespace kwb
