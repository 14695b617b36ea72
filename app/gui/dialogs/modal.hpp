// SPDX-License-Identifier: Apache-2.0
// A modal popup, a modal question dialog, the list of shortcuts, and notices.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

/// A modal popup in the centre of the window: `Modal modal("files", size); if (modal.visible) …`.
/// It stays open as long as one is constructed in each frame with the same ImGui id stack;
/// ImGui::CloseCurrentPopup() closes it after this frame.
class Modal : Scope {
public:
    /// @param size  in pixels, limited to the window's size; height 0: as high as the content
    Modal(const char* id, ImVec2 size);
    ~Modal() {
        if (visible) ImGui::EndPopup();
    }

    const bool visible;
};

/// Whether a dialog is open. The window's shortcuts are then disabled.
bool modal_is_open();

/// One of the buttons below a question.
struct Reply {
    std::string name;   ///< for the probe: "question/<name>"
    std::string label;  ///< a verb: "Forget the run"
    const char* icon = nullptr;
    ButtonKind kind = ButtonKind::Normal;
    std::function<void(Commands&)> act = {};  ///< may be empty
};

struct Question {
    std::string title;
    std::string sentence;
    std::vector<std::string> items;  ///< the items in question, one per line; scrolls if there are many
    std::vector<Reply> replies;      ///< from left to right; the first has focus, so Enter chooses it
    const char* icon = kIconQuestion;
};

/// A question with a button that performs the action, and "Cancel", which has keyboard focus.
Question confirm(std::string title, std::string sentence, std::string verb, const char* icon,
                 std::function<void(Commands&)> act);

/// Modal. Escape closes it without any action.
class QuestionDialog {
public:
    /// Takes effect in the next draw(). Replaces an open question.
    void ask(Question question) { question_ = std::move(question); }
    void withdraw() { question_.reset(); }
    bool is_open() const { return question_.has_value(); }

    /// Call in each frame with the same ImGui id stack, even when no question is open.
    void draw(Commands& commands);

private:
    std::optional<Question> question_;
};

// notices.cpp

/// Messages that have no better place, in the window's lower right corner: above the status bar, the newest
/// at the bottom; up to half the window's height, then they scroll. They take no keyboard focus. Escape
/// dismisses the newest, but only if no run is active (Escape then stops the run), no dialog is open and no
/// text is being edited. Hidden while a dialog is open.
void draw_notices(const DeskState& state, Commands& commands);

/// F1: the list of all shortcuts. Modal; closed by Escape, F1 or its button.
class KeysDialog {
public:
    /// Opens the dialog. It also opens itself when F1 is pressed and no other modal is open.
    void open() { is_open_ = true; }
    bool is_open() const { return is_open_; }

    void draw(const DeskState& state, Commands& commands);

private:
    bool is_open_ = false;
    float height_ = 0;  ///< height of the list in the last frame, in pixels
};

}  // namespace kwb::gui
