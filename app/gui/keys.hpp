// Keys and key chords, whatever ImGui's version calls them.
#pragma once

#include <string>

namespace kwb::gui {

/// The numbers are GLFW's, which ImGui before 1.87 uses as well. Digits and letters have their character's.
enum class Key : int {
    Space = 32,
    Comma = 44,
    Minus = 45,
    Period = 46,
    Slash = 47,
    Num0 = 48,
    Num1 = 49,
    Num2,
    Num3,
    Num4,
    Num5,
    Num6,
    Num7,
    Num8,
    Num9,
    Equal = 61,
    A = 65,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    I,
    J,
    K,
    L,
    M,
    N,
    O,
    P,
    Q,
    R,
    S,
    T,
    U,
    V,
    W,
    X,
    Y,
    Z,
    Escape = 256,
    Enter,
    Tab,
    Backspace,
    Insert,
    Delete,
    Right,
    Left,
    Down,
    Up,
    PageUp,
    PageDown,
    Home,
    End,
    F1 = 290,
    F2,
    F3,
    F4,
    F5,
    F6,
    F7,
    F8,
    F9,
    F10,
    F11,
    F12,
    KeypadMinus = 333,
    KeypadPlus,
    KeypadEnter,
    Menu = 348,
};

/// A key with the modifiers that have to be held, exactly these.
struct Chord {
    Key key{};
    bool ctrl = false;
    bool shift = false;
    bool alt = false;
};

constexpr Chord ctrl(Key key) {
    return {.key = key, .ctrl = true};
}
constexpr Chord ctrl_shift(Key key) {
    return {.key = key, .ctrl = true, .shift = true};
}
constexpr Chord shift(Key key) {
    return {.key = key, .shift = true};
}
constexpr Chord alt(Key key) {
    return {.key = key, .alt = true};
}
constexpr Chord plain(Key key) {
    return {.key = key};
}

/// "Ctrl+S", "F5", "Ctrl++": as menus and the list of keys show it.
std::string to_string(const Chord& chord);

/// Was the chord pressed in this frame? Ask while a frame is drawn.
/// @param repeats  also true for the repetitions of a key that is held down
/// Without Ctrl and Alt, keys that write text are not seen while a text field has the keyboard; Escape and
/// the function keys always are.
bool pressed(const Chord& chord, bool repeats = false);

/// For windows without the GLFW backend (tests): tell ImGui the names of the keys. Nothing to do since 1.87.
void install_key_map();

/// For tests: put a key, or the modifiers that are held now, into ImGui's input.
void inject_key(Key key, bool down);
void inject_modifiers(bool ctrl, bool shift, bool alt);

/// For tests: pointer in pixels of the window, buttons 0 (left) 1 (right) 2 (middle), wheel steps, a
/// character.
void inject_pointer(float x, float y);
void inject_button(int button, bool down);
void inject_wheel(float horizontal, float vertical);
void inject_character(unsigned code_point);

}  // namespace kwb::gui
