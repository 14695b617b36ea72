// Editing whole lines: indentation, comments, copies, removal.
#include <algorithm>
#include <utility>

#include "editor/tabs.hpp"
#include "editor/text_buffer.hpp"

namespace kwb::editor {

/// The lines that the selection touches; one that it only reaches with its line break is not among them.
TextBuffer::LineSpan TextBuffer::touched_lines() const {
    const TextRange range = selected();
    const bool only_reached = range.end.line > range.begin.line && range.end.column == 0;
    return {range.begin.line, range.end.line - (only_reached ? 1 : 0)};
}

std::string TextBuffer::joined(LineSpan lines) const {
    return text_in({{lines.first, 0}, {lines.last, line_length(lines.last)}});
}

void TextBuffer::indent() {
    if (!has_selection()) {
        const Position caret = selection_.caret;
        const std::size_t cell = cell_of_column(lines_[caret.line], caret.column);
        return edit(EditKind::Other, {caret, caret},
                    tabs_ ? "\t" : std::string(kIndent - cell % kIndent, ' '));
    }
    std::vector<Replacement> parts;
    const auto [first, last] = touched_lines();
    for (std::size_t line = first; line <= last; ++line)
        if (!lines_[line].empty()) parts.push_back({{{line, 0}, {line, 0}}, step()});
    edit(EditKind::Other, parts);
}

void TextBuffer::unindent() {
    std::vector<Replacement> parts;
    const auto [first, last] = touched_lines();
    for (std::size_t line = first; line <= last; ++line) {
        const std::string blanks = blanks_of(line);
        std::size_t taken = 0;
        while (taken < blanks.size() && cell_of_column(blanks, taken + 1) <= kIndent) ++taken;
        if (taken > 0) parts.push_back({{{line, 0}, {line, taken}}, ""});
    }
    edit(EditKind::Other, parts);
}

void TextBuffer::toggle_comment() {
    const auto [first, last] = touched_lines();
    const auto is_blank = [&](std::size_t line) { return indentation(line) == lines_[line].size(); };
    bool all_commented = true;
    std::size_t depth = std::string::npos;
    for (std::size_t line = first; line <= last; ++line) {
        if (is_blank(line)) continue;
        depth = std::min(depth, indentation(line));
        all_commented = all_commented && lines_[line].compare(indentation(line), 2, "//") == 0;
    }
    if (depth == std::string::npos) {  // nothing but blank lines
        if (first != last) return;
        const Position text{first, indentation(first)};
        return edit(EditKind::Other, {text, text}, "// ");
    }

    std::vector<Replacement> parts;
    for (std::size_t line = first; line <= last; ++line) {
        if (is_blank(line)) continue;
        if (!all_commented) {
            parts.push_back({{{line, depth}, {line, depth}}, "// "});
            continue;
        }
        const std::size_t begin = indentation(line);
        const bool blank_follows = lines_[line].compare(begin + 2, 1, " ") == 0;
        parts.push_back({{{line, begin}, {line, begin + (blank_follows ? 3 : 2)}}, ""});
    }
    edit(EditKind::Other, parts, {}, has_selection() ? AtInsertion::Stays : AtInsertion::Follows);
}

void TextBuffer::duplicate_lines() {
    const LineSpan touched = touched_lines();
    const Position end{touched.last, line_length(touched.last)};
    const std::size_t count = touched.last - touched.first + 1;
    const Replacement part{{end, end}, "\n" + joined(touched)};
    Selection after = selection_;
    after.anchor.line += count;
    after.caret.line += count;
    edit(EditKind::Other, {&part, 1}, after);
}

void TextBuffer::delete_lines() {
    const auto [first, last] = touched_lines();
    TextRange range{{first, 0}, {last, line_length(last)}};
    if (last + 1 < lines_.size())
        range.end = {last + 1, 0};
    else if (first > 0)
        range.begin = {first - 1, line_length(first - 1)};
    const std::size_t last_left = lines_.size() - 1 - (last - first + 1);
    const bool all = last - first + 1 == lines_.size();
    const Position caret{all ? 0 : std::min(first, last_left), selection_.caret.column};
    const Replacement part{range, ""};
    edit(EditKind::Other, {&part, 1}, Selection{caret, caret});
}

void TextBuffer::move_lines(int by) {
    const auto [first, last] = touched_lines();
    if (by == 0 || (by < 0 ? first == 0 : last + 1 == lines_.size())) return;
    const std::size_t from = by < 0 ? first - 1 : first;
    const std::size_t to = by < 0 ? last : last + 1;
    const std::string moved = joined({first, last});
    const std::string passed = lines_[by < 0 ? from : to];
    const Replacement part{{{from, 0}, {to, line_length(to)}},
                           by < 0 ? moved + "\n" + passed : passed + "\n" + moved};
    Selection after = selection_;
    for (Position* place : {&after.anchor, &after.caret})
        place->line = by < 0 ? place->line - 1 : place->line + 1;
    edit(EditKind::Other, {&part, 1}, after);
}

}  // namespace kwb::editor
