// Charts of every kind, with the data that the workbench shows.
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

/// Names of kernels as they are in a lesson: short and long ones.
std::vector<std::string> kernel_names(std::size_t count);

/// Bars of all kernels, each a series, with intervals and samples; the last is "wrong".
Chart time_bars(std::size_t kernels, std::size_t samples_each);

/// A line with a band and a gap, log2 against linear.
Chart sweep_lines(std::size_t kernels);

Chart roofline();

/// @param side  rows and columns; holds inf, nan and values beyond the bound
Chart error_map(std::size_t side);

/// All kinds.
std::vector<SampleChart> sample_charts();

}  // namespace kwb::plot::test
