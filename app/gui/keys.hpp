// SPDX-License-Identifier: Apache-2.0
// Keys and key chords, independent of ImGui's version, and their actions. Handlers, labels and the keys
// dialog are consistent because all of them read the same table.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace kwb::gui {

/// The keys that have a meaning in the window. Values are GLFW's, which ImGui before 1.87 also uses; all
/// digits, letters (their ASCII codes) and function keys are valid.
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
    Num7 = 55,
    Num8 = 56,
    Num9 = 57,
    Equal = 61,
    A = 'A',
    C = 'C',
    D = 'D',
    E = 'E',
    F = 'F',
    G = 'G',
    H = 'H',
    K = 'K',
    O = 'O',
    Q = 'Q',
    S = 'S',
    V = 'V',
    W = 'W',
    X = 'X',
    Y = 'Y',
    Z = 'Z',
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
    F2 = 291,
    F3 = 292,
    F4 = 293,
    F5 = 294,
    F6 = 295,
    F7 = 296,
    F8 = 297,
    F9,
    F10 = 299,
    F11,
    F12,
    KeypadMinus = 333,
    KeypadPlus,
    KeypadEnter,
    Menu = 348,
};

/// A key with the exact set of modifiers.
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

/// "Ctrl+S", "F5", "Ctrl++": for menus and the list of keys.
std::string to_string(const Chord& chord);

/// Whether the chord was pressed in this frame. Call it while a frame is drawn.
/// @param repeats  also true for key repeats
/// Without Ctrl or Alt, keys that produce text are ignored while a text field has keyboard focus; Escape and
/// the function keys never are.
bool pressed(const Chord& chord, bool repeats = false);

enum class KeyGroup {
    Experiment,
    Panels,
    Files,
    Editing,
    Searching,
    FileDialog,
    Steps,
    Charts,
    History,
    Window
};
inline constexpr int kKeyGroups = 10;

/// "Experiment", …
std::string_view title_of(KeyGroup group);

/// Every action with a shortcut, either global or in the part of the window that its group names.
enum class Action {
    Run,
    Stop,
    CheckExercise,
    ShowHint,
    NextKernel,
    KernelBefore,
    CompareKernel,
    GoToExperiment,  // in the order of Panel
    GoToSource,
    GoToTimes,
    GoToCorrectness,
    GoToHistory,
    GoToXray,
    GoToTune,
    GoToLearn,
    GoToReasons,
    NextPanel,
    PanelBefore,
    OpenFile,
    Save,
    SaveAs,
    CloseFile,
    NextFile,
    FileBefore,
    CompareFiles,
    Undo,
    Redo,
    Cut,
    Copy,
    Paste,
    SelectAll,
    EraseWordLeft,
    EraseWordRight,
    DuplicateLines,
    DeleteLines,
    MoveLinesUp,
    MoveLinesDown,
    ToggleComment,
    Find,
    FindNext,
    FindPrevious,
    GoToLine,
    NextMark,
    MarkBefore,
    StepLine,
    StepLineBack,
    StepOver,
    StepOverBack,
    CompareRun,
    ForgetRun,
    ExportRun,
    OpenMenu,
    Present,
    ScaleUp,
    ScaleDown,
    ScaleReset,
    FullScreen,
    Keys,
    DismissNotice,
    Quit,
};

struct KeyEntry {
    Action action;
    KeyGroup group;
    std::string_view words;     ///< description: "Check and time the chosen kernels"
    std::array<Chord, 3> keys;  ///< alternatives; labels show the first; may hold fewer

    std::span<const Chord> chords() const {
        const auto none = std::ranges::find(keys, Key{}, &Chord::key);
        return {keys.begin(), none};
    }
};

/// Input without its own shortcut: "Wheel" zooms a chart, "Tab" moves to the next control.
struct GestureEntry {
    KeyGroup group;
    std::string_view gesture;
    std::string_view words;
};

/// Sorted by group.
std::span<const KeyEntry> key_table();
std::span<const GestureEntry> gesture_table();

const KeyEntry& entry_of(Action action);

/// "F5", "Ctrl+S": the first chord, for labels and tooltips.
std::string keys_of(Action action);

/// Whether one of its chords was pressed in this frame, as pressed(Chord).
bool pressed(Action action, bool repeats = false);

}  // namespace kwb::gui
