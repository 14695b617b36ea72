// Functions that a source calls and nobody defines.
#pragma once

#include <string_view>
#include <vector>

#include "model/plan.hpp"
#include "model/result.hpp"

namespace kwb {

/// One error for each function that the driver's linker did not find, at the source's first call of it, in
/// order of lines. Calls that the source does not show (the compiler made them) are passed over; if there are
/// only such, the first of them is given with line and column 0.
/// @param log  untrusted text of the driver
/// @return  at most 20; empty for a log of other errors
std::vector<Diagnostic> find_missing_functions(std::string_view log, const KernelPlan& plan);

}  // namespace kwb
