// What kernels printed, below a table: its beginning, and the truth about the rest.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"
#include "report/tables.hpp"

namespace kwb {

/// The first lines of what the programs printed: 20 lines and 2 KiB in all, so that neither many lines nor
/// one huge one flood a terminal. Then how much is not shown, where to find it, and of each kernel how much
/// nobody kept. Output that a kernel repeats at further sizes counts once.
/// @return  empty if nothing was printed
std::string printed_output(const std::vector<KernelResult>& results, const TableOptions& options);

}  // namespace kwb
