// Small things that text needs everywhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kwb {

/// Bytes that are no UTF-8 are replaced by U+FFFD, so that JSON and terminals can take the text.
std::string to_utf8(std::string_view text);

/// "a, b and c"
std::string enumerate(const std::vector<std::string>& items, std::string_view last = "and");

std::string join(const std::vector<std::string>& items, std::string_view separator);

/// @param separator  one character; empty pieces are kept
std::vector<std::string> split(std::string_view text, char separator);

std::vector<std::string> split_lines(std::string_view text);

std::string_view trim(std::string_view text);

std::string to_lower(std::string_view text);

/// The names that a person may have meant: small edit distance, or one contains the other.
/// @return  at most `most` of `names`, best first; may be empty
/// Source: F. Damerau, "A technique for computer detection and correction of spelling errors", 1964.
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names,
                                       std::size_t most = 3);

/// " Did you mean matmul/tiled?" or, with nothing near, an empty text.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& names);

/// The line with a caret below the column, as compilers show it:
///   "   12 | int x = ;\n      |         ^"
/// @param line, column  from 1; a column behind the end of the line is put there
std::string caret_line(std::string_view source, std::size_t line, std::size_t column);

/// "0 bytes", "1 byte", "2 bytes"
/// @param noun  singular; its plural ends in s
std::string counted(unsigned long long count, std::string_view noun);

/// "1.5 MiB", "48 KiB", "100 bytes": one decimal, none for a whole number.
std::string format_bytes(unsigned long long bytes);

struct NumberTexts {
    std::string first;
    std::string second;
};

/// "0.1" and "0.100000001": both with as many significant digits as tell them apart, where they differ.
/// @param least_digits  1 .. 17, given even to those that fewer would tell apart
/// "nan" has no sign, which would mean nothing.
NumberTexts tell_apart(double first, double second, int least_digits);

// Programs and words as a shell takes them.

/// `word` as one word of a POSIX shell: as it stands where nothing in it means anything, else in quotes.
/// "it's" → "'it'\''s'", "" → "''"
std::string quote_for_shell(std::string_view word);

/// @return  the first executable of this name in $PATH; empty if there is none
std::string find_in_path(std::string_view name);

}  // namespace kwb
