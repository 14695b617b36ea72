// SPDX-License-Identifier: Apache-2.0
// F1: the list of all shortcuts.
#pragma once

#include "desk/command.hpp"
#include "desk/state.hpp"

namespace kwb::gui {

/// Modal; closed by Escape, F1 or its button.
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
