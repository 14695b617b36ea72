// SPDX-License-Identifier: Apache-2.0
// The shortest possible time of a kernel on a GPU, from X-ray's counts.
#pragma once

#include <optional>

#include "model/gpu_profile.hpp"
#include "model/machine_code.hpp"
#include "model/xray.hpp"

namespace kwb {

/// The problem's demands, regardless of the kernel.
struct ProblemCost {
    std::optional<double> flops = {};
    std::optional<double> bytes = {};  ///< that must be moved at least
};

/// The idea is that of the roofline (S. Williams et al., 2009), with a roof for each part of a compute unit.
/// Accesses are those of the source, except where the GPU's compiler has merged or removed them: see
/// `compiled`. Without it, accesses of up to 16 bytes are taken for one where a compiler may merge them.
/// Local memory is read at a vector's rate where a work-item reads neighbours one after the other.
/// @param report    of sub-groups as large as the GPU's, and of every launch
/// @param compiled  for the GPU's target; null: none
LowerBound lower_bound_of(const GpuProfile& gpu, const XrayReport& report, const TargetReport* compiled,
                          const ProblemCost& cost);

}  // namespace kwb
