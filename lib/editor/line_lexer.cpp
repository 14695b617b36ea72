#include "editor/line_lexer.hpp"

#include <algorithm>

#include "editor/columns.hpp"

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
bool is_blank(char c) {
    return char_class(c) == CharClass::Blank;
}

constexpr std::string_view kFrontOpen = "/*+++";

}  // namespace

/// @param begin, end  in bytes; an empty span is not added
void LineLexer::add(std::size_t begin, std::size_t end, SpanKind kind) {
    if (begin >= end) return;
    spans_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), kind});
}

void LineLexer::take(std::size_t bytes, SpanKind kind) {
    const std::size_t end = std::min(at_ + bytes, line_.size());
    add(at_, end, kind);
    at_ = end;
}

void LineLexer::skip_blanks() {
    while (!at_end() && is_blank(line_[at_])) ++at_;
}

LexState LineLexer::read() {
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
            read_block_comment();
            break;
        case Mode::String:
            read_quoted('"', Mode::String);
            break;
        case Mode::Character:
            read_quoted('\'', Mode::Character);
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

/// Read one token.
void LineLexer::read_code() {
    const char c = line_[at_];
    const bool first = !code_seen_;
    if (at("//")) {
        state_.comment_seen = true;
        return read_line_comment();
    }
    if (at("/*")) return open_comment();
    code_seen_ = true;
    if (c == '#' && first) return read_directive();
    if (c == '"') return take(1, SpanKind::String), read_quoted('"', Mode::String);
    if (c == '\'') return take(1, SpanKind::Character), read_quoted('\'', Mode::Character);
    if (is_digit(c) || (c == '.' && at_ + 1 < line_.size() && is_digit(line_[at_ + 1]))) return read_number();
    if (is_word_start(c)) return read_word();
    if (c == '\\' && at_ + 1 == line_.size()) return take(1, SpanKind::Preprocessor);
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || byte < 0x20 || c == '@' || c == '`' || c == '$' || c == '\\') {
        std::size_t end = at_ + 1;
        while (end < line_.size() && static_cast<unsigned char>(line_[end]) >= 0x80) ++end;
        return take(end - at_, SpanKind::Error);
    }
    take(1, SpanKind::Operator);
}

/// `#` and the directive's name. The rest is code, except for messages and file names.
void LineLexer::read_directive() {
    std::size_t end = at_ + 1;
    while (end < line_.size() && is_blank(line_[end])) ++end;
    const std::size_t name_begin = end;
    while (end < line_.size() && is_word(line_[end])) ++end;
    const std::string_view name = line_.substr(name_begin, end - name_begin);
    take(end - at_, SpanKind::Preprocessor);
    directive_goes_on_ = true;
    if (name == "include") {
        skip_blanks();
        const std::size_t close = at("<") ? line_.find('>', at_) : std::string_view::npos;
        if (close != std::string_view::npos) take(close + 1 - at_, SpanKind::String);
    } else if (name == "define") {
        skip_blanks();
        const std::size_t begin = at_;
        while (!at_end() && is_word(line_[at_])) ++at_;
        add(begin, at_, SpanKind::Macro);
    } else if (name == "error" || name == "warning" || name == "pragma" || name == "line") {
        read_message();
    }
}

/// Plain words up to the next comment.
void LineLexer::read_message() {
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

void LineLexer::read_line_comment() {
    take(line_.size() - at_, SpanKind::Comment);
    state_.mode = continued() ? Mode::LineComment : Mode::Code;
}

void LineLexer::open_comment() {
    const bool front = !state_.comment_seen && at(kFrontOpen);
    state_.comment_seen = true;
    if (front) {
        take(kFrontOpen.size(), SpanKind::FrontMark);
        state_.mode = Mode::Front;
        state_.front_depth = 0;
        return read_front();
    }
    const std::size_t close = line_.find("*/", at_ + 2);
    if (close == std::string_view::npos) {
        take(line_.size() - at_, SpanKind::Comment);
        state_.mode = Mode::BlockComment;
    } else {
        take(close + 2 - at_, SpanKind::Comment);
    }
}

/// The rest of a comment opened on an earlier line.
void LineLexer::read_block_comment() {
    const std::size_t close = line_.find("*/", at_);
    if (close == std::string_view::npos) return take(line_.size() - at_, SpanKind::Comment);
    take(close + 2 - at_, SpanKind::Comment);
    state_.mode = Mode::Code;
}

/// Read up to the closing quote. If the opening quote is on this line, it is the last span so far.
void LineLexer::read_quoted(char quote, Mode mode) {
    const SpanKind kind = quote == '"' ? SpanKind::String : SpanKind::Character;
    const bool opened_here = at_ > 0;
    const std::size_t begin = opened_here ? at_ - 1 : at_;
    if (opened_here) spans_.pop_back();
    std::size_t end = at_;
    while (end < line_.size() && line_[end] != quote) end += line_[end] == '\\' ? 2 : 1;
    const bool closed = end < line_.size();
    const bool goes_on = end > line_.size();  // the line ends in a backslash
    at_ = std::min(closed ? end + 1 : end, line_.size());
    add(begin, at_, closed || goes_on ? kind : SpanKind::Error);
    state_.mode = goes_on ? mode : Mode::Code;
    code_seen_ = true;
}

/// A preprocessing number: digits, letters, dots, and a sign after an exponent.
void LineLexer::read_number() {
    const bool hexadecimal = at("0x") || at("0X");
    std::size_t end = at_ + 1;
    while (end < line_.size()) {
        const char c = line_[end];
        const char before = line_[end - 1];
        const bool exponent = hexadecimal ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
        if (!(is_word(c) || c == '.' || ((c == '+' || c == '-') && exponent))) break;
        ++end;
    }
    take(end - at_, SpanKind::Number);
}

void LineLexer::read_word() {
    std::size_t end = at_ + 1;
    while (end < line_.size() && is_word(line_[end])) ++end;
    take(end - at_, kind_of_word(line_.substr(at_, end - at_)));
}

}  // namespace kwb::editor
