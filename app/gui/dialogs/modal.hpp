// A modal popup, and a question that has to be answered before anything else.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

/// A modal popup in the middle of the window: `Modal modal("files", size); if (modal.visible) …`.
/// It is open as long as one is made in each frame, from the same place of the program.
class Modal {
public:
    /// @param size  pixels, cut to the window's; height 0: as high as what is in it
    Modal(const char* id, ImVec2 size);
    Modal(const Modal&) = delete;
    Modal& operator=(const Modal&) = delete;
    ~Modal();

    /// The last frame in which it is drawn.
    static void close() { ImGui::CloseCurrentPopup(); }

    const bool visible;
};

/// Is any dialog in front of the window? Then keys of the window are not for it.
bool modal_is_open();

/// One of the buttons below a question.
struct Reply {
    std::string name;   ///< of the probe: "question/<name>"
    std::string label;  ///< a verb: "Forget the run"
    const char* icon = nullptr;
    ButtonKind kind = ButtonKind::Normal;
    std::function<void(Commands&)> act = {};  ///< may be empty
};

struct Question {
    std::string title;
    std::string sentence;
    std::vector<std::string> items;  ///< what it is about, one a line; scrolls where there are many
    std::vector<Reply> replies;      ///< from the left; the first one has the keyboard and answers to Enter
    const char* icon = kIconQuestion;
};

/// A question with a button that does it and "Cancel"; Cancel has the keyboard.
Question confirm(std::string title, std::string sentence, std::string verb, const char* icon,
                 std::function<void(Commands&)> act);

/// Modal. Escape closes it, and nothing happens.
/// Probes: question/title, question/sentence, question/item/<index>, question/<reply's name>.
class QuestionDialog {
public:
    /// Takes effect with the next draw(). A question that is still open is replaced.
    void ask(Question question) { question_ = std::move(question); }
    void withdraw() { question_.reset(); }
    bool is_open() const { return question_.has_value(); }

    /// From the same place of the program in each frame, for ImGui's sake; also while nothing is asked.
    void draw(Commands& commands);
    void draw(const DeskState&, Commands& commands) { draw(commands); }

private:
    std::optional<Question> question_;
};

}  // namespace kwb::gui
