// SPDX-License-Identifier: Apache-2.0
// Whether a wrong result is the fault of the driver's compiler instead of the source's.
#pragma once

#include "judge/contestant_state.hpp"
#include "judge/verify/verification.hpp"

namespace kwb {

/// OpenCL API specification, "Optimization Options".
inline constexpr const char* kUnoptimised = "-cl-opt-disable";

/// True if it is wrong only because of the values of its outputs.
bool is_wrong_in_elements(const KernelResult& result);

/// Whether a run without optimisations can show something about a contestant: its source is right as X-ray
/// runs it, and what is wrong on the device is more than rounding, which the language leaves to the compiler.
bool may_try_unoptimised(const ContestantState& contestant);

/// Runs it without optimisations. If that is right, its reason names the compiler as the suspect; the
/// verdict stays.
/// @param data  of the real pass; the contestant's bench has its inputs
void try_unoptimised(ContestantState& contestant, const Verification& verification, const PassData& data);

}  // namespace kwb
