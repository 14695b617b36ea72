// The HTML page that --report writes.
#pragma once

#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/result.hpp"
#include "session/experiment.hpp"

namespace kwb::cli {

/// @param sizes    the requested sizes; several make a sweep
/// @param results  of all sizes in a row, for each size in the order of the contestants; may be incomplete
/// @param error    why the last results are missing; may be empty
std::string html_page(const Experiment& experiment, const Problem& problem, const std::vector<Sizes>& sizes,
                      const DeviceInfo& device, const Environment& environment,
                      const std::vector<KernelResult>& results, const std::string& error);

}  // namespace kwb::cli
