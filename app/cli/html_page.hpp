// The page that --report writes.
#pragma once

#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/result.hpp"
#include "session/experiment.hpp"

namespace kwb::cli {

/// @param sizes    that were asked for; several are a sweep
/// @param results  of all sizes, one after the other, the contestants of each in their order; may end early
/// @param error    why the last ones are missing; may be empty
std::string html_page(const Experiment& experiment, const Problem& problem, const std::vector<Sizes>& sizes,
                      const DeviceInfo& device, const Environment& environment,
                      const std::vector<KernelResult>& results, const std::string& error);

}  // namespace kwb::cli
