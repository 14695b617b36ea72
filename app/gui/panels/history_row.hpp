// A line of the history.
#pragma once

#include <chrono>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/panels/history_menu.hpp"

namespace kwb::gui {

/// In pixels; the same for all.
float history_row_height();

/// As wide as the room. A click shows the run; the mouse on it, or the keyboard, brings its buttons.
/// Probes: history/row/<run's id> with …/compare (where there is room), …/more.
void draw_history_row(const DeskState& state, const RunSummary& run,
                      std::chrono::system_clock::time_point now, HistoryMenu& menu, Commands& commands);

}  // namespace kwb::gui
