// SPDX-License-Identifier: Apache-2.0
// The results of a run: as a table with one line per contestant, and as the answer above all panels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/widgets.hpp"
#include "model/result.hpp"

namespace kwb::gui {

/// The lines are in the order of the contestants until a click on a head sorts them by its column; another
/// click reverses them, a third restores the order. A right click on a line offers to copy all columns as a
/// table.
///
/// Columns: kernel with its colour, median with its 95 % interval, GFLOP/s, GB/s, speed-up, the time of the
/// same contestant in the compared run, first run, build, verdict. If the width is insufficient, columns are
/// omitted in this order: build, first run, GB/s, the median's interval, GFLOP/s, earlier time, speed-up;
/// then kernel names are cut. A click on a line selects the contestant.
///
/// @param state  `shown` must not be null
void draw_results_table(const DeskState& state, Hovered& hovered, Commands& commands);

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

/// What is known of the kernel of a result at all sizes; nullptr: nothing.
/// @param index  of the result in DeskState::shown
const ShownCheck* check_of(const DeskState& state, std::size_t index);
/// "correct at 21 sizes", "wrong at 4 of 21 sizes"; nullopt: it is not finished, and without a fault so far.
std::optional<VerdictLook> look_of(const ShownCheck& check);
/// "Checked at the sizes 1, 16, 17".
std::string checked_sizes(const ShownCheck& check);
/// Of a result that is correct, what its kernel is at all sizes, if that is known.
/// @param names_size  otherwise, at which size it is: "correct at 64"
VerdictLook look_of(const DeskState& state, std::size_t index, bool names_size = false);

class RunReasons;

// answer_strip.cpp: the answer of the run in one line: which kernel is faster, or what is wrong.

/// Draws the headline and its basis over the whole width of the window, and at the right the verdicts of its
/// two kernels. During a run: the run's step. Before the first run: what to do. If nothing can run: the
/// reason.
/// @param refusal  why a typed value cannot be used; null: all are valid
/// @param reasons  of the shown run; below the headline, with buttons for their evidence
void draw_answer_strip(const DeskState& state, const std::string* refusal, RunReasons& reasons,
                       Hovered& hovered, Commands& commands);

/// More time, and a run with it.
struct MoreTime {
    std::string label;    ///< "Raise the time limit to 120 s"
    std::string tooltip;  ///< what it does
    std::vector<Command> commands;
};

/// For a kernel that exceeded the time limit.
/// @return  nothing if the result is of an earlier session, something runs, or the limit is the longest
std::optional<MoreTime> longer_limit(const DeskState& state);

/// For kernels that were timed too briefly to decide; nothing as above.
std::optional<MoreTime> longer_budget(const DeskState& state);

}  // namespace kwb::gui
