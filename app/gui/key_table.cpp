#include "gui/key_table.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace kwb::gui {
namespace {

constexpr Chord kRun[] = {plain(Key::F5)};
constexpr Chord kEscape[] = {plain(Key::Escape)};
constexpr Chord kOpenFile[] = {ctrl(Key::O)};
constexpr Chord kSave[] = {ctrl(Key::S)};
constexpr Chord kSaveAs[] = {ctrl_shift(Key::S)};
constexpr Chord kCloseFile[] = {ctrl(Key::W)};
constexpr Chord kUndo[] = {ctrl(Key::Z)};
constexpr Chord kRedo[] = {ctrl_shift(Key::Z), ctrl(Key::Y)};
constexpr Chord kCut[] = {ctrl(Key::X)};
constexpr Chord kCopy[] = {ctrl(Key::C)};
constexpr Chord kPaste[] = {ctrl(Key::V)};
constexpr Chord kSelectAll[] = {ctrl(Key::A)};
constexpr Chord kFind[] = {ctrl(Key::F)};
constexpr Chord kFindNext[] = {plain(Key::F3)};
constexpr Chord kFindPrevious[] = {{.key = Key::F3, .shift = true}};
constexpr Chord kCompareRun[] = {plain(Key::C)};
constexpr Chord kForgetRun[] = {plain(Key::Delete)};
constexpr Chord kExportRun[] = {plain(Key::E)};
constexpr Chord kScaleUp[] = {ctrl(Key::Equal), ctrl_shift(Key::Equal), ctrl(Key::KeypadPlus)};
constexpr Chord kScaleDown[] = {ctrl(Key::Minus), ctrl_shift(Key::Minus), ctrl(Key::KeypadMinus)};
constexpr Chord kScaleReset[] = {ctrl(Key::Num0)};
constexpr Chord kFullScreen[] = {plain(Key::F11)};
constexpr Chord kKeys[] = {plain(Key::F1)};
constexpr Chord kQuit[] = {ctrl(Key::Q)};

constexpr KeyEntry kTable[] = {
    {Action::Run, KeyGroup::Experiment, kRun, "Time and check the chosen kernels"},
    {Action::Stop, KeyGroup::Experiment, kEscape, "Stop the run"},
    {Action::OpenFile, KeyGroup::Files, kOpenFile, "Open kernel files"},
    {Action::Save, KeyGroup::Files, kSave, "Save the file in front"},
    {Action::SaveAs, KeyGroup::Files, kSaveAs, "Save it under another name"},
    {Action::CloseFile, KeyGroup::Files, kCloseFile, "Close it"},
    {Action::Undo, KeyGroup::Editing, kUndo, "Undo"},
    {Action::Redo, KeyGroup::Editing, kRedo, "Redo"},
    {Action::Cut, KeyGroup::Editing, kCut, "Cut"},
    {Action::Copy, KeyGroup::Editing, kCopy, "Copy"},
    {Action::Paste, KeyGroup::Editing, kPaste, "Paste"},
    {Action::SelectAll, KeyGroup::Editing, kSelectAll, "Select all"},
    {Action::Find, KeyGroup::Searching, kFind, "Find in the file"},
    {Action::FindNext, KeyGroup::Searching, kFindNext, "Next place found"},
    {Action::FindPrevious, KeyGroup::Searching, kFindPrevious, "Place before"},
    {Action::CompareRun, KeyGroup::History, kCompareRun, "Compare it with the run shown"},
    {Action::ForgetRun, KeyGroup::History, kForgetRun, "Forget it"},
    {Action::ExportRun, KeyGroup::History, kExportRun, "Export it"},
    {Action::ScaleUp, KeyGroup::Window, kScaleUp, "Everything larger"},
    {Action::ScaleDown, KeyGroup::Window, kScaleDown, "Everything smaller"},
    {Action::ScaleReset, KeyGroup::Window, kScaleReset, "Everything in its normal size"},
    {Action::FullScreen, KeyGroup::Window, kFullScreen, "Full screen"},
    {Action::Keys, KeyGroup::Window, kKeys, "All keys"},
    {Action::DismissNotice, KeyGroup::Window, kEscape, "Dismiss the newest notice"},
    {Action::Quit, KeyGroup::Window, kQuit, "Close the window"},
};

constexpr GestureEntry kGestures[] = {
    {KeyGroup::Charts, "Wheel", "Zoom where the pointer is"},
    {KeyGroup::Charts, "Drag", "Move the picture"},
    {KeyGroup::Charts, "Double click", "Show everything again"},
    {KeyGroup::History, "Enter", "Show it"},
    {KeyGroup::Window, "Tab", "On to the next field"},
    {KeyGroup::Window, "\u2190 \u2192 \u2191 \u2193", "On to the next control"},
    {KeyGroup::Window, "Space", "Press it"},
};

}  // namespace

std::string_view title_of(KeyGroup group) {
    switch (group) {
        case KeyGroup::Experiment:
            return "Experiment";
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
