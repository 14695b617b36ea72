// SPDX-License-Identifier: Apache-2.0
// Editing at the caret: typing, erasing, new lines, clipboard text.
#include <algorithm>
#include <utility>

#include "editor/columns.hpp"
#include "editor/text_buffer.hpp"

namespace kwb::editor {
namespace {

/// How many lines to search upwards for the { that matches a typed }.
constexpr std::size_t kBraceSearchLines = 2000;

bool is_blank(std::string_view text) {
    return blank_prefix(text) == text.size();
}

}  // namespace

std::size_t TextBuffer::indentation(std::size_t line) const {
    return blank_prefix(lines_[line]);
}

std::string TextBuffer::blanks_of(std::size_t line) const {
    return lines_[line].substr(0, indentation(line));
}

std::string TextBuffer::step() const {
    return tabs_ ? "\t" : std::string(kIndent, ' ');
}

/// Indentation of the line with the { that a } at `before` closes. Also counts braces in comments, which is
/// good enough for automatic indentation.
std::optional<std::string> TextBuffer::indentation_for_closing_brace(Position before) const {
    std::size_t open = 0;
    const std::size_t least = before.line - std::min(before.line, kBraceSearchLines);
    for (std::size_t line = before.line; line-- > least;) {
        const std::string& text = lines_[line];
        for (std::size_t i = text.size(); i-- > 0;) {
            if (text[i] == '}') ++open;
            if (text[i] == '{' && open-- == 0) return blanks_of(line);
        }
    }
    return std::nullopt;
}

void TextBuffer::type(std::string_view text) {
    std::string clean = clean_text(text).text;
    if (clean.empty()) return;
    TextRange range = selected();
    if (clean == "}" && range.empty() && range.begin.column > 0) {
        const auto [line, column] = range.begin;
        const bool at_start = is_blank(std::string_view(lines_[line]).substr(0, column));
        const auto wanted = at_start ? indentation_for_closing_brace(range.begin) : std::nullopt;
        if (wanted && cells_of(*wanted) < cell_of_column(lines_[line], column)) {
            range.begin.column = 0;
            clean.insert(0, *wanted);
        }
    }
    const bool one_line = clean.find('\n') == std::string::npos;
    edit(one_line ? EditKind::Typing : EditKind::Other, range, std::move(clean));
}

void TextBuffer::new_line() {
    TextRange range = selected();
    const std::string_view line = lines_[range.begin.line];
    const std::string_view before = line.substr(0, byte_of_column(line, range.begin.column));
    const std::string& last = lines_[range.end.line];
    const std::size_t end_byte = byte_of_column(last, range.end.column);

    const std::string blanks =
        lines_[range.begin.line].substr(0, std::min(indentation(range.begin.line), before.size()));
    const std::size_t text_end = before.find_last_not_of(" \t");
    const bool opens = text_end != std::string_view::npos && before[text_end] == '{';
    std::string text = "\n" + blanks + (opens ? step() : "");
    // Do not leave trailing whitespace on a blank line.
    if (is_blank(before)) range.begin.column = 0;
    const Position caret = end_of_text(range.begin, text);
    if (opens && end_byte < last.size() && last[end_byte] == '}') text += "\n" + blanks;
    edit(EditKind::Other, range, std::move(text), Selection{caret, caret});
}

void TextBuffer::erase(EditKind kind, TextRange range) {
    if (has_selection()) return edit(EditKind::Other, selected(), "");
    if (!range.empty()) edit(kind, range, "");
}

void TextBuffer::backspace() {
    const Position caret = selection_.caret;
    Position begin = one_left(caret);
    // Within the indentation, delete a whole step.
    if (caret.column > 0 && caret.column <= indentation(caret.line)) {
        const std::string& line = lines_[caret.line];
        const std::size_t stop = (cell_of_column(line, caret.column) - 1) / kIndent * kIndent;
        while (begin.column > 0 && line[begin.column - 1] == ' ' && line[begin.column] == ' ' &&
               cell_of_column(line, begin.column) > stop)
            --begin.column;
    }
    erase(EditKind::Backspace, {begin, caret});
}

void TextBuffer::erase_forward() {
    erase(EditKind::Delete, {selection_.caret, one_right(selection_.caret)});
}

void TextBuffer::erase_word_left() {
    erase(EditKind::Other, {word_left(selection_.caret), selection_.caret});
}

void TextBuffer::erase_word_right() {
    erase(EditKind::Other, {selection_.caret, word_right(selection_.caret)});
}

std::string TextBuffer::copy() const {
    return has_selection() ? selected_text() : lines_[selection_.caret.line] + "\n";
}

std::string TextBuffer::cut() {
    std::string text = copy();
    has_selection() ? edit(EditKind::Other, selected(), "") : delete_lines();
    return text;
}

void TextBuffer::paste(std::string_view text) {
    edit(EditKind::Other, selected(), clean_text(text).text);
}

void TextBuffer::replace(TextRange range, std::string_view text) {
    const Position begin = clamp(range.begin);
    edit(EditKind::Other, {begin, std::max(begin, clamp(range.end))}, clean_text(text).text);
}

/// The lines that the selection touches. A last line in which nothing is selected is not included.
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
    if (depth == std::string::npos) {  // only blank lines
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
    Selection after = selection_;
    after.anchor.line += count;
    after.caret.line += count;
    edit(EditKind::Other, {end, end}, "\n" + joined(touched), after);
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
    edit(EditKind::Other, range, "", Selection{caret, caret});
}

void TextBuffer::move_lines(int by) {
    const auto [first, last] = touched_lines();
    if (by == 0 || (by < 0 ? first == 0 : last + 1 == lines_.size())) return;
    const std::size_t from = by < 0 ? first - 1 : first;
    const std::size_t to = by < 0 ? last : last + 1;
    const std::string moved = joined({first, last});
    const std::string passed = lines_[by < 0 ? from : to];
    Selection after = selection_;
    for (Position* place : {&after.anchor, &after.caret})
        place->line = by < 0 ? place->line - 1 : place->line + 1;
    edit(EditKind::Other, {{from, 0}, {to, line_length(to)}},
         by < 0 ? moved + "\n" + passed : passed + "\n" + moved, after);
}

}  // namespace kwb::editor
