// SPDX-License-Identifier: Apache-2.0
// The data of a chart, as a table for a spreadsheet.
#pragma once

#include <string>

#include "plot/chart.hpp"
#include "plot/layout.hpp"

namespace kwb::plot {

/// The numbers of the shown series, whatever the zoom: a line of heads with units, then the values, separated
/// by tabs. Bars and points give a line each, with their intervals; lines are columns over their common x; a
/// map of errors is a grid. Missing numbers are empty cells, numbers have all their digits. Reference lines
/// and samples are left out.
/// @return  empty if nothing is shown
std::string to_table(const Chart& chart, const ChartView& view = {});

}  // namespace kwb::plot
