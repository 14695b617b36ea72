// The terminal table of a sweep over sizes.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"
#include "report/table_options.hpp"

namespace kwb {

/// Rows are sizes, columns kernels (in the order of their first result); a cell holds GFLOP/s and the median
/// time, or the verdict where it is not `correct`. Kernels that do not fit side by side follow below, in a
/// table of their own. Then the paragraphs of what went wrong, hints, warnings, output.
std::string sweep_table(const std::vector<KernelResult>& results, const TableOptions& options = {});

}  // namespace kwb
