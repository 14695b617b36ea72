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

/// Draws the headline and what it rests on over the whole width of the window; at the right the verdicts of
/// the two kernels that it is about. While a run is in progress: its step. Before the first run: what to do.
/// Where nothing can run: why.
/// @param refusal  why a typed value cannot be used; null: all can
void draw_answer_strip(const DeskState& state, const std::string* refusal, Hovered& hovered,
                       Commands& commands);

/// More time, and a run with it.
struct MoreTime {
    std::string label;    ///< "Raise the time limit to 120 s"
    std::string tooltip;  ///< what it does
    std::vector<Command> commands;
};

/// Where a kernel did not finish in time.
/// @return  nothing if the result is of an earlier session, something runs, or the limit is the longest
std::optional<MoreTime> longer_limit(const DeskState& state);

/// Where kernels were timed too shortly to tell; nothing as above.
std::optional<MoreTime> longer_budget(const DeskState& state);

}  // namespace kwb::gui
