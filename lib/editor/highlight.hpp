// SPDX-License-Identifier: Apache-2.0
// Syntax highlighting of OpenCL C: which columns of a line are a keyword, a type, a comment …
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "editor/highlight.hpp"
#include "editor/text_buffer.hpp"

namespace kwb::editor {

enum class SpanKind : std::uint8_t {
    Identifier,
    Keyword,       ///< if, return, sizeof …
    Type,          ///< float, uint, float4, size_t, image2d_t …
    Qualifier,     ///< __kernel, __global, const, restrict, __attribute__ …
    Builtin,       ///< get_global_id, barrier, fma, convert_int4_rte …
    Macro,         ///< a name of at least two characters in capitals: TILE, CLK_LOCAL_MEM_FENCE
    Preprocessor,  ///< # and the directive's name, line continuations
    Number,
    String,     ///< also the file name in an #include
    Character,  ///< 'a'
    Comment,
    Operator,   ///< and punctuation
    Error,      ///< a string without its closing quote, or a character that is not allowed in source code
    FrontMark,  ///< the delimiters of the front matter and the punctuation in it
    FrontKey,   ///< title, [params], TILE
    FrontString,
    FrontNumber,   ///< also true and false
    FrontComment,  ///< from # to the end of the line
};

/// Columns [begin, end) of a line, in code points, begin < end.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    SpanKind kind = SpanKind::Identifier;

    friend bool operator==(const Span&, const Span&) = default;
};

/// @param word  letters, digits and _, not starting with a digit
/// @return  Keyword, Type, Qualifier, Builtin, Macro or Identifier
/// Source: OpenCL C 3.0 specification, chapters 6.3 (types), 6.7 to 6.10 (qualifiers), 6.15 (built-ins).
SpanKind kind_of_word(std::string_view word);

/// Lexer state at the start of a line. A text begins with LexState{}.
struct LexState {
    enum class Mode : std::uint8_t {
        Code,
        Directive,    ///< a preprocessor line continued by a backslash
        Message,      ///< #error and #pragma: plain words, not code
        LineComment,  ///< continued by a backslash
        BlockComment,
        String,  ///< continued by a backslash
        Character,
        Front,         ///< TOML between the front matter's delimiters
        FrontText,     ///< in """ … """
        FrontRawText,  ///< in ''' … '''
    };
    Mode mode = Mode::Code;
    bool comment_seen = false;     ///< only the first comment of a file can be front matter
    std::uint8_t front_depth = 0;  ///< brackets open in a TOML value

    friend bool operator==(const LexState&, const LexState&) = default;
};

/// Highlight one line. Does not throw for any text.
/// @param line   valid UTF-8 without a line break
/// @param spans  replaced with the line's spans: ascending and without overlaps; whitespace has no span
/// @return  the state at the start of the next line
LexState highlight_line(std::string_view line, LexState state, std::vector<Span>& spans);

/// The spans of all lines of one TextBuffer, updated incrementally: an edit only re-highlights from the first
/// changed line to the first line whose start state is unchanged.
class Highlighter {
public:
    /// @param buffer  always the same one
    /// @return  the number of lines that were highlighted again
    std::size_t update(const TextBuffer& buffer);

    /// @param line  less than line_count()
    std::span<const Span> line(std::size_t line) const { return spans_[line]; }
    std::size_t line_count() const { return spans_.size(); }

    /// The span at a position; nullptr for whitespace.
    const Span* span_at(Position position) const;

private:
    std::vector<std::vector<Span>> spans_;
    std::vector<LexState> states_;  ///< at the start of each line
    std::uint64_t revision_ = 0;
};

/// The spans of lines that are not in a buffer, such as the other side of a comparison.
std::vector<std::vector<Span>> highlight_lines(std::span<const std::string> lines);

/// Lines of a kernel file where a reader wants to begin.
struct Landmarks {
    std::size_t front_matter = 0;       ///< number of lines of the front matter, at the beginning of the file
    std::optional<std::size_t> kernel;  ///< the first line with the qualifier __kernel
    std::string title;                  ///< from the front matter, without quotes
};

/// @param highlighter  up to date with `buffer`
Landmarks find_landmarks(const TextBuffer& buffer, const Highlighter& highlighter);

struct BracketPair {
    Position at;                    ///< of the bracket at the caret
    std::optional<Position> match;  ///< empty: no matching bracket
};

/// The bracket to the right of `position`, or else to its left, and the matching bracket. Brackets in
/// comments, strings and preprocessor messages are ignored. Takes time proportional to the distance, at most
/// the length of the text.
/// @param highlighter  up to date with `buffer`
/// @return  empty if there is no bracket at `position`
std::optional<BracketPair> find_bracket_pair(const TextBuffer& buffer, const Highlighter& highlighter,
                                             Position position);

}  // namespace kwb::editor
