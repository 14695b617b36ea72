// Messages that have no better place: cards in the window's lower right corner.
#pragma once

#include "desk/command.hpp"
#include "desk/state.hpp"

namespace kwb::gui {

/// Draws above the status bar, the newest card at the bottom; takes no keyboard focus. Shows as many cards as
/// fit into half the window's height, and the number of the others. The × of a card dismisses it. Escape
/// dismisses the newest, but only if no run is active (Escape then stops the run), no dialog is open and no
/// text is being edited. Cards are hidden while a dialog is open.
class Notices {
public:
    void draw(const DeskState& state, Commands& commands);
};

}  // namespace kwb::gui
