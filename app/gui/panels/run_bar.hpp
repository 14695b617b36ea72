// Run, Stop, how far it is, sweep and live.
#pragma once

#include "gui/panels/choices_edit.hpp"

namespace kwb::gui {

/// Probes: experiment/run or experiment/stop, experiment/obstacle, experiment/progress,
/// experiment/live, experiment/sweep (…/from, …/to).
void draw_run_bar(ChoicesEdit& edit);

/// "Timing tiled, 12 rounds: 3.21 ms (3.18 – 3.26)": where the run is; empty if nothing is under way.
std::string progress_words(const DeskState& state);

}  // namespace kwb::gui
