// SPDX-License-Identifier: Apache-2.0
// What the devices of a command can do at most, measured with small kernels.
#pragma once

#include <string>
#include <vector>

#include "conversation.hpp"
#include "report/charts.hpp"
#include "task/jobs.hpp"

namespace kwb::cli {

/// Measures the limits of each place's device, for bound_rates().
void measure_bounds(Conversation& conversation, std::vector<Jobs::Place>& places, const std::string& problem);

/// The ceilings of each place's device. Those of this machine are kept for later commands, and for the
/// window. Measuring takes some ten seconds for each device.
/// @return  for each place; empty ones where they could not be measured
std::vector<RooflineCeilings> find_ceilings(Conversation& conversation,
                                            const std::vector<Jobs::Place>& places);

}  // namespace kwb::cli
