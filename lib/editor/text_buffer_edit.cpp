// Editing at the caret: typing, erasing, new lines, the clipboard's text.
#include <algorithm>
#include <utility>

#include "editor/tabs.hpp"
#include "editor/text_buffer.hpp"

namespace kwb::editor {
namespace {

/// How far up the partner of a typed } is sought.
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

/// Indentation of the line that holds the { to which a } at `before` belongs. Braces in comments count, too:
/// good enough for a proposal.
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
    const std::size_t behind = byte_of_column(last, range.end.column);

    const std::string blanks =
        lines_[range.begin.line].substr(0, std::min(indentation(range.begin.line), before.size()));
    const std::size_t text_end = before.find_last_not_of(" \t");
    const bool opens = text_end != std::string_view::npos && before[text_end] == '{';
    std::string text = "\n" + blanks + (opens ? step() : "");
    // A line of nothing but indentation is left empty.
    if (is_blank(before)) range.begin.column = 0;
    const Position caret = place_behind(range.begin, text);
    if (opens && behind < last.size() && last[behind] == '}') text += "\n" + blanks;
    const Replacement part{range, std::move(text)};
    edit(EditKind::Other, {&part, 1}, Selection{caret, caret});
}

void TextBuffer::backspace() {
    if (has_selection()) return edit(EditKind::Other, selected(), "");
    const Position caret = selection_.caret;
    Position begin = one_left(caret);
    // Within the indentation a whole step goes.
    if (caret.column > 0 && caret.column <= indentation(caret.line)) {
        const std::string& line = lines_[caret.line];
        const std::size_t stop = (cell_of_column(line, caret.column) - 1) / kIndent * kIndent;
        while (begin.column > 0 && line[begin.column - 1] == ' ' && line[begin.column] == ' ' &&
               cell_of_column(line, begin.column) > stop)
            --begin.column;
    }
    if (begin != caret) edit(EditKind::Backspace, {begin, caret}, "");
}

void TextBuffer::erase_forward() {
    if (has_selection()) return edit(EditKind::Other, selected(), "");
    const Position end = one_right(selection_.caret);
    if (end != selection_.caret) edit(EditKind::Delete, {selection_.caret, end}, "");
}

void TextBuffer::erase_word_left() {
    if (has_selection()) return edit(EditKind::Other, selected(), "");
    edit(EditKind::Other, {word_left(selection_.caret), selection_.caret}, "");
}

void TextBuffer::erase_word_right() {
    if (has_selection()) return edit(EditKind::Other, selected(), "");
    edit(EditKind::Other, {selection_.caret, word_right(selection_.caret)}, "");
}

std::string TextBuffer::copy() const {
    return has_selection() ? selected_text() : lines_[selection_.caret.line] + "\n";
}

std::string TextBuffer::cut() {
    std::string text = copy();
    if (has_selection())
        edit(EditKind::Other, selected(), "");
    else
        delete_lines();
    return text;
}

void TextBuffer::paste(std::string_view text) {
    edit(EditKind::Other, selected(), clean_text(text).text);
}

void TextBuffer::replace(TextRange range, std::string_view text) {
    const Position begin = clamp(range.begin);
    edit(EditKind::Other, {begin, std::max(begin, clamp(range.end))}, clean_text(text).text);
}

}  // namespace kwb::editor
