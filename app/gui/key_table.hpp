// All keys of the window in one table: what reacts to them, labels and the dialog of keys agree.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gui/keys.hpp"

namespace kwb::gui {

enum class KeyGroup { Experiment, Panels, Files, Editing, Searching, Charts, History, FileDialog, Window };
inline constexpr int kKeyGroups = 9;

/// "Experiment", …
std::string_view title_of(KeyGroup group);

/// Everything that a key does wherever the keyboard is, or in the part of the window that its group names.
enum class Action {
    Run,
    Stop,
    GoToExperiment,  // in the order of Panel
    GoToSource,
    GoToTimes,
    GoToCorrectness,
    GoToHistory,
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
    CompareRun,
    ForgetRun,
    ExportRun,
    TypePath,
    ShowHidden,
    OpenMenu,
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
    std::span<const Chord> chords;  ///< each of them does it; the first one is shown beside labels
    std::string_view words;         ///< what it does: "Time and check the chosen kernels"
};

/// What has no key of its own to be asked for: "Wheel" zooms a chart, "Tab" goes on to the next control.
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

/// Was one of its keys pressed in this frame? As pressed(Chord).
bool pressed(Action action, bool repeats = false);

}  // namespace kwb::gui
