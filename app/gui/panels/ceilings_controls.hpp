// What the device can do at best: measure it, and say it.
#pragma once

#include "desk/command.hpp"
#include "desk/state.hpp"

namespace kwb::gui {

/// Probes: times/ceilings/measure, times/ceilings/state, times/ceilings/error.
void draw_ceilings_controls(const DeskState& state, Commands& commands);

}  // namespace kwb::gui
