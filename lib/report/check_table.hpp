// The terminal table of a check: does a kernel keep its promise at awkward sizes?
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"
#include "report/table_options.hpp"

namespace kwb {

/// One line a kernel and size: verdict, worst error as share of the bound, first wrong element (or the first
/// line of the reason), always in full: where the width does not suffice the error goes, then the first wrong
/// element stands below its line. Below: a summary line a kernel, and one paragraph for each way in which a
/// kernel fails, told at the first size that shows it; hints, warnings, output.
std::string check_table(const std::vector<KernelResult>& results, const TableOptions& options = {});

}  // namespace kwb
