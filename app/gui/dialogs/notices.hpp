// Things that a person should know and that have no better place: cards over the window's lower right corner.
#pragma once

#include "desk/command.hpp"
#include "desk/state.hpp"

namespace kwb::gui {

/// Draws above the status bar, the newest card at the bottom; takes no keyboard. As many as fit into half the
/// window's height, then how many more there are. The × of a card dismisses it; Escape the newest one, but
/// only while nothing runs (then it stops the run), no dialog is open and no text is being typed.
/// While a dialog is open the cards wait.
/// Probes: notice/<number>, notice/<number>/sentence, notice/<number>/dismiss, notice/more, notice/all.
class Notices {
public:
    void draw(const DeskState& state, Commands& commands);
};

}  // namespace kwb::gui
