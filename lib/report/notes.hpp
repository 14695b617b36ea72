// What stands below a table: what went wrong, hints, warnings and what the programs printed.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"
#include "report/table_options.hpp"

namespace kwb {

/// A paragraph for every result that is not correct, or correct against what its file expects: verdict,
/// reason, the work-item that did it, first wrong elements, the compiler's messages, else the last lines of
/// its log. A kernel that fails in one way at many sizes is told once, at the first of them.
/// @return  empty if there is nothing to tell
std::string fault_notes(const std::vector<KernelResult>& results, const TableOptions& options);

/// Hints, each sentence once with all files and lines that it points at; warnings, each once with all kernels
/// that it is about; how results were checked that were not compared in full; then the first lines of what
/// the programs printed, and how much of it was not kept.
/// @return  empty if there are none
std::string remarks(const std::vector<KernelResult>& results, const TableOptions& options);

}  // namespace kwb
