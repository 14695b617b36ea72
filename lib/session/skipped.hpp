// Results of a run that did not come to its end.
#pragma once

#include <string>
#include <vector>

#include "model/request.hpp"

namespace kwb {

/// `results` with one of verdict `skipped` for each contestant of `request` that has none yet.
/// @param results  of the first contestants, in their order
/// @param reason   a sentence for the person
std::vector<KernelResult> fill_with_skipped(std::vector<KernelResult> results, const RunRequest& request,
                                            const std::string& reason);

}  // namespace kwb
