#include "gui/key_table.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace kwb::gui {
namespace {

constexpr Chord kRun[] = {plain(Key::F5)};
constexpr Chord kEscape[] = {plain(Key::Escape)};
constexpr Chord kToPanel[] = {ctrl(Key::Num1), ctrl(Key::Num2), ctrl(Key::Num3), ctrl(Key::Num4),
                              ctrl(Key::Num5)};
constexpr Chord kNextPanel[] = {ctrl(Key::Tab)};
constexpr Chord kPanelBefore[] = {ctrl_shift(Key::Tab)};
constexpr Chord kOpenFile[] = {ctrl(Key::O)};
constexpr Chord kSave[] = {ctrl(Key::S)};
constexpr Chord kSaveAs[] = {ctrl_shift(Key::S)};
constexpr Chord kCloseFile[] = {ctrl(Key::W)};
constexpr Chord kNextFile[] = {ctrl(Key::PageDown)};
constexpr Chord kFileBefore[] = {ctrl(Key::PageUp)};
constexpr Chord kCompareFiles[] = {ctrl_shift(Key::C)};
constexpr Chord kUndo[] = {ctrl(Key::Z)};
constexpr Chord kRedo[] = {ctrl_shift(Key::Z), ctrl(Key::Y)};
constexpr Chord kCut[] = {ctrl(Key::X), shift(Key::Delete)};
constexpr Chord kCopy[] = {ctrl(Key::C), ctrl(Key::Insert)};
constexpr Chord kPaste[] = {ctrl(Key::V), shift(Key::Insert)};
constexpr Chord kSelectAll[] = {ctrl(Key::A)};
constexpr Chord kEraseWordLeft[] = {ctrl(Key::Backspace)};
constexpr Chord kEraseWordRight[] = {ctrl(Key::Delete)};
constexpr Chord kDuplicateLines[] = {ctrl(Key::D)};
constexpr Chord kDeleteLines[] = {ctrl_shift(Key::K)};
constexpr Chord kMoveLinesUp[] = {alt(Key::Up)};
constexpr Chord kMoveLinesDown[] = {alt(Key::Down)};
constexpr Chord kToggleComment[] = {ctrl(Key::Slash), ctrl_shift(Key::Num7)};  // '/' is Shift+7 on some
constexpr Chord kFind[] = {ctrl(Key::F), ctrl(Key::H)};
constexpr Chord kFindNext[] = {plain(Key::F3)};
constexpr Chord kFindPrevious[] = {shift(Key::F3)};
constexpr Chord kGoToLine[] = {ctrl(Key::G)};
constexpr Chord kNextMark[] = {plain(Key::F8)};
constexpr Chord kMarkBefore[] = {shift(Key::F8)};
constexpr Chord kCompareRun[] = {plain(Key::C)};
constexpr Chord kForgetRun[] = {plain(Key::Delete)};
constexpr Chord kExportRun[] = {plain(Key::E)};
constexpr Chord kTypePath[] = {ctrl(Key::L)};
constexpr Chord kShowHidden[] = {ctrl(Key::H)};
constexpr Chord kOpenMenu[] = {shift(Key::F10), plain(Key::Menu)};
constexpr Chord kScaleUp[] = {ctrl(Key::Equal), ctrl_shift(Key::Equal), ctrl(Key::KeypadPlus)};
constexpr Chord kScaleDown[] = {ctrl(Key::Minus), ctrl_shift(Key::Minus), ctrl(Key::KeypadMinus)};
constexpr Chord kScaleReset[] = {ctrl(Key::Num0)};
constexpr Chord kFullScreen[] = {plain(Key::F11)};
constexpr Chord kKeys[] = {plain(Key::F1)};
constexpr Chord kQuit[] = {ctrl(Key::Q)};

constexpr std::span<const Chord> panel_keys(std::size_t panel) {
    return std::span(kToPanel).subspan(panel, 1);
}

constexpr KeyEntry kTable[] = {
    {Action::Run, KeyGroup::Experiment, kRun, "Check and time what is on the screen"},
    {Action::Stop, KeyGroup::Experiment, kEscape, "Stop the run"},
    {Action::GoToExperiment, KeyGroup::Panels, panel_keys(0), "Experiment"},
    {Action::GoToSource, KeyGroup::Panels, panel_keys(1), "Source"},
    {Action::GoToTimes, KeyGroup::Panels, panel_keys(2), "Times"},
    {Action::GoToCorrectness, KeyGroup::Panels, panel_keys(3), "Correctness"},
    {Action::GoToHistory, KeyGroup::Panels, panel_keys(4), "History"},
    {Action::NextPanel, KeyGroup::Panels, kNextPanel, "Next panel"},
    {Action::PanelBefore, KeyGroup::Panels, kPanelBefore, "Panel before"},
    {Action::OpenFile, KeyGroup::Files, kOpenFile, "Open kernel files"},
    {Action::Save, KeyGroup::Files, kSave, "Save the file in front"},
    {Action::SaveAs, KeyGroup::Files, kSaveAs, "Save it under another name"},
    {Action::CloseFile, KeyGroup::Files, kCloseFile, "Close it"},
    {Action::NextFile, KeyGroup::Files, kNextFile, "Next file"},
    {Action::FileBefore, KeyGroup::Files, kFileBefore, "File before"},
    {Action::CompareFiles, KeyGroup::Files, kCompareFiles, "Compare it with another one"},
    {Action::Undo, KeyGroup::Editing, kUndo, "Undo"},
    {Action::Redo, KeyGroup::Editing, kRedo, "Redo"},
    {Action::Cut, KeyGroup::Editing, kCut, "Cut"},
    {Action::Copy, KeyGroup::Editing, kCopy, "Copy"},
    {Action::Paste, KeyGroup::Editing, kPaste, "Paste"},
    {Action::SelectAll, KeyGroup::Editing, kSelectAll, "Select all"},
    {Action::EraseWordLeft, KeyGroup::Editing, kEraseWordLeft, "Erase the word before"},
    {Action::EraseWordRight, KeyGroup::Editing, kEraseWordRight, "Erase the word behind"},
    {Action::DuplicateLines, KeyGroup::Editing, kDuplicateLines, "Lines once more"},
    {Action::DeleteLines, KeyGroup::Editing, kDeleteLines, "Delete lines"},
    {Action::MoveLinesUp, KeyGroup::Editing, kMoveLinesUp, "Move lines up"},
    {Action::MoveLinesDown, KeyGroup::Editing, kMoveLinesDown, "Move lines down"},
    {Action::ToggleComment, KeyGroup::Editing, kToggleComment, "Comment lines, or no longer"},
    {Action::Find, KeyGroup::Searching, kFind, "Find and replace in the file"},
    {Action::FindNext, KeyGroup::Searching, kFindNext, "Next place found"},
    {Action::FindPrevious, KeyGroup::Searching, kFindPrevious, "Place before"},
    {Action::GoToLine, KeyGroup::Searching, kGoToLine, "Go to a line"},
    {Action::NextMark, KeyGroup::Searching, kNextMark, "Next error, warning or hint"},
    {Action::MarkBefore, KeyGroup::Searching, kMarkBefore, "The one before"},
    {Action::CompareRun, KeyGroup::History, kCompareRun, "Compare it with the run shown"},
    {Action::ForgetRun, KeyGroup::History, kForgetRun, "Forget it"},
    {Action::ExportRun, KeyGroup::History, kExportRun, "Export it"},
    {Action::TypePath, KeyGroup::FileDialog, kTypePath, "Type the folder"},
    {Action::ShowHidden, KeyGroup::FileDialog, kShowHidden, "Show hidden files, or no longer"},
    {Action::OpenMenu, KeyGroup::Window, kOpenMenu, "Menu of a run or a chart"},
    {Action::ScaleUp, KeyGroup::Window, kScaleUp, "Everything larger"},
    {Action::ScaleDown, KeyGroup::Window, kScaleDown, "Everything smaller"},
    {Action::ScaleReset, KeyGroup::Window, kScaleReset, "Everything in its normal size"},
    {Action::FullScreen, KeyGroup::Window, kFullScreen, "Full screen"},
    {Action::Keys, KeyGroup::Window, kKeys, "All keys"},
    {Action::DismissNotice, KeyGroup::Window, kEscape, "Dismiss the newest notice"},
    {Action::Quit, KeyGroup::Window, kQuit, "Close the window"},
};

constexpr GestureEntry kGestures[] = {
    {KeyGroup::Panels, "Arrows on a bar", "Move the bar between two panels"},
    {KeyGroup::Editing, "Enter", "Write where the frame stands"},
    {KeyGroup::Editing, "Esc", "Leave the text"},
    {KeyGroup::Editing, "Arrows, Home, End", "Move the caret; with Ctrl further"},
    {KeyGroup::Editing, "Page up, Page down", "Move it by a page"},
    {KeyGroup::Editing, "Shift and these", "Select"},
    {KeyGroup::Editing, "Tab, Shift+Tab", "Indent, and back"},
    {KeyGroup::Editing, "Backspace, Delete", "Erase"},
    {KeyGroup::Charts, "Wheel, + and \u2212", "Zoom"},
    {KeyGroup::Charts, "Drag, arrows", "Move the zoomed picture"},
    {KeyGroup::Charts, "Double click, Home", "Show everything again"},
    {KeyGroup::Charts, "Right click, Enter", "Series to show, and saving"},
    {KeyGroup::History, "Enter", "Show it"},
    {KeyGroup::FileDialog, "\u2191 \u2193", "Choose a file while you type"},
    {KeyGroup::FileDialog, "Backspace", "The folder above"},
    {KeyGroup::Window, "Tab, Shift+Tab", "Next control, and back"},
    {KeyGroup::Window, "\u2190 \u2192 \u2191 \u2193", "To the control beside it"},
    {KeyGroup::Window, "Space or Enter", "Press it"},
    {KeyGroup::Window, "Esc", "Close what is open"},
    {KeyGroup::Window, "Page up, Page down", "Scroll"},
};

}  // namespace

