// SPDX-License-Identifier: Apache-2.0
// Charts of every kind, with data like that of the workbench.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plot/chart.hpp"

namespace kwb::plot::test {

struct SampleChart {
    std::string name;
    Chart chart;
};

/// Typical kernel names, short and long.
std::vector<std::string> kernel_names(std::size_t count);

/// One bar and series per kernel, with intervals and samples; the last kernel is "wrong".
Chart time_bars(std::size_t kernels, std::size_t samples_each);

/// Lines with bands and gaps, log2 against linear axes.
Chart sweep_lines(std::size_t kernels);

/// The same, with an earlier run of each kernel that was a bit slower.
Chart with_ghosts(Chart chart);

Chart roofline();

/// @param side  number of rows and columns; includes inf, nan and values beyond the bound
Chart error_map(std::size_t side);

/// All kinds.
std::vector<SampleChart> sample_charts();

}  // namespace kwb::plot::test
