// SPDX-License-Identifier: Apache-2.0
#include "gui/keys.hpp"

#include <utility>

#include "base/error.hpp"
#include "gui/imgui_compat.hpp"

namespace kwb::gui {
namespace {

/// Key::Equal is used for zooming: '+' is on this key on a US keyboard.
constexpr std::pair<Key, const char*> kKeyNames[] = {
    {Key::Space, "Space"},       {Key::Comma, ","},
    {Key::Minus, "\u2212"},      {Key::KeypadMinus, "\u2212"},
    {Key::Period, "."},          {Key::Slash, "/"},
    {Key::Equal, "+"},           {Key::KeypadPlus, "+"},
    {Key::Escape, "Esc"},        {Key::Enter, "Enter"},
    {Key::KeypadEnter, "Enter"}, {Key::Tab, "Tab"},
    {Key::Menu, "Menu"},         {Key::Backspace, "Backspace"},
    {Key::Insert, "Insert"},     {Key::Delete, "Delete"},
    {Key::Right, "\u2192"},      {Key::Left, "\u2190"},
    {Key::Down, "\u2193"},       {Key::Up, "\u2191"},
    {Key::PageUp, "Page up"},    {Key::PageDown, "Page down"},
    {Key::Home, "Home"},         {Key::End, "End"}};

std::string name_of(Key key) {
    const int code = static_cast<int>(key);
    if ((key >= Key::Num0 && key <= Key::Num9) || (key >= Key::A && key <= Key::Z))
        return std::string(1, static_cast<char>(code));
    if (key >= Key::F1 && key <= Key::F12) return "F" + std::to_string(code - static_cast<int>(Key::F1) + 1);
    for (const auto& [named, name] : kKeyNames)
        if (named == key) return name;
    return "?";
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

namespace {

constexpr KeyEntry kTable[] = {
    {Action::Run, KeyGroup::Experiment, "Check and time the chosen kernels", {plain(Key::F5)}},
    {Action::Stop, KeyGroup::Experiment, "Stop the run", {plain(Key::Escape)}},
    {Action::CheckExercise, KeyGroup::Experiment, "Check the lesson's exercise", {plain(Key::F6)}},
    {Action::ShowHint, KeyGroup::Experiment, "Show the next hint", {plain(Key::F7)}},
    {Action::NextKernel, KeyGroup::Experiment, "Select the next kernel", {plain(Key::F4)}},
    {Action::KernelBefore, KeyGroup::Experiment, "Select the previous kernel", {shift(Key::F4)}},
    {Action::CompareKernel,
     KeyGroup::Experiment,
     "Compare the selected kernel with another, or with none",
     {plain(Key::F2)}},
    {Action::GoToExperiment, KeyGroup::Panels, "Experiment", {ctrl(Key::Num1)}},
    {Action::GoToSource, KeyGroup::Panels, "Source", {ctrl(Key::Num2)}},
    {Action::GoToTimes, KeyGroup::Panels, "Times", {ctrl(Key::Num3)}},
    {Action::GoToCorrectness, KeyGroup::Panels, "Correctness", {ctrl(Key::Num4)}},
    {Action::GoToHistory, KeyGroup::Panels, "History", {ctrl(Key::Num5)}},
    {Action::GoToXray, KeyGroup::Panels, "X-ray", {ctrl(Key::Num6)}},
    {Action::GoToTune, KeyGroup::Panels, "Tune", {ctrl(Key::Num7)}},
    {Action::GoToLearn, KeyGroup::Panels, "Learn", {ctrl(Key::Num8)}},
    {Action::GoToReasons, KeyGroup::Panels, "Reasons", {ctrl(Key::Num9)}},
    {Action::NextPanel, KeyGroup::Panels, "Next panel", {ctrl(Key::Tab)}},
    {Action::PanelBefore, KeyGroup::Panels, "Previous panel", {ctrl_shift(Key::Tab)}},
    {Action::OpenFile, KeyGroup::Files, "Open kernel files", {ctrl(Key::O)}},
    {Action::Save, KeyGroup::Files, "Save the current file", {ctrl(Key::S)}},
    {Action::SaveAs, KeyGroup::Files, "Save it under another name", {ctrl_shift(Key::S)}},
    {Action::CloseFile, KeyGroup::Files, "Close it", {ctrl(Key::W)}},
    {Action::NextFile, KeyGroup::Files, "Next file", {ctrl(Key::PageDown)}},
    {Action::FileBefore, KeyGroup::Files, "Previous file", {ctrl(Key::PageUp)}},
    {Action::CompareFiles, KeyGroup::Files, "Compare it with another file", {ctrl_shift(Key::C)}},
    {Action::Undo, KeyGroup::Editing, "Undo", {ctrl(Key::Z)}},
    {Action::Redo, KeyGroup::Editing, "Redo", {ctrl_shift(Key::Z), ctrl(Key::Y)}},
    {Action::Cut, KeyGroup::Editing, "Cut", {ctrl(Key::X), shift(Key::Delete)}},
    {Action::Copy, KeyGroup::Editing, "Copy", {ctrl(Key::C), ctrl(Key::Insert)}},
    {Action::Paste, KeyGroup::Editing, "Paste", {ctrl(Key::V), shift(Key::Insert)}},
    {Action::SelectAll, KeyGroup::Editing, "Select all", {ctrl(Key::A)}},
    {Action::EraseWordLeft, KeyGroup::Editing, "Delete the word before the caret", {ctrl(Key::Backspace)}},
    {Action::EraseWordRight, KeyGroup::Editing, "Delete the word after the caret", {ctrl(Key::Delete)}},
    {Action::DuplicateLines, KeyGroup::Editing, "Duplicate lines", {ctrl(Key::D)}},
    {Action::DeleteLines, KeyGroup::Editing, "Delete lines", {ctrl_shift(Key::K)}},
    {Action::MoveLinesUp, KeyGroup::Editing, "Move lines up", {alt(Key::Up)}},
    {Action::MoveLinesDown, KeyGroup::Editing, "Move lines down", {alt(Key::Down)}},
    {Action::ToggleComment,
     KeyGroup::Editing,
     "Comment or uncomment lines",
     {ctrl(Key::Slash), ctrl_shift(Key::Num7)}},  // '/' is Shift+7 on some keyboards
    {Action::Find, KeyGroup::Searching, "Find and replace in the file", {ctrl(Key::F), ctrl(Key::H)}},
    {Action::FindNext, KeyGroup::Searching, "Next match", {plain(Key::F3)}},
    {Action::FindPrevious, KeyGroup::Searching, "Previous match", {shift(Key::F3)}},
    {Action::GoToLine, KeyGroup::Searching, "Go to a line", {ctrl(Key::G)}},
    {Action::NextMark, KeyGroup::Searching, "Next error, warning or hint", {plain(Key::F8)}},
    {Action::MarkBefore, KeyGroup::Searching, "Previous error, warning or hint", {shift(Key::F8)}},
    {Action::StepLine, KeyGroup::Steps, "One line on, into functions that it calls", {plain(Key::F12)}},
    {Action::StepLineBack, KeyGroup::Steps, "One line back", {shift(Key::F12)}},
    {Action::StepOver, KeyGroup::Steps, "One line on, past functions that it calls", {ctrl(Key::F12)}},
    {Action::StepOverBack,
     KeyGroup::Steps,
     "One line back, past functions that are called",
     {ctrl_shift(Key::F12)}},
    {Action::CompareRun, KeyGroup::History, "Compare it with the run shown", {plain(Key::C)}},
    {Action::ForgetRun, KeyGroup::History, "Forget it", {plain(Key::Delete)}},
    {Action::ExportRun, KeyGroup::History, "Export it", {plain(Key::E)}},
    {Action::OpenMenu,
     KeyGroup::Window,
     "Menu of a run, a chart or the results",
     {shift(Key::F10), plain(Key::Menu)}},
    {Action::Present,
     KeyGroup::Window,
     "Present an answer or the open lesson, in large type",
     {plain(Key::F9)}},
    {Action::ScaleUp,
     KeyGroup::Window,
     "Everything larger",
     {ctrl(Key::Equal), ctrl_shift(Key::Equal), ctrl(Key::KeypadPlus)}},
    {Action::ScaleDown,
     KeyGroup::Window,
     "Everything smaller",
     {ctrl(Key::Minus), ctrl_shift(Key::Minus), ctrl(Key::KeypadMinus)}},
    {Action::ScaleReset, KeyGroup::Window, "Everything at normal size", {ctrl(Key::Num0)}},
    {Action::FullScreen, KeyGroup::Window, "Full screen", {plain(Key::F11)}},
    {Action::Keys, KeyGroup::Window, "All keys", {plain(Key::F1)}},
    {Action::DismissNotice, KeyGroup::Window, "Dismiss the newest notice", {plain(Key::Escape)}},
    {Action::Quit, KeyGroup::Window, "Close the window", {ctrl(Key::Q)}},
};

constexpr GestureEntry kGestures[] = {
    {KeyGroup::Panels, "Arrows on a bar", "Move the bar between two panels"},
    {KeyGroup::Editing, "Enter", "Edit the focused text"},
    {KeyGroup::Editing, "Esc", "Leave the text"},
    {KeyGroup::Editing, "Arrows, Home, End", "Move the caret; Ctrl moves it further"},
    {KeyGroup::Editing, "Page up, Page down", "Move the caret by a page"},
    {KeyGroup::Editing, "Shift with these", "Select"},
    {KeyGroup::Editing, "Tab, Shift+Tab", "Indent or unindent; in an exercise, the next or previous blank"},
    {KeyGroup::Editing, "Backspace, Delete", "Erase"},
    {KeyGroup::Charts, "Ctrl+wheel, + and \u2212", "Zoom"},
    {KeyGroup::Charts, "Drag, arrows", "Move the zoomed picture"},
    {KeyGroup::Charts, "Double click, Home", "Show everything again"},
    {KeyGroup::Charts, "Right click, Enter", "Choose series, save or copy"},
    {KeyGroup::History, "Enter", "Show it"},
    {KeyGroup::FileDialog, "\u2191 \u2193", "Choose a file while you type"},
    {KeyGroup::FileDialog, "Backspace", "The folder above"},
    {KeyGroup::Window, "Tab, Shift+Tab", "Next or previous control"},
    {KeyGroup::Window, "\u2190 \u2192 \u2191 \u2193", "To the next control in that direction"},
    {KeyGroup::Window, "Space or Enter", "Press it"},
    {KeyGroup::Window, "Esc", "Close what is open"},
    {KeyGroup::Window, "Page up, Page down", "Scroll, or step through a presented lesson"},
};

}  // namespace

std::string_view title_of(KeyGroup group) {
    constexpr std::string_view kTitles[kKeyGroups] = {"Experiment",
                                                      "Panels",
                                                      "Files",
                                                      "Editing",
                                                      "Searching",
                                                      "In the file dialog",
                                                      "Values of X-ray, step by step",
                                                      "Charts",
                                                      "On a run in the history",
                                                      "Window"};
    return kTitles[static_cast<std::size_t>(group)];
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
    return to_string(entry_of(action).chords().front());
}

bool pressed(Action action, bool repeats) {
    const auto chords = entry_of(action).chords();
    return std::any_of(chords.begin(), chords.end(),
                       [&](const Chord& chord) { return pressed(chord, repeats); });
}

}  // namespace kwb::gui
