// Colours of OpenCL C: which columns of a line are a keyword, a type, a comment …
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
    String,     ///< also the file of an #include
    Character,  ///< 'a'
    Comment,
    Operator,   ///< and punctuation
    Error,      ///< a text without its closing quote, a character that no source may hold
    FrontMark,  ///< the marks around the front matter and its punctuation
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

/// What the lines before leave open. A text begins with LexState{}.
struct LexState {
    enum class Mode : std::uint8_t {
        Code,
        Directive,    ///< a preprocessor line that a backslash continues
        Message,      ///< #error and #pragma: words, not code
        LineComment,  ///< that a backslash continues
        BlockComment,
        String,  ///< that a backslash continues
        Character,
        Front,         ///< TOML between the marks
        FrontText,     ///< in """ … """
        FrontRawText,  ///< in ''' … '''
    };
    Mode mode = Mode::Code;
    bool comment_seen = false;     ///< front matter is the first comment of a file, or it is none
    std::uint8_t front_depth = 0;  ///< brackets open in a TOML value

    friend bool operator==(const LexState&, const LexState&) = default;
};

/// Colour one line. Never throws on any text.
/// @param line   valid UTF-8 without line break
/// @param spans  replaced by the line's spans: ascending, no overlap, blanks between them left out
/// @return  the state at the start of the next line
LexState highlight_line(std::string_view line, LexState state, std::vector<Span>& spans);

/// The spans of all lines of one TextBuffer, kept up to date: an edit costs the lines from the first
/// changed one to the first whose state is what it was.
class Highlighter {
public:
    /// @param buffer  always the same one; after another, reset() first
    /// @return  lines that were read again
    std::size_t update(const TextBuffer& buffer);

    void reset();

    /// @param line  below the line count of the last update()
    std::span<const Span> line(std::size_t line) const { return spans_[line]; }
    std::size_t line_count() const { return spans_.size(); }

    /// What stands at a column; nothing in blanks.
    const Span* span_at(Position position) const;

private:
    std::vector<std::vector<Span>> spans_;
    std::vector<LexState> states_;  ///< at the start of each line
    std::uint64_t revision_ = 0;
    bool valid_ = false;
};

/// The spans of lines that no buffer holds, such as the other side of a comparison.
std::vector<std::vector<Span>> highlight_lines(std::span<const std::string> lines);

struct BracketPair {
    Position at;                    ///< of the bracket next to the caret
    std::optional<Position> match;  ///< nothing: it has no partner
};

/// The bracket right of `position`, else left of it, and its partner. Brackets in comments, texts and
/// preprocessor messages count for nothing. Costs a walk to the partner: at most one through the whole text.
/// @param highlighter  up to date with `buffer`
/// @return  nothing if no bracket is there
std::optional<BracketPair> find_bracket_pair(const TextBuffer& buffer, const Highlighter& highlighter,
                                             Position position);

}  // namespace kwb::editor