std::string_view title_of(KeyGroup group) {
    switch (group) {
        case KeyGroup::Experiment:
            return "Experiment";
        case KeyGroup::Panels:
            return "Panels";
        case KeyGroup::Files:
            return "Files";
        case KeyGroup::Editing:
            return "Editing";
        case KeyGroup::Searching:
            return "Searching";
        case KeyGroup::Charts:
            return "Charts";
        case KeyGroup::History:
            return "On a run in the history";
        case KeyGroup::FileDialog:
            return "In the file dialog";
        case KeyGroup::Window:
            return "Window";
    }
    return "";
}

std::span<const KeyEntry> key_table() {
    return kTable;
}

std::span<const GestureEntry> gesture_table() {
    return kGestures;
}

const KeyEntry& entry_of(Action action) {
    const auto* found = std::find_if(std::begin(kTable), std::end(kTable),
                                     [&](const KeyEntry& entry) { return entry.action == action; });
    expects(found != std::end(kTable), "entry_of: every action has a line in the table of keys");
    return *found;
}

std::string keys_of(Action action) {
    return to_string(entry_of(action).chords.front());
}

bool pressed(Action action, bool repeats) {
    const auto chords = entry_of(action).chords;
    return std::any_of(chords.begin(), chords.end(),
                       [&](const Chord& chord) { return pressed(chord, repeats); });
}

}  // namespace kwb::gui
