#include "editor/highlight.hpp"

#include <algorithm>

#include "editor/line_lexer.hpp"

namespace kwb::editor {
namespace {

/// Ascending byte offsets become columns.
void bytes_to_columns(std::string_view line, std::vector<Span>& spans) {
    std::size_t byte = 0;
    std::uint32_t column = 0;
    const auto column_at = [&](std::uint32_t target) {
        for (; byte < target; ++byte)
            if ((static_cast<unsigned char>(line[byte]) & 0xC0u) != 0x80u) ++column;
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
    const bool ascii =
        std::none_of(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (!ascii) bytes_to_columns(line, spans);
    return next;
}

void Highlighter::reset() {
    spans_.clear();
    states_.clear();
    valid_ = false;
}

std::size_t Highlighter::update(const TextBuffer& buffer) {
    const std::size_t count = buffer.line_count();
    const std::optional<LineChange> change = valid_ ? buffer.changes_since(revision_) : std::nullopt;
    std::size_t line = 0;
    std::size_t must = count;  // lines before this one are read whatever their state
    if (change) {
        if (*change == LineChange{}) return 0;
        // Lines behind the change keep what is known of them, and move.
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
        states_.resize(count);
        states_[0] = LexState{};
    }
    revision_ = buffer.revision();
    valid_ = true;

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

}  // namespace kwb::editor
