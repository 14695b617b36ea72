#include "editor/highlight.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace kwb::editor {

std::size_t Highlighter::update(const TextBuffer& buffer) {
    const std::size_t count = buffer.line_count();
    const auto change = spans_.empty() ? std::nullopt : buffer.changes_since(revision_);
    std::size_t line = 0;
    std::size_t must = count;  // lines before this one are highlighted regardless of their state
    if (change) {
        if (*change == LineChange{}) return 0;
        // Lines after the change keep their spans and are shifted.
        const auto resize = [&](auto& rows) {
            const auto at = rows.begin() + static_cast<std::ptrdiff_t>(change->first);
            if (change->inserted > change->removed)
                rows.insert(at + static_cast<std::ptrdiff_t>(change->removed),
                            change->inserted - change->removed, {});
            else
                rows.erase(at + static_cast<std::ptrdiff_t>(change->inserted),
                           at + static_cast<std::ptrdiff_t>(change->removed));
        };
        resize(spans_);
        resize(states_);
        line = change->first;
        must = change->first + change->inserted;
    } else {
        spans_.resize(count);
        states_.assign(count, LexState{});
    }
    revision_ = buffer.revision();

    const std::size_t first = line;
    for (; line < count; ++line) {
        const LexState next = highlight_line(buffer.line(line), states_[line], spans_[line]);
        if (line + 1 == count) continue;
        if (line + 1 >= must && states_[line + 1] == next) return line + 1 - first;
        states_[line + 1] = next;
    }
    return line - first;
}

const Span* Highlighter::span_at(Position position) const {
    if (position.line >= spans_.size()) return nullptr;
    const std::vector<Span>& spans = spans_[position.line];
    const auto found =
        std::upper_bound(spans.begin(), spans.end(), position.column,
                         [](std::size_t column, const Span& span) { return column < span.end; });
    return found != spans.end() && found->begin <= position.column ? &*found : nullptr;
}

std::vector<std::vector<Span>> highlight_lines(std::span<const std::string> lines) {
    std::vector<std::vector<Span>> all(lines.size());
    LexState state;
    for (std::size_t i = 0; i < lines.size(); ++i) state = highlight_line(lines[i], state, all[i]);
    return all;
}

namespace {

constexpr std::string_view kOpening = "([{";
constexpr std::string_view kClosing = ")]}";

bool is_bracket(char c) {
    return kOpening.find(c) != kOpening.npos || kClosing.find(c) != kClosing.npos;
}

/// Maps columns to bytes for one line, so that lookups do not count code points from the start of the line.
class Columns {
public:
    explicit Columns(const std::string& line) : line_(line) {
        if (count_code_points(line) == line.size()) return;
        for (std::size_t byte = 0; byte < line.size(); ++byte)
            if (starts_code_point(line[byte])) bytes_.push_back(byte);
    }
    /// The bracket that a span consists of, or 0.
    char bracket(const Span& span, SpanKind kind) const {
        if (span.kind != kind || span.end - span.begin != 1) return 0;
        const char c = line_[bytes_.empty() ? span.begin : bytes_[span.begin]];
        return is_bracket(c) ? c : '\0';
    }

private:
    const std::string& line_;
    std::vector<std::size_t> bytes_;  ///< empty if every column is one byte
};

/// Search from the bracket at `from` for its partner. Counts only brackets of the same type, so that a pair
/// is found even inside incorrectly nested brackets.
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
