// SPDX-License-Identifier: Apache-2.0
// X-ray of a contestant of a run: at which sizes, the request, and its answer combined with the problem's
// declarations.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/problem.hpp"
#include "model/request.hpp"
#include "model/xray.hpp"
#include "problems/problem.hpp"
#include "report/xray_report.hpp"

namespace kwb {

/// @param plan  of a contestant of `run`
XrayRequest make_xray_request(const RunRequest& run, const KernelPlan& plan, const XrayOptions& options);

/// @param contestant  of `run`, with a kernel
/// @return  with the problem's cost at the sizes of `run`, unless the kernel has its own
ObservedKernel observed_kernel(std::string label, const RunRequest& run, const Contestant& contestant,
                               XrayReport report);

/// The smallest awkward size at which the kernel has several work-groups in each dimension, and extents that
/// its tiles do not divide; if its requirements allow none, one of several work-groups.
/// @param plan     of the kernel at the size of the run
/// @param choices  only parameters that the kernel has
/// @return  nullopt: no such size, or the problem's contents come from files
std::optional<XraySize> choose_xray_size(const KernelFile& kernel, const KernelPlan& plan,
                                         const Problem& problem, const DeviceInfo& device,
                                         const KernelChoices& choices);

/// Observes a kernel at other sizes. @return  nullopt: it cannot run at this size, or was not observed there
using ObserveAt = std::function<std::optional<XrayReport>(const Sizes&)>;

/// If X-ray saw a signed overflow, look for the smallest size at which it sees that as well, and add it to
/// the finding (texts first_size and clean_size; see FindingCode::SignedOverflow). Takes a dozen
/// observations: it bisects, so it assumes that an index that overflows at one size overflows at all larger
/// ones. Covers only the first overflow, since the others tend to follow from it.
/// @param report  at `sizes`. All extents shrink in proportion.
void find_overflow_size(XrayReport& report, const Sizes& sizes, const ObserveAt& observe_at);

}  // namespace kwb
