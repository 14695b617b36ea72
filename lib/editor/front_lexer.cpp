// Highlights the TOML in the first comment of a kernel file: keys, strings and numbers.
// Source: TOML 1.0, except that the end of the comment also ends the TOML, even inside a string.
#include <algorithm>

#include "editor/columns.hpp"
#include "editor/line_lexer.hpp"

namespace kwb::editor {
namespace {

constexpr std::string_view kFrontClose = "+++*/";
constexpr std::string_view kBasic = "\"\"\"";
constexpr std::string_view kLiteral = "'''";
constexpr std::uint8_t kDeepest = 255;
/// How far to look for a `=`. Without this limit, highlighting a line of a megabyte would take quadratic
/// time.
constexpr std::size_t kLongestKey = 256;

bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

/// Read up to the end of the comment or of the line.
void LineLexer::read_front() {
    const std::size_t close = line_.find("*/", at_);
    const bool closes = close != std::string_view::npos;
    const std::size_t comment_end = closes ? close + 2 : line_.size();
    std::size_t end = closes ? close : line_.size();
    if (closes && end >= at_ + 3 && line_.substr(end - 3, kFrontClose.size()) == kFrontClose) end -= 3;

    if (state_.mode == Mode::FrontText) read_front_text(kBasic, end);
    if (state_.mode == Mode::FrontRawText) read_front_text(kLiteral, end);
    // Inside a bracket opened on an earlier line there are only values; otherwise `[` at the start of a line
    // opens a table header.
    bool line_start = state_.front_depth == 0;
    std::size_t header_depth = 0;
    while (at_ < end && state_.mode == Mode::Front) {
        const char c = line_[at_];
        if (c == ' ' || c == '\t') {
            ++at_;
            continue;
        }
        if (c == '#') {
            take(end - at_, SpanKind::FrontComment);
            break;
        }
        if (c == '[' && line_start) {
            ++header_depth;
            take(1, SpanKind::FrontMark);
            continue;
        }
        line_start = false;
        if (c == '"' || c == '\'') {
            read_front_quoted(end);
            continue;
        }
        const bool key = header_depth > 0 || is_front_key(at_, end);
        if (is_bare(c) || ((c == '+' || c == '.') && !key)) {
            std::size_t token_end = at_ + 1;
            while (token_end < end && (is_bare(line_[token_end]) ||
                                       (!key && (line_[token_end] == '.' || line_[token_end] == '+' ||
                                                 line_[token_end] == ':'))))
                ++token_end;
            take(token_end - at_, key ? SpanKind::FrontKey : SpanKind::FrontNumber);
        } else {
            if (header_depth > 0 && c == ']') {
                --header_depth;
            } else if (c == '[' || c == '{') {
                if (state_.front_depth < kDeepest) ++state_.front_depth;
            } else if (c == ']' || c == '}') {
                if (state_.front_depth > 0) --state_.front_depth;
            }
            std::size_t token_end = at_ + 1;  // one code point
            while (token_end < end && !starts_code_point(line_[token_end])) ++token_end;
            take(token_end - at_, SpanKind::FrontMark);
        }
    }
    if (!closes) return;
    at_ = std::max(at_, end);
    take(comment_end - at_, SpanKind::FrontMark);
    state_.mode = Mode::Code;
    state_.front_depth = 0;
}

/// Whether the token that begins here is a key: followed by `=`, or by `.` and another part of a key.
bool LineLexer::is_front_key(std::size_t begin, std::size_t end) const {
    end = std::min(end, begin + kLongestKey);
    std::size_t at = begin;
    while (at < end) {
        if (line_[at] == '"' || line_[at] == '\'') {
            const std::size_t close = line_.substr(0, end).find(line_[at], at + 1);
            if (close == std::string_view::npos) return false;
            at = close + 1;
        } else if (is_bare(line_[at]) || line_[at] == '.' || line_[at] == ' ' || line_[at] == '\t') {
            ++at;
        } else {
            return line_[at] == '=';
        }
    }
    return false;
}

/// A string in single or triple quotes, or a quoted key.
void LineLexer::read_front_quoted(std::size_t end) {
    const char quote = line_[at_];
    for (const std::string_view quotes : {kBasic, kLiteral}) {
        if (!at(quotes) || at_ + 3 > end) continue;
        state_.mode = quote == '"' ? Mode::FrontText : Mode::FrontRawText;
        take(3, SpanKind::FrontString);
        return read_front_text(quotes, end);
    }
    const SpanKind kind = is_front_key(at_, end) ? SpanKind::FrontKey : SpanKind::FrontString;
    std::size_t close = at_ + 1;
    while (close < end && line_[close] != quote) close += line_[close] == '\\' && quote == '"' ? 2 : 1;
    const bool closed = close < end;
    take((closed ? close + 1 : end) - at_, closed ? kind : SpanKind::Error);
}

/// The rest of a string in triple quotes, which may continue on the next line.
void LineLexer::read_front_text(std::string_view quotes, std::size_t end) {
    std::size_t close = at_;
    const bool escapes = quotes == kBasic;
    while (close + 3 <= end && line_.substr(close, 3) != quotes)
        close += escapes && line_[close] == '\\' ? 2 : 1;
    if (close + 3 > end) {
        take(end - at_, SpanKind::FrontString);
        return;
    }
    take(close + 3 - at_, SpanKind::FrontString);
    state_.mode = Mode::Front;
}

}  // namespace kwb::editor
