// The terminal table of a run.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"
#include "report/table_options.hpp"

namespace kwb {

/// One line a result: kernel with its parameters, build time, first run, median with its 95 % interval and a
/// bar, GFLOP/s, GB/s, speed-up with interval, verdict. What was not measured is "-".
/// Where the width does not suffice, first the words beside the speed-up go, then columns in this order:
/// bars, GB/s, build, first run, GFLOP/s, the median's interval; then the kernel's name is cut to 16 columns;
/// then speed-up and median go, then the name is cut further; the verdict never. Below: what the shown
/// numbers mean, a paragraph for each result that is not correct, hints, warnings, output. Labels say the
/// size or the device only where several occur.
std::string results_table(const std::vector<KernelResult>& results, const TableOptions& options = {});

}  // namespace kwb
