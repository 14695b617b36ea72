// SPDX-License-Identifier: Apache-2.0
// The charts of a tuning: its course, and the times of each parameter value.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "desk/shown_tuning.hpp"
#include "plot/chart.hpp"

namespace kwb::gui {

/// Of each configuration, in the order of trial: its time; a line is the best so far. Those without a time
/// lie at the lower edge. The series with index i is trial i, then follows the line.
plot::Chart tuning_course_chart(const ShownTuning& tuning);

/// One row for each value of each parameter that has several: the times of all configurations with this
/// value, as a box with its samples.
plot::Chart tuning_values_chart(const ShownTuning& tuning);

/// The indices of a parameter's values: numbers ascending, others in the order of the file.
std::vector<std::size_t> ascending(const std::vector<ParamValue>& values);

/// The median of its last run, with its interval. @param trial  with a time
std::string measured_words(const Trial& trial);

/// The time of a trial that has a cost, from its ratio to the best and the time that was last measured for
/// the best. Times measured in different runs differ by drift.
double comparable_ms(const ShownTuning& tuning, const Trial& trial);

/// The values of a configuration, its time or verdict, and the reason.
std::vector<std::string> trial_lines(const ShownTuning& tuning, std::size_t trial);

}  // namespace kwb::gui
