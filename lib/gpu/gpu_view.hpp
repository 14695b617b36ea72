// SPDX-License-Identifier: Apache-2.0
// A kernel on a GPU that the machine need not have: occupancy and the shortest possible time, from its
// compiler's report and X-ray's.
#pragma once

#include "gpu/lower_bound.hpp"
#include "model/gpu_profile.hpp"
#include "model/machine_code.hpp"
#include "model/xray.hpp"

namespace kwb {

/// @param report    at_least is left out unless it has whole groups of every launch, and its sub-groups are
/// as
///                  large as the GPU's
/// @param compiled  for the GPU's target; null: registers are unknown
GpuView view_on(const GpuProfile& gpu, const XrayReport& report, const TargetReport* compiled,
                const ProblemCost& cost);

}  // namespace kwb
