#include "editor/brackets.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kwb::editor {
namespace {

constexpr std::string_view kOpening = "([{";
constexpr std::string_view kClosing = ")]}";

bool is_bracket(char c) {
    return kOpening.find(c) != kOpening.npos || kClosing.find(c) != kClosing.npos;
}

/// The characters of one line by column: without it each look would count code points from the line's start.
class Columns {
public:
    explicit Columns(const std::string& line) : line_(line) {
        if (count_code_points(line) == line.size()) return;
        for (std::size_t byte = 0; byte < line.size(); ++byte)
            if ((static_cast<unsigned char>(line[byte]) & 0xC0u) != 0x80u) bytes_.push_back(byte);
    }
    /// The bracket that a span is, or 0.
    char bracket(const Span& span, SpanKind kind) const {
        if (span.kind != kind || span.end - span.begin != 1) return 0;
        const char c = line_[bytes_.empty() ? span.begin : bytes_[span.begin]];
        return is_bracket(c) ? c : '\0';
    }

private:
    const std::string& line_;
    std::vector<std::size_t> bytes_;  ///< empty: each column is a byte
};

/// Walk from the bracket `wanted` at `from` to its partner. Only its own sort is counted, so that a pair
/// inside a wrong nesting is still found.
std::optional<Position> partner_of(const TextBuffer& buffer, const Highlighter& highlighter, Position from,
                                   char bracket, SpanKind kind) {
    const std::size_t sort = kOpening.find(bracket);
    const bool forward = sort != kOpening.npos;
    const char partner = forward ? kClosing[sort] : kOpening[kClosing.find(bracket)];
    std::size_t depth = 0;
    for (std::size_t line = from.line;;) {
        const auto spans = highlighter.line(line);
        const Columns columns(buffer.line(line));
        for (std::size_t n = 0; n < spans.size(); ++n) {
            const Span& span = forward ? spans[n] : spans[spans.size() - 1 - n];
            const Position at{line, span.begin};
            if (forward ? at < from : at > from) continue;
            const char found = columns.bracket(span, kind);
            if (found == bracket) ++depth;
            if (found == partner && --depth == 0) return at;
        }
        if (forward ? ++line == highlighter.line_count() : line-- == 0) return std::nullopt;
    }
}

}  // namespace

std::optional<BracketPair> find_bracket_pair(const TextBuffer& buffer, const Highlighter& highlighter,
                                             Position position) {
    for (const std::size_t left : {0u, 1u}) {
        if (left > position.column) break;
        const Position at{position.line, position.column - left};
        const Span* span = highlighter.span_at(at);
        if (!span || (span->kind != SpanKind::Operator && span->kind != SpanKind::FrontMark)) continue;
        const char bracket = Columns(buffer.line(at.line)).bracket(*span, span->kind);
        if (bracket) return BracketPair{at, partner_of(buffer, highlighter, at, bracket, span->kind)};
    }
    return std::nullopt;
}

}  // namespace kwb::editor
