// SPDX-License-Identifier: Apache-2.0
// The work-group sizes that a kernel is offered with.
#pragma once

#include <string>
#include <vector>

#include "catalog/choose_params.hpp"
#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "problems/problem.hpp"

namespace kwb {

/// The kernel's default first ("auto" if it leaves the choice to the driver), then others that fit the
/// device, divide the NDRange and meet the kernel's requirements. If `local` is an expression over
/// parameters, these are the sizes that the listed parameter values produce. Otherwise they are powers of
/// two, either with an aspect ratio of at most eight or a single row, and "auto".
/// @param choices  chosen parameters; the chosen work-group size is ignored
/// @return  in the form that choose_local() parses; empty if nothing can be evaluated
/// Does not throw because of the kernel or the choices.
std::vector<std::string> offer_work_groups(const KernelFile& kernel, const ProblemInstance& problem,
                                           const DeviceInfo& device, const KernelChoices& choices);

}  // namespace kwb
