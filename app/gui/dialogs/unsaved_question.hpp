// "There are edits that are in no file": asked before the window closes.
#pragma once

#include <vector>

#include "gui/dialogs/question_dialog.hpp"

namespace kwb::gui {

/// Save all, close without saving, or cancel. Where saving fails the window stays, with the reason.
class UnsavedQuestion {
public:
    /// For Program::may_close().
    /// @return  true if there is nothing to lose; else the question is asked from the next draw() on
    bool may_close(const DeskState& state);

    /// The person answered, and nothing more stands in the way: end the window.
    bool wants_to_close() const { return wants_to_close_; }

    bool is_open() const { return dialog_.is_open(); }
    void draw(const DeskState& state, Commands& commands);

private:
    void ask(const DeskState& state, bool after_saving);

    QuestionDialog dialog_;
    bool saving_ = false;  ///< the documents were told to be saved: the next state says what came of it
    bool wants_to_close_ = false;
};

}  // namespace kwb::gui
