// A line of the history, and how a past run is put into words.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/panels/history_menu.hpp"
#include "history/past_run.hpp"

namespace kwb::gui {

/// In pixels; the same for all.
float history_row_height();

/// As wide as the room. A click shows the run; the mouse on it, or the keyboard, brings its buttons.
/// Probes: history/row/<run's id> with …/compare (where there is room), …/more.
void draw_history_row(const DeskState& state, const RunSummary& run,
                      std::chrono::system_clock::time_point now, HistoryMenu& menu, Commands& commands);

/// "14:32" if `when` is of the same local day as `now`, "19 Nov" of the same year, else "19 Nov 2024".
std::string short_time(std::chrono::system_clock::time_point when, std::chrono::system_clock::time_point now);

/// "19 November 2026, 14:32"
std::string long_time(std::chrono::system_clock::time_point when);

/// "matmul/tiled" and "/home/me/my_tiled.cl": "tiled", "my_tiled".
std::string short_kernel_name(std::string_view kernel);

/// "512", of a sweep "16 to 512".
std::string sizes_of(const RunSummary& run);

/// "421 µs", the best of the correct kernels, or "no time"; of a sweep "6 sizes".
std::string outcome_of(const RunSummary& run);
bool has_time(const RunSummary& run);

/// Everything about a run, one fact a line, for its tooltip.
std::string details_of(const RunSummary& run);

/// The proposed name of a file: "matmul-512-2026-11-19", "matmul-sweep-16-to-512-2026-11-19".
std::string export_name(const RunSummary& run);

}  // namespace kwb::gui
