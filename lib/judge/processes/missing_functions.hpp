// Finds functions that a source calls but nothing defines.
#pragma once

#include <string_view>
#include <vector>

#include "model/plan.hpp"
#include "model/result.hpp"

namespace kwb {

/// Returns one error for each function that the driver's linker did not find, at its first call in the
/// source, sorted by line. Functions whose call is not in the source (the compiler generated it) are skipped;
/// if there are no others, the first one is reported with line and column 0.
/// @param log  untrusted output of the driver
/// @return  at most 20; empty if the log has only other errors
std::vector<Diagnostic> find_missing_functions(std::string_view log, const KernelPlan& plan);

}  // namespace kwb
