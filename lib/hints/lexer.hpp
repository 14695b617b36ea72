// OpenCL C as words: comments dropped, continued lines joined, every word with its line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kwb::hints {

enum class TokenKind : std::uint8_t { Identifier, Number, Text, Character, Punctuator, Other };

struct Token {
    TokenKind kind = TokenKind::Other;
    bool own = true;             ///< from the person's own file, not from an included one
    bool first_on_line = false;  ///< a `#` here begins a directive
    bool space_before = false;
    bool painted = false;  ///< a macro's name inside its own expansion: expanded no more
    bool given = false;    ///< came out of a macro given as -DNAME=value
    std::uint32_t line =
        0;  ///< from 1, in the person's own file; of an included file: the line of its #include
    std::string_view text;
    std::string_view macro;  ///< the macro that it came out of, the innermost; empty: written as it stands

    bool is(std::string_view word) const { return text == word && kind != TokenKind::Text; }
    bool is_name() const { return kind == TokenKind::Identifier; }
};

/// Join lines that end in a backslash.
/// @param joints  becomes the offsets in the result where a line break was taken out, ascending
std::string join_continued_lines(std::string_view source, std::vector<std::size_t>& joints);

/// Takes any bytes: an unterminated comment ends with the text, an unterminated quotation with its line.
/// @param joined       from join_continued_lines(); tokens borrow from it
/// @param joints       from join_continued_lines()
/// @param most_tokens  stops behind so many
std::vector<Token> read_tokens(std::string_view joined, const std::vector<std::size_t>& joints,
                               std::size_t most_tokens);

}  // namespace kwb::hints
