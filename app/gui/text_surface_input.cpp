// SPDX-License-Identifier: Apache-2.0
// The text surface's keyboard and pointer input: caret, selections, scrolling while dragging.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "editor/columns.hpp"
#include "gui/look.hpp"
#include "gui/text_surface.hpp"

namespace kwb::gui {

using editor::Motion;
using editor::Position;
using editor::Selecting;
using editor::TextBuffer;
using editor::TextRange;

namespace {

/// As pressed(), but without the check for text input, because the surface itself has keyboard focus.
bool is_down(const Chord& chord) {
    const ImGuiIO& io = ImGui::GetIO();
    return io.KeyCtrl == chord.ctrl && io.KeyShift == chord.shift && io.KeyAlt == chord.alt &&
           compat::is_pressed(chord.key, true);
}

bool is_down(Action action) {
    const auto chords = entry_of(action).chords();
    return std::any_of(chords.begin(), chords.end(), [](const Chord& chord) { return is_down(chord); });
}

std::string clipboard() {
    const char* words = ImGui::GetClipboardText();
    return words != nullptr ? words : "";
}

void copy_to_clipboard(const std::string& words) {
    ImGui::SetClipboardText(words.c_str());
}

}  // namespace

void TextSurface::act_on_keys(TextBuffer& buffer) {
    const std::uint64_t revision = buffer.revision();
    const editor::Selection selection = buffer.selection();
    if (!act_on_motions(buffer)) act_on_chords(buffer);
    take_characters(buffer);
    if (buffer.revision() != revision || !(buffer.selection() == selection)) reveal_ = Reveal::Near;
}

bool TextSurface::act_on_motions(TextBuffer& buffer) {
    constexpr struct {
        Key key;
        bool ctrl;
        Motion motion;
    } kMotions[] = {
        {Key::Left, false, Motion::Left},      {Key::Right, false, Motion::Right},
        {Key::Left, true, Motion::WordLeft},   {Key::Right, true, Motion::WordRight},
        {Key::Up, false, Motion::Up},          {Key::Down, false, Motion::Down},
        {Key::Home, false, Motion::LineStart}, {Key::End, false, Motion::LineEnd},
        {Key::Home, true, Motion::TextStart},  {Key::End, true, Motion::TextEnd},
        {Key::PageUp, false, Motion::PageUp},  {Key::PageDown, false, Motion::PageDown},
    };
    for (const auto& [key, with_ctrl, motion] : kMotions)
        for (const bool selects : {false, true})
            if (is_down({.key = key, .ctrl = with_ctrl, .shift = selects})) {
                buffer.move(motion, selects ? Selecting::Yes : Selecting::No, page_lines());
                return true;
            }
    return false;
}

bool TextSurface::select_blank(TextBuffer& buffer, bool is_next) {
    const TextRange selected = buffer.selected();
    const bool is_empty_line = trim(buffer.line(buffer.caret().line)).empty();
    if (blanks_.empty() || is_empty_line || selected.begin.line != selected.end.line) return false;
    const Position from = selected.begin;
    const auto next =
        is_next
            ? std::ranges::find_if(blanks_, [&](const TextRange& blank) { return from < blank.begin; })
            : std::ranges::find_if_not(blanks_, [&](const TextRange& blank) { return blank.begin < from; });
    const std::size_t at = static_cast<std::size_t>(next - blanks_.begin()), count = blanks_.size();
    const TextRange& chosen = blanks_[(is_next ? at : at + count - 1) % count];
    buffer.select({chosen.begin, chosen.end});
    return true;
}

bool TextSurface::act_on_chords(TextBuffer& buffer) {
    const auto any = [](auto... chords) { return (is_down(chords) || ...); };
    if (any(plain(Key::Enter), plain(Key::KeypadEnter), shift(Key::Enter)))
        buffer.new_line();
    else if (any(plain(Key::Backspace), shift(Key::Backspace)))
        buffer.backspace();
    else if (is_down(Action::EraseWordLeft))
        buffer.erase_word_left();
    else if (is_down(plain(Key::Delete)))
        buffer.erase_forward();
    else if (is_down(Action::EraseWordRight))
        buffer.erase_word_right();
    else if (is_down(plain(Key::Tab))) {
        if (!select_blank(buffer, true)) buffer.indent();
    } else if (is_down(shift(Key::Tab))) {
        if (!select_blank(buffer, false)) buffer.unindent();
    } else if (is_down(Action::SelectAll))
        buffer.select_all();
    else if (is_down(Action::Copy))
        copy_to_clipboard(buffer.copy());
    else if (is_down(Action::Cut))
        copy_to_clipboard(buffer.cut());
    else if (is_down(Action::Paste))
        buffer.paste(clipboard());
    else if (is_down(Action::Undo))
        buffer.undo();
    else if (is_down(Action::Redo))
        buffer.redo();
    else if (is_down(Action::DuplicateLines))
        buffer.duplicate_lines();
    else if (is_down(Action::DeleteLines))
        buffer.delete_lines();
    else if (is_down(Action::MoveLinesUp))
        buffer.move_lines(-1);
    else if (is_down(Action::MoveLinesDown))
        buffer.move_lines(+1);
    else if (is_down(Action::ToggleComment))
        buffer.toggle_comment();
    else
        return false;
    return true;
}

void TextSurface::take_characters(TextBuffer& buffer) {
    ImGuiIO& io = ImGui::GetIO();
    if (io.InputQueueCharacters.Size == 0) return;
    // Keys with only Ctrl are chords; Ctrl+Alt is AltGr, which produces text.
    if (!io.KeyCtrl || io.KeyAlt) {
        std::string typed;
        for (const unsigned code_point : io.InputQueueCharacters) {
            constexpr unsigned kDelete = 0x7f;
            if (code_point < ' ' || code_point == kDelete) continue;
            char bytes[5] = "";
            ImTextCharToUtf8(bytes, code_point);
            typed += bytes;
        }
        if (!typed.empty()) buffer.type(typed);
    }
    io.InputQueueCharacters.resize(0);
}

std::optional<std::size_t> TextSurface::line_at(ImVec2 pixel, std::size_t line_count) const {
    const float line = std::floor((pixel.y - origin().y) / grid_.line_height);
    if (line < 0 || line >= static_cast<float>(line_count)) return std::nullopt;
    return static_cast<std::size_t>(line);
}

Position TextSurface::position_at(const TextBuffer& buffer, ImVec2 pixel) const {
    const ImVec2 start = origin();
    const float line = std::floor((pixel.y - start.y) / grid_.line_height);
    const float cell = std::round((pixel.x - start.x) / grid_.advance);
    const Position at = buffer.clamp({static_cast<std::size_t>(std::max(0.0f, line)), 0});
    if (line >= static_cast<float>(buffer.line_count())) return buffer.end();
    return {at.line,
            editor::column_of_cell(buffer.line(at.line), static_cast<std::size_t>(std::max(0.0f, cell)))};
}

void TextSurface::act_on_mouse(TextBuffer& buffer, bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool in_gutter = hovered && io.MousePos.x < view_.Min.x + gutter_;
    if (hovered && !in_gutter) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (hovered && ImGui::IsMouseClicked(0)) {
        buffer.end_run();
        const Position at = position_at(buffer, io.MousePos);
        const int clicks = in_gutter ? 3 : (ImGui::GetMouseClickedCount(0) - 1) % 3 + 1;
        selecting_ = true;
        if (io.KeyShift && clicks == 1) {
            // The anchor does not move.
            pressed_on_ = {buffer.anchor(), buffer.anchor()};
            granularity_ = Granularity::Character;
            buffer.set_caret(at, Selecting::Yes);
        } else {
            granularity_ = clicks == 1   ? Granularity::Character
                           : clicks == 2 ? Granularity::Word
                                         : Granularity::Line;
            buffer.set_caret(at);
            if (granularity_ == Granularity::Word) buffer.select_word();
            if (granularity_ == Granularity::Line) buffer.select_line();
            pressed_on_ = buffer.selected();
        }
        return;
    }
    if (!selecting_) return;
    if (!io.MouseDown[0] || !has_keyboard_) {
        selecting_ = false;
        return;
    }
    if (!ImGui::IsMouseDragging(0, 2)) return;
    select_to(buffer, position_at(buffer, io.MousePos));
    scroll_while_dragging();
}

void TextSurface::select_to(TextBuffer& buffer, Position to) {
    TextRange reached{to, to};
    if (granularity_ == Granularity::Word) reached = buffer.word_at(to);
    if (granularity_ == Granularity::Line)
        reached = {{to.line, 0},
                   buffer.clamp(to.line + 1 < buffer.line_count() ? Position{to.line + 1, 0} : buffer.end())};
    // What the initial press selected stays selected in both drag directions.
    if (to < pressed_on_.begin)
        buffer.select({pressed_on_.end, reached.begin});
    else
        buffer.select({pressed_on_.begin, std::max(reached.end, pressed_on_.end)});
}

void TextSurface::scroll_while_dragging() {
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    // Speed in pixels per second per pixel outside the view: the further outside, the faster. ImGui scrolls
    // by whole pixels.
    constexpr float kSpeed = 15;
    const auto step = [](float outside) {
        return std::copysign(std::max(1.0f, std::abs(outside) * kSpeed * ImGui::GetIO().DeltaTime), outside);
    };
    const auto beyond = [](float at, float min, float max) {
        return at < min ? at - min : std::max(0.0f, at - max);
    };
    const float x = beyond(pointer.x, view_.Min.x + gutter_, view_.Max.x);
    const float y = beyond(pointer.y, view_.Min.y, view_.Max.y);
    const ImVec2 to = {x == 0 ? scroll_.x : std::clamp(scroll_.x + step(x), 0.0f, ImGui::GetScrollMaxX()),
                       y == 0 ? scroll_.y : std::clamp(scroll_.y + step(y), 0.0f, ImGui::GetScrollMaxY())};
    if (to.x != scroll_.x) ImGui::SetScrollX(to.x);
    if (to.y != scroll_.y) ImGui::SetScrollY(to.y);
    if (to.x != scroll_.x || to.y != scroll_.y) look().want_frame();  // also while the pointer rests
}

}  // namespace kwb::gui
