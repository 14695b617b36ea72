// Results of a run that did not come to its end.
#pragma once

#include <string>
#include <vector>

#include "model/request.hpp"

namespace kwb {

/// Give each result that has no verdict yet the verdict `skipped`, and drop its times.
/// @param results  one for each contestant of `request`
/// @param reason   a sentence for the person
void skip_unjudged(std::vector<KernelResult>& results, const RunRequest& request, const std::string& reason);

/// The results of a request that is not run: all skipped.
std::vector<KernelResult> skipped_results(const RunRequest& request, const std::string& reason);

}  // namespace kwb
