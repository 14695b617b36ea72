// SPDX-License-Identifier: Apache-2.0
// Caret, selection and motions.
#include <algorithm>

#include "editor/columns.hpp"
#include "editor/text_buffer.hpp"

namespace kwb::editor {
namespace {

/// Start of the code point before `byte`, in bytes. @param byte  > 0
std::size_t previous_start(std::string_view line, std::size_t byte) {
    do --byte;
    while (byte > 0 && !starts_code_point(line[byte]));
    return byte;
}

}  // namespace

void TextBuffer::set_caret(Position position, Selecting selecting) {
    const Position caret = clamp(position);
    select({selecting == Selecting::Yes ? selection_.anchor : caret, caret});
}

void TextBuffer::select(Selection selection) {
    const Selection wanted{clamp(selection.anchor), clamp(selection.caret)};
    goal_cell_.reset();
    if (wanted == selection_) return;  // setting the same caret every frame must not end a run of typing
    selection_ = wanted;
    history_.end_run();
}

void TextBuffer::select_all() {
    select({{0, 0}, end()});
}

void TextBuffer::select_word() {
    const TextRange word = word_at(selection_.caret);
    select({word.begin, word.end});
}

void TextBuffer::select_line() {
    const std::size_t line = selection_.caret.line;
    select({{line, 0}, line + 1 < lines_.size() ? Position{line + 1, 0} : end()});
}

TextRange TextBuffer::word_at(Position position) const {
    const Position at = clamp(position);
    const std::string& line = lines_[at.line];
    if (line.empty()) return {at, at};
    std::size_t byte = byte_of_column(line, at.column);
    // At the end of a word, select the word rather than what follows.
    if (byte > 0) {
        const CharClass left = char_class(line[previous_start(line, byte)]);
        if (byte == line.size() || (left == CharClass::Word && char_class(line[byte]) != CharClass::Word))
            byte = previous_start(line, byte);
    }
    const CharClass wanted = char_class(line[byte]);
    std::size_t begin = byte;
    std::size_t end = byte;
    while (begin > 0 && char_class(line[begin - 1]) == wanted) --begin;
    while (end < line.size() && char_class(line[end]) == wanted) ++end;
    return {{at.line, column_of_byte(line, begin)}, {at.line, column_of_byte(line, end)}};
}

Position TextBuffer::one_left(Position from) const {
    if (from.column > 0) return {from.line, from.column - 1};
    if (from.line > 0) return {from.line - 1, line_length(from.line - 1)};
    return from;
}

Position TextBuffer::one_right(Position from) const {
    if (from.column < line_length(from.line)) return {from.line, from.column + 1};
    if (from.line + 1 < lines_.size()) return {from.line + 1, 0};
    return from;
}

Position TextBuffer::word_left(Position from) const {
    if (from.column == 0) return one_left(from);
    const std::string& line = lines_[from.line];
    std::size_t byte = byte_of_column(line, from.column);
    while (byte > 0 && char_class(line[byte - 1]) == CharClass::Blank) --byte;
    if (byte > 0) {
        // Every byte of a non-ASCII character has the class Word.
        const CharClass passed = char_class(line[byte - 1]);
        while (byte > 0 && char_class(line[byte - 1]) == passed) --byte;
    }
    return {from.line, column_of_byte(line, byte)};
}

Position TextBuffer::word_right(Position from) const {
    const std::string& line = lines_[from.line];
    std::size_t byte = byte_of_column(line, from.column);
    if (byte == line.size()) return one_right(from);
    const CharClass passed = char_class(line[byte]);
    while (byte < line.size() && char_class(line[byte]) == passed) ++byte;
    while (byte < line.size() && char_class(line[byte]) == CharClass::Blank) ++byte;
    return {from.line, column_of_byte(line, byte)};
}

Position TextBuffer::vertically(Position from, std::size_t lines, bool down) {
    const std::size_t cell = goal_cell_.value_or(cell_of_column(lines_[from.line], from.column));
    goal_cell_ = cell;
    if (down && from.line + 1 == lines_.size()) return end();
    if (!down && from.line == 0) return {0, 0};
    const std::size_t line =
        down ? std::min(from.line + lines, lines_.size() - 1) : from.line - std::min(lines, from.line);
    return {line, column_of_cell(lines_[line], cell)};
}

Position TextBuffer::moved(Position from, Motion motion, std::size_t page_lines) {
    switch (motion) {
        case Motion::Left:
            return one_left(from);
        case Motion::Right:
            return one_right(from);
        case Motion::WordLeft:
            return word_left(from);
        case Motion::WordRight:
            return word_right(from);
        case Motion::LineStart: {
            const std::size_t text = indentation(from.line);
            return {from.line, from.column == text ? 0 : text};
        }
        case Motion::LineEnd:
            return {from.line, line_length(from.line)};
        case Motion::Up:
            return vertically(from, 1, false);
        case Motion::Down:
            return vertically(from, 1, true);
        case Motion::PageUp:
            return vertically(from, page_lines, false);
        case Motion::PageDown:
            return vertically(from, page_lines, true);
        case Motion::TextStart:
            return {0, 0};
        case Motion::TextEnd:
            return end();
    }
    return from;
}

void TextBuffer::move(Motion motion, Selecting selecting, std::size_t page_lines) {
    Position caret;
    const bool leaves_selection = selecting == Selecting::No && has_selection();
    if (leaves_selection && motion == Motion::Left)
        caret = selected().begin;
    else if (leaves_selection && motion == Motion::Right)
        caret = selected().end;
    else
        caret = moved(selection_.caret, motion, page_lines);

    const bool vertical = motion == Motion::Up || motion == Motion::Down || motion == Motion::PageUp ||
                          motion == Motion::PageDown;
    const std::optional<std::size_t> goal = goal_cell_;
    select({selecting == Selecting::Yes ? selection_.anchor : caret, caret});
    if (vertical) goal_cell_ = goal;
}

}  // namespace kwb::editor
