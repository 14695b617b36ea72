// The results of a run as a table, one line a contestant.
#pragma once

#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/widgets.hpp"
#include "model/result.hpp"

namespace kwb::gui {

/// Columns: kernel with its colour, median with its 95 % interval, GFLOP/s, GB/s, speed-up, the time of the
/// same contestant in the run compared with, first run, build, verdict. Where the width does not suffice
/// columns go in this order: build, first run, GB/s, the median's interval, GFLOP/s, earlier time; then
/// kernels' names are cut. A click on a line selects the contestant.
/// @param state  `shown` is not null
/// Probes: results/head/<column>, results/row/<index>, results/cell/<index>/<column>.
void draw_results_table(const DeskState& state, Commands& commands);

/// What the table needs to be shown whole, in pixels.
float results_table_height(std::size_t lines);

struct VerdictLook {
    std::string words;  ///< "correct", "out of bounds", "wrong, as expected"
    Tone tone = Tone::Muted;
    const char* icon = nullptr;
};

/// Muted: not judged yet. Success: as expected, which includes a fault that the kernel's file announces.
/// Warning: not attempted (skipped, does not fit). Danger: the rest.
VerdictLook look_of(const KernelResult& result);

/// With a capital first letter, for headings.
std::string capitalised(std::string words);

}  // namespace kwb::gui
