// SPDX-License-Identifier: Apache-2.0
// The map of a sweep: contestants, such as work-group sizes, by sizes of the problem.
#pragma once

#include <string>

#include "plot/canvas.hpp"
#include "report/charts.hpp"

namespace kwb {

/// A row for each contestant and a column for each size, in ascending order. A cell shows the rate, or the
/// time where the problem has no rate; the darker it is, the nearer to the best of its column, which has a
/// frame.
/// @param area  at least sweep_map_least()
void draw_sweep_map(plot::Canvas& canvas, const plot::Rect& area, const ChartedSweep& sweep,
                    const plot::Theme& theme);

/// The size below which texts overlap.
plot::Size sweep_map_least(const plot::Canvas& canvas, const ChartedSweep& sweep);

std::string sweep_map_svg(const ChartedSweep& sweep, const plot::Theme& theme);

}  // namespace kwb
