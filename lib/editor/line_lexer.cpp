// SPDX-License-Identifier: Apache-2.0
// Highlights one line of OpenCL C, or of the TOML in its first comment (the front matter).
// Source: OpenCL C 3.0; TOML 1.0, except that the end of the comment also ends the TOML, even inside a
// string.
#include <algorithm>
#include <string_view>
#include <vector>

#include "editor/columns.hpp"
#include "editor/highlight.hpp"

namespace kwb::editor {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_word_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_word(char c) {
    return is_word_start(c) || is_digit(c);
}
bool is_not_ascii(char c) {
    return static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(char c) {
    return char_class(c) == CharClass::Blank;
}

constexpr std::string_view kFrontOpen = "/*+++";
constexpr std::string_view kFrontClose = "+++*/";
constexpr std::string_view kBasic = "\"\"\"";
constexpr std::string_view kLiteral = "'''";
constexpr std::uint8_t kDeepest = 255;
/// How far to look for a `=`. Without this limit, highlighting a line of a megabyte would take quadratic
/// time.
constexpr std::size_t kLongestKey = 256;

/// Part of a bare TOML key.
bool is_bare(char c) {
    return is_word(c) || c == '-';
}

/// Part of a TOML number, date or bare word.
bool is_of_number(char c) {
    return is_bare(c) || c == '.' || c == '+' || c == ':';
}

/// Counts columns in bytes; highlight_line() converts them to code points.
class LineLexer {
public:
    /// @param spans  output, appended to; `line` and `spans` must outlive the lexer
    LineLexer(std::string_view line, LexState state, std::vector<Span>& spans)
        : line_(line), state_(state), spans_(spans) {}

    /// @return  the state at the start of the next line
    LexState read() {
        // First, continue what an earlier line left open …
        switch (state_.mode) {
            case Mode::Code:
                break;
            case Mode::Directive:
                state_.mode = Mode::Code;
                code_seen_ = directive_goes_on_ = true;
                break;
            case Mode::Message:
                read_message();
                return state_;
            case Mode::LineComment:
                read_line_comment();
                return state_;
            case Mode::BlockComment:
                read_block_comment(0);
                break;
            case Mode::String:
            case Mode::Character:
                read_quoted(state_.mode, 0);
                break;
            case Mode::Front:
            case Mode::FrontText:
            case Mode::FrontRawText:
                read_front();
                break;
        }
        // … then code. Every mode except Code lasts to the end of the line.
        while (state_.mode == Mode::Code) {
            skip_blanks();
            if (at_end()) break;
            read_code();
        }
        if (state_.mode == Mode::Code && directive_goes_on_ && continued()) state_.mode = Mode::Directive;
        return state_;
    }

private:
    using Mode = LexState::Mode;

    bool at(std::string_view text) const { return line_.substr(at_, text.size()) == text; }
    bool at_end() const { return at_ >= line_.size(); }
    bool continued() const { return !line_.empty() && line_.back() == '\\'; }

    /// @param begin, end  in bytes; an empty span is not added
    void add(std::size_t begin, std::size_t end, SpanKind kind) {
        if (begin >= end) return;
        spans_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), kind});
    }

    void take_to(std::size_t end, SpanKind kind) {
        end = std::min(end, line_.size());
        add(at_, end, kind);
        at_ = end;
    }

    void take(std::size_t bytes, SpanKind kind) { take_to(at_ + bytes, kind); }

    /// The end of the run of characters from `begin` on that `is` accepts.
    std::size_t end_of(std::size_t begin, bool (*is)(char)) const {
        while (begin < line_.size() && is(line_[begin])) ++begin;
        return begin;
    }

    void skip_blanks() { at_ = end_of(at_, is_blank); }

    // ---- OpenCL C ----

    /// Read one token.
    void read_code() {
        const char c = line_[at_];
        const bool first = !code_seen_;
        if (at("//")) {
            state_.comment_seen = true;
            return read_line_comment();
        }
        if (at("/*")) return open_comment();
        code_seen_ = true;
        if (c == '#' && first) return read_directive();
        if (c == '"') return read_quoted(Mode::String, at_ + 1);
        if (c == '\'') return read_quoted(Mode::Character, at_ + 1);
        if (is_digit(c) || (c == '.' && at_ + 1 < line_.size() && is_digit(line_[at_ + 1])))
            return read_number();
        if (is_word_start(c)) return read_word();
        if (c == '\\' && at_ + 1 == line_.size()) return take(1, SpanKind::Preprocessor);
        if (is_not_ascii(c) || c < 0x20 || c == '@' || c == '`' || c == '$' || c == '\\') {
            return take_to(end_of(at_ + 1, is_not_ascii), SpanKind::Error);
        }
        take(1, SpanKind::Operator);
    }

    /// `#` and the directive's name. The rest is code, except for messages and file names.
    void read_directive() {
        const std::size_t name_begin = end_of(at_ + 1, is_blank);
        const std::size_t end = end_of(name_begin, is_word);
        const std::string_view name = line_.substr(name_begin, end - name_begin);
        take_to(end, SpanKind::Preprocessor);
        directive_goes_on_ = true;
        if (name == "include") {
            skip_blanks();
            const std::size_t close = at("<") ? line_.find('>', at_) : std::string_view::npos;
            if (close != std::string_view::npos) take_to(close + 1, SpanKind::String);
        } else if (name == "define") {
            skip_blanks();
            take_to(end_of(at_, is_word), SpanKind::Macro);
        } else if (name == "error" || name == "warning" || name == "pragma" || name == "line") {
            read_message();
        }
    }

    /// Plain words up to the next comment.
    void read_message() {
        const bool goes_on = continued();
        state_.mode = Mode::Code;
        skip_blanks();
        const std::size_t comment = std::min({line_.find("//", at_), line_.find("/*", at_), line_.size()});
        std::size_t end = comment;
        while (end > at_ && is_blank(line_[end - 1])) --end;
        add(at_, end, SpanKind::Preprocessor);
        at_ = comment;
        code_seen_ = true;
        if (goes_on && at_end()) state_.mode = Mode::Message;
    }

    void read_line_comment() {
        take_to(line_.size(), SpanKind::Comment);
        state_.mode = continued() ? Mode::LineComment : Mode::Code;
    }

    void open_comment() {
        const bool front = !state_.comment_seen && at(kFrontOpen);
        state_.comment_seen = true;
        if (front) {
            take(kFrontOpen.size(), SpanKind::FrontMark);
            state_.mode = Mode::Front;
            state_.front_depth = 0;
            return read_front();
        }
        state_.mode = Mode::BlockComment;
        read_block_comment(at_ + 2);
    }

    /// @param text  where the comment's text begins: after the opening mark or at the start of the line
    void read_block_comment(std::size_t text) {
        const std::size_t close = line_.find("*/", text);
        if (close == std::string_view::npos) return take_to(line_.size(), SpanKind::Comment);
        take_to(close + 2, SpanKind::Comment);
        state_.mode = Mode::Code;
    }

    /// The next occurrence of `quotes`; at least the line's length if there is none, and beyond it if the
    /// line ends in an escaping backslash.
    std::size_t find_quotes(std::string_view quotes, std::size_t from, bool escapes) const {
        while (from < line_.size() && line_.substr(from, quotes.size()) != quotes)
            from += escapes && line_[from] == '\\' ? 2 : 1;
        return from;
    }

    /// A string or a character up to its closing quote.
    /// @param text  like that of read_block_comment()
    void read_quoted(Mode mode, std::size_t text) {
        const bool is_string = mode == Mode::String;
        const std::size_t end = find_quotes(is_string ? "\"" : "'", text, true);
        const bool goes_on = end > line_.size();
        const SpanKind kind = is_string ? SpanKind::String : SpanKind::Character;
        take_to(end + 1, end == line_.size() ? SpanKind::Error : kind);
        state_.mode = goes_on ? mode : Mode::Code;
        code_seen_ = true;
    }

    /// A preprocessing number: digits, letters, dots, and a sign after an exponent.
    void read_number() {
        const bool hexadecimal = at("0x") || at("0X");
        std::size_t end = at_ + 1;
        while (end < line_.size()) {
            const char c = line_[end];
            const char before = line_[end - 1];
            const bool exponent =
                hexadecimal ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
            if (!(is_word(c) || c == '.' || ((c == '+' || c == '-') && exponent))) break;
            ++end;
        }
        take_to(end, SpanKind::Number);
    }

    void read_word() {
        const std::size_t end = end_of(at_, is_word);
        take_to(end, kind_of_word(line_.substr(at_, end - at_)));
    }

    // ---- The front matter ----

    /// Read up to the end of the comment or of the line.
    void read_front() {
        const std::string_view whole = line_;
        const std::size_t close = whole.find("*/", at_);
        const bool closes = close != std::string_view::npos;
        if (closes) {
            const bool marked = close >= at_ + 3 && whole.substr(close - 3, 5) == kFrontClose;
            line_ = whole.substr(0, marked ? close - 3 : close);
        }
        if (state_.mode == Mode::FrontText) read_front_text(kBasic);
        if (state_.mode == Mode::FrontRawText) read_front_text(kLiteral);
        read_front_line();
        if (!closes) return;
        at_ = line_.size();
        line_ = whole;
        take_to(close + 2, SpanKind::FrontMark);
        state_.mode = Mode::Code;
        state_.front_depth = 0;
    }

    void read_front_line() {
        // Inside a bracket opened on an earlier line there are only values; otherwise `[` at the start of a
        // line opens a table header.
        bool line_start = state_.front_depth == 0;
        std::size_t header_depth = 0;
        for (; !at_end() && state_.mode == Mode::Front; skip_blanks()) {
            const char c = line_[at_];
            if (is_blank(c)) continue;
            if (c == '#') return take_to(line_.size(), SpanKind::FrontComment);
            if (c == '[' && line_start) {
                ++header_depth;
                take(1, SpanKind::FrontMark);
                continue;
            }
            line_start = false;
            const bool key = header_depth > 0 || is_front_key();
            if (c == '"' || c == '\'') {
                read_front_quoted();
            } else if (key ? is_bare(c) : is_of_number(c) && c != ':') {
                take_to(end_of(at_ + 1, key ? is_bare : is_of_number),
                        key ? SpanKind::FrontKey : SpanKind::FrontNumber);
            } else {
                if (header_depth > 0 && c == ']')
                    --header_depth;
                else if ((c == '[' || c == '{') && state_.front_depth < kDeepest)
                    ++state_.front_depth;
                else if ((c == ']' || c == '}') && state_.front_depth > 0)
                    --state_.front_depth;
                std::size_t end = at_ + 1;  // one code point
                while (end < line_.size() && !starts_code_point(line_[end])) ++end;
                take_to(end, SpanKind::FrontMark);
            }
        }
    }

    /// Whether the token that begins here is a key: followed by `=`, or by `.` and another part of a key.
    bool is_front_key() const {
        const std::string_view text = line_.substr(at_, kLongestKey);
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '"' || text[i] == '\'') {
                i = text.find(text[i], i + 1);
                if (i == std::string_view::npos) return false;
            } else if (!is_bare(text[i]) && text[i] != '.' && text[i] != ' ' && text[i] != '\t') {
                return text[i] == '=';
            }
        }
        return false;
    }

    /// A string in single or triple quotes, or a quoted key.
    void read_front_quoted() {
        const bool is_basic = line_[at_] == '"';
        const std::string_view triple = is_basic ? kBasic : kLiteral;
        if (at(triple)) {
            state_.mode = is_basic ? Mode::FrontText : Mode::FrontRawText;
            take(3, SpanKind::FrontString);
            return read_front_text(triple);
        }
        const SpanKind kind = is_front_key() ? SpanKind::FrontKey : SpanKind::FrontString;
        const std::size_t close = find_quotes(triple.substr(0, 1), at_ + 1, is_basic);
        take_to(close + 1, close < line_.size() ? kind : SpanKind::Error);
    }

    /// The rest of a string in triple quotes, which may continue on the next line.
    void read_front_text(std::string_view quotes) {
        const std::size_t close = find_quotes(quotes, at_, quotes == kBasic);
        take_to(close + 3, SpanKind::FrontString);
        if (close < line_.size()) state_.mode = Mode::Front;
    }

    std::string_view line_;
    LexState state_;
    std::vector<Span>& spans_;
    std::size_t at_ = 0;
    bool code_seen_ = false;          ///< code before this point in the line: a # does not start a directive
    bool directive_goes_on_ = false;  ///< in a directive: a backslash at the line's end continues it
};

/// Convert ascending byte offsets to columns.
void bytes_to_columns(std::string_view line, std::vector<Span>& spans) {
    std::size_t byte = 0;
    std::uint32_t column = 0;
    const auto column_at = [&](std::uint32_t target) {
        for (; byte < target; ++byte)
            if (starts_code_point(line[byte])) ++column;
        return column;
    };
    for (Span& span : spans) {
        span.begin = column_at(span.begin);
        span.end = column_at(span.end);
    }
}

}  // namespace

LexState highlight_line(std::string_view line, LexState state, std::vector<Span>& spans) {
    spans.clear();
    const LexState next = LineLexer(line, state, spans).read();
    if (std::ranges::any_of(line, is_not_ascii)) bytes_to_columns(line, spans);
    return next;
}

}  // namespace kwb::editor
