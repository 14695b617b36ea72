// F1: all keys of the window.
#pragma once

#include "desk/command.hpp"
#include "desk/state.hpp"

namespace kwb::gui {

/// Modal; Escape, F1 or its button close it.
/// Probes: keys/title, keys/group/<index>, keys/row/<index>/keys and …/words, keys/close.
class KeysDialog {
public:
    /// Also opens by itself when F1 is pressed and no other modal is open.
    void open() { is_open_ = true; }
    bool is_open() const { return is_open_; }

    void draw(const DeskState& state, Commands& commands);

private:
    bool is_open_ = false;
    float height_ = 0;  ///< that the list needs, pixels; of the last frame
};

}  // namespace kwb::gui
