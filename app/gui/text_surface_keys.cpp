// The text surface's keyboard.
#include <algorithm>

#include "gui/key_table.hpp"
#include "gui/look.hpp"
#include "gui/text_surface.hpp"

namespace kwb::gui {

using editor::Motion;
using editor::Selecting;
using editor::TextBuffer;

namespace {

/// As pressed(), but letters and the like are the surface's own while it has the keyboard.
bool is_down(const Chord& chord) {
    const ImGuiIO& io = ImGui::GetIO();
    return io.KeyCtrl == chord.ctrl && io.KeyShift == chord.shift && io.KeyAlt == chord.alt &&
           compat::is_pressed(chord.key, true);
}

bool is_down(Action action) {
    const auto chords = entry_of(action).chords;
    return std::any_of(chords.begin(), chords.end(), [](const Chord& chord) { return is_down(chord); });
}

std::string utf8(unsigned code_point) {
    const auto byte = [](unsigned value) { return static_cast<char>(static_cast<unsigned char>(value)); };
    if (code_point < 0x80) return {byte(code_point)};
    if (code_point < 0x800) return {byte(0xc0 | code_point >> 6), byte(0x80 | (code_point & 0x3f))};
    if (code_point < 0x10000)
        return {byte(0xe0 | code_point >> 12), byte(0x80 | (code_point >> 6 & 0x3f)),
                byte(0x80 | (code_point & 0x3f))};
    return {byte(0xf0 | code_point >> 18), byte(0x80 | (code_point >> 12 & 0x3f)),
            byte(0x80 | (code_point >> 6 & 0x3f)), byte(0x80 | (code_point & 0x3f))};
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
    else if (is_down(plain(Key::Tab)))
        buffer.indent();
    else if (is_down(shift(Key::Tab)))
        buffer.unindent();
    else if (is_down(Action::SelectAll))
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
    // With Ctrl alone keys are chords; Ctrl+Alt is AltGr, which writes.
    if (!io.KeyCtrl || io.KeyAlt) {
        std::string typed;
        for (const unsigned code_point : io.InputQueueCharacters) {
            constexpr unsigned kDelete = 0x7f;
            if (code_point >= ' ' && code_point != kDelete) typed += utf8(code_point);
        }
        if (!typed.empty()) buffer.type(typed);
    }
    io.InputQueueCharacters.resize(0);
}

}  // namespace kwb::gui
