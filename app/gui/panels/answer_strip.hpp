// SPDX-License-Identifier: Apache-2.0
// The answer of the run in one line, above all panels: which kernel is faster, or what is wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/hovered.hpp"

namespace kwb::gui {

/// Height in pixels.
float answer_strip_height();

/// Draws the headline and its basis over the whole width of the window, and at the right the verdicts of its
/// two kernels. During a run: the run's step. Before the first run: what to do. If nothing can run: the
/// reason.
/// @param refusal  why a typed value cannot be used; null: all are valid
void draw_answer_strip(const DeskState& state, const std::string* refusal, Hovered& hovered,
                       Commands& commands);

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
