// The output of kernels, below a table: its beginning, and how much more there is.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"
#include "report/tables.hpp"

namespace kwb {

/// The first lines of what the kernels printed: at most 20 lines and 2 KiB in total, so that neither many
/// lines nor one huge line flood a terminal. Then how much is not shown, where to find it, and how much of
/// each kernel's output the judge discarded. Output that a kernel repeats at several sizes is shown once.
/// @return  empty if nothing was printed
std::string printed_output(const std::vector<KernelResult>& results, const TableOptions& options);

}  // namespace kwb
