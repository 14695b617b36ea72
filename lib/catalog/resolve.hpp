// SPDX-License-Identifier: Apache-2.0
// Evaluates a kernel's declarations into a plan: what to build and launch, for given sizes and a given
// device.
#pragma once

#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Evaluate everything that `file` declares.
/// @param file     from Catalogue::open(); must have a launch (possibly added by a command-line option)
/// @param problem  at the chosen sizes; expressions refer to its sizes, buffers and scalars by name
/// @return  a plan; its `refusal` is set if a requirement does not hold or if the file's own work-group size
///          does not fit the device, and launches may then be missing
/// @throws BadInput with place and remedy: unknown parameter or value; a work-group size, chosen by the user,
///          that does not fit the kernel, the device or the problem size; an expression that cannot be
///          evaluated; an unknown buffer
KernelPlan resolve(const KernelFile& file, const ProblemInstance& problem, const DeviceInfo& device,
                   const KernelChoices& choices);

}  // namespace kwb
