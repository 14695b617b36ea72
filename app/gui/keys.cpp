#include "gui/keys.hpp"

#include "gui/imgui_compat.hpp"

namespace kwb::gui {
namespace {

std::string name_of(Key key) {
    const int code = static_cast<int>(key);
    if ((key >= Key::Num0 && key <= Key::Num9) || (key >= Key::A && key <= Key::Z))
        return std::string(1, static_cast<char>(code));
    if (key >= Key::F1 && key <= Key::F12) return "F" + std::to_string(code - static_cast<int>(Key::F1) + 1);
    switch (key) {
        case Key::Space:
            return "Space";
        case Key::Comma:
            return ",";
        case Key::Minus:
        case Key::KeypadMinus:
            return "\u2212";
        case Key::Period:
            return ".";
        case Key::Slash:
            return "/";
        case Key::Equal:  // what is zoomed with: '+' shares the key on a US keyboard
        case Key::KeypadPlus:
            return "+";
        case Key::Escape:
            return "Esc";
        case Key::Enter:
        case Key::KeypadEnter:
            return "Enter";
        case Key::Tab:
            return "Tab";
        case Key::Menu:
            return "Menu";
        case Key::Backspace:
            return "Backspace";
        case Key::Insert:
            return "Insert";
        case Key::Delete:
            return "Delete";
        case Key::Right:
            return "\u2192";
        case Key::Left:
            return "\u2190";
        case Key::Down:
            return "\u2193";
        case Key::Up:
            return "\u2191";
        case Key::PageUp:
            return "Page up";
        case Key::PageDown:
            return "Page down";
        case Key::Home:
            return "Home";
        case Key::End:
            return "End";
        default:
            return "?";
    }
}

bool writes_text(Key key) {
    return key < Key::Escape || (key >= Key::KeypadMinus && key <= Key::KeypadEnter) ||
           (key >= Key::Enter && key <= Key::End);
}

}  // namespace

std::string to_string(const Chord& chord) {
    std::string text;
    if (chord.ctrl) text += "Ctrl+";
    if (chord.alt) text += "Alt+";
    if (chord.shift) text += "Shift+";
    return text + name_of(chord.key);
}

bool pressed(const Chord& chord, bool repeats) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl != chord.ctrl || io.KeyShift != chord.shift || io.KeyAlt != chord.alt) return false;
    if (io.WantTextInput && !chord.ctrl && !chord.alt && writes_text(chord.key)) return false;
    return compat::is_pressed(chord.key, repeats);
}

void install_key_map() {
    compat::install_key_map();
}
void inject_key(Key key, bool down) {
    compat::inject_key(key, down);
}
void inject_modifiers(bool ctrl, bool shift, bool alt) {
    compat::inject_modifiers(ctrl, shift, alt);
}
void inject_pointer(float x, float y) {
    compat::inject_pointer(x, y);
}
void inject_button(int button, bool down) {
    compat::inject_button(button, down);
}
void inject_wheel(float horizontal, float vertical) {
    compat::inject_wheel(horizontal, vertical);
}
void inject_character(unsigned code_point) {
    ImGui::GetIO().AddInputCharacter(code_point);
}

}  // namespace kwb::gui
