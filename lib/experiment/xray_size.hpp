// SPDX-License-Identifier: Apache-2.0
// Chooses the small size at which X-ray observes a kernel, in addition to the size of the run.
#pragma once

#include <optional>

#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "problems/problem.hpp"

namespace kwb {

/// The smallest awkward size at which the kernel has several work-groups in each dimension, and extents that
/// its tiles do not divide; if its requirements allow none, one of several work-groups.
/// @param plan     of the kernel at the size of the run
/// @param choices  only parameters that the kernel has
/// @return  nullopt: no such size, or the problem's contents come from files
std::optional<XraySize> choose_xray_size(const KernelFile& kernel, const KernelPlan& plan,
                                         const Problem& problem, const DeviceInfo& device,
                                         const KernelChoices& choices);

}  // namespace kwb
