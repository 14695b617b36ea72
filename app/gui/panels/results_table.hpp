// The results of a run as a table, one line per contestant.
#pragma once

#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/widgets.hpp"
#include "model/result.hpp"

namespace kwb::gui {

/// Columns: kernel with its colour, median with its 95 % interval, GFLOP/s, GB/s, speed-up, the time of the
/// same contestant in the compared run, first run, build, verdict. If the width is insufficient, columns are
/// omitted in this order: build, first run, GB/s, the median's interval, GFLOP/s, earlier time, speed-up;
/// then kernel names are cut. A click on a line selects the contestant.
/// @param state  `shown` must not be null
void draw_results_table(const DeskState& state, Commands& commands);

/// Height of the complete table in pixels.
float results_table_height(std::size_t lines);

/// "out of bounds" for out_of_bounds.
std::string verdict_words(Verdict verdict);

struct VerdictLook {
    std::string words;  ///< "correct", "out of bounds", "wrong, as expected"
    Tone tone = Tone::Muted;
    const char* icon = nullptr;
};

/// Muted: not checked yet. Success: as expected, including an error that the kernel's file announces.
/// Warning: not attempted (skipped, does not fit). Danger: everything else.
VerdictLook look_of(const KernelResult& result);

}  // namespace kwb::gui
