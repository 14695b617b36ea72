// Lexer for one line of OpenCL C, or of the TOML in its first comment.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "editor/highlight.hpp"

namespace kwb::editor {

/// Counts columns in bytes; highlight_line() converts them to code points.
class LineLexer {
public:
    /// @param spans  output, appended to; `line` and `spans` must outlive the lexer
    LineLexer(std::string_view line, LexState state, std::vector<Span>& spans)
        : line_(line), state_(state), spans_(spans) {}

    /// @return  the state at the start of the next line
    LexState read();

private:
    using Mode = LexState::Mode;

    // OpenCL C, line_lexer.cpp
    void read_code();
    void read_directive();
    void read_message();
    void read_block_comment();
    void read_line_comment();
    void open_comment();
    void read_quoted(char quote, Mode mode);
    void read_number();
    void read_word();

    // TOML, front_lexer.cpp
    void read_front();
    void read_front_quoted(std::size_t end);
    void read_front_text(std::string_view quotes, std::size_t end);
    bool is_front_key(std::size_t token_end, std::size_t end) const;

    bool at(std::string_view text) const { return line_.substr(at_, text.size()) == text; }
    bool at_end() const { return at_ >= line_.size(); }
    bool continued() const { return !line_.empty() && line_.back() == '\\'; }
    void add(std::size_t begin, std::size_t end, SpanKind kind);
    void take(std::size_t bytes, SpanKind kind);
    void skip_blanks();

    std::string_view line_;
    LexState state_;
    std::vector<Span>& spans_;
    std::size_t at_ = 0;
    bool code_seen_ = false;          ///< code before this point in the line: a # does not start a directive
    bool directive_goes_on_ = false;  ///< in a directive: a backslash at the line's end continues it
};

/// @param word  letters, digits and _, not starting with a digit
/// @return  Keyword, Type, Qualifier, Builtin, Macro or Identifier
/// Source: OpenCL C 3.0 specification, chapters 6.3 (types), 6.7 to 6.10 (qualifiers), 6.15 (built-ins).
SpanKind kind_of_word(std::string_view word);

}  // namespace kwb::editor
