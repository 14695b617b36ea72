// SPDX-License-Identifier: Apache-2.0
// Finds the reasons why one kernel is faster than another, in what was measured, counted and computed of
// both. What is none of these is not said.
#pragma once

#include <vector>

#include "model/reason.hpp"
#include "model/result.hpp"

namespace kwb {

/// What X-ray counted differently (XrayOutcome::counts), the largest difference first. Counts are facts about
/// the sources; whether they cost time on a device is for an experiment to show.
/// @return  empty if one of them was not counted
std::vector<Reason> counted_reasons(const KernelResult& faster, const KernelResult& slower);

/// What costs one of them time and the other one less (KernelResult::effects), the largest cost in
/// milliseconds first.
/// @return  empty if no effect of either was seen, or nothing was measured
std::vector<Reason> measured_reasons(const KernelResult& faster, const KernelResult& slower);

/// How both differ on GPUs that the machine need not have (KernelResult::gpus). `is_for` is about those GPUs,
/// where the other kernel may be the faster one.
std::vector<Reason> computed_reasons(const KernelResult& faster, const KernelResult& slower);

/// All of them: measured, then counted, then computed.
std::vector<Reason> reasons_of(const KernelResult& faster, const KernelResult& slower);

}  // namespace kwb
