// Run, Stop, how far it is, sweep and live.
#pragma once

#include "gui/panels/choices_edit.hpp"

namespace kwb::gui {

/// Probes: experiment/run or experiment/stop, experiment/obstacle, experiment/progress, experiment/sweep,
/// experiment/live.
void draw_run_bar(ChoicesEdit& edit);

/// "time \u00b7 tiled \u00b7 12 rounds \u00b7 3.21 ms": where the run is; also for the status bar.
std::string progress_words(const DeskState& state);

/// Edges of a sweep for what is chosen: powers of two up to the largest extent, at least up to 512.
std::vector<std::int64_t> sweep_edges(const Choices& choices);

}  // namespace kwb::gui
