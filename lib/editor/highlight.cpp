// SPDX-License-Identifier: Apache-2.0
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

struct Bracket {
    std::size_t column;
    char text;
};

/// The brackets of a line in spans of one kind.
std::vector<Bracket> brackets_of(std::string_view line, std::span<const Span> spans, SpanKind kind) {
    std::vector<Bracket> brackets;
    std::size_t byte = 0, column = 0;
    for (const Span& span : spans) {
        for (; column < span.begin; ++column)
            while (!starts_code_point(line[++byte])) {
            }
        const bool is_bracket =
            kOpening.find(line[byte]) != kOpening.npos || kClosing.find(line[byte]) != kClosing.npos;
        if (span.kind == kind && is_bracket) brackets.push_back({column, line[byte]});
    }
    return brackets;
}

/// Search from the bracket at `from` for its partner. Counts only brackets of the same type, so that a pair
/// is found even inside incorrectly nested brackets.
std::optional<Position> partner_of(const TextBuffer& buffer, const Highlighter& highlighter, Position from,
                                   char bracket, SpanKind kind) {
    const std::size_t sort = kOpening.find(bracket);
    const bool forward = sort != kOpening.npos;
    const char partner = forward ? kClosing[sort] : kOpening[kClosing.find(bracket)];
    std::size_t depth = 0;
    for (std::size_t line = from.line;;) {
        auto brackets = brackets_of(buffer.line(line), highlighter.line(line), kind);
        if (!forward) std::ranges::reverse(brackets);
        for (const auto& [column, found] : brackets) {
            const Position at{line, column};
            if (forward ? at < from : at > from) continue;
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
        for (const auto& [column, text] :
             brackets_of(buffer.line(at.line), highlighter.line(at.line), span->kind))
            if (column == at.column)
                return BracketPair{at, partner_of(buffer, highlighter, at, text, span->kind)};
    }
    return std::nullopt;
}

Landmarks find_landmarks(const TextBuffer& buffer, const Highlighter& highlighter) {
    constexpr std::string_view kOpen = "/*+++", kClose = "+++*/";
    Landmarks found;
    const std::size_t count = std::min(buffer.line_count(), highlighter.line_count());
    for (std::size_t i = 0; i < count && !found.kernel; ++i) {
        const std::span<const Span> spans = highlighter.line(i);
        for (std::size_t k = 0; k < spans.size(); ++k) {
            const auto word_of = [&](const Span& span) {
                return buffer.text_in({{i, span.begin}, {i, span.end}});
            };
            const std::string word = spans[k].kind == SpanKind::FrontMark ||
                                             spans[k].kind == SpanKind::FrontKey ||
                                             spans[k].kind == SpanKind::Qualifier
                                         ? word_of(spans[k])
                                         : "";
            if (spans[k].kind == SpanKind::FrontMark && word == kClose) found.front_matter = i + 1;
            if (spans[k].kind == SpanKind::FrontMark && word == kOpen && i > 0)
                return found;  // not at the beginning
            if (spans[k].kind == SpanKind::FrontKey && word == "title" && found.title.empty() &&
                k + 2 < spans.size() && spans.back().kind == SpanKind::FrontString) {
                found.title = word_of(spans.back());
                if (found.title.size() >= 2) found.title = found.title.substr(1, found.title.size() - 2);
            }
            if (spans[k].kind == SpanKind::Qualifier && (word == "__kernel" || word == "kernel"))
                found.kernel = i;
        }
    }
    return found;
}

}  // namespace kwb::editor
