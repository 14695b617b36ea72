// SPDX-License-Identifier: Apache-2.0
// The X-ray request for a contestant of a run, and its answer combined with the problem's declarations.
#pragma once

#include <string>

#include "model/request.hpp"
#include "report/xray_report.hpp"

namespace kwb {

/// @param plan  of a contestant of `run`
XrayRequest make_xray_request(const RunRequest& run, const KernelPlan& plan, const XrayOptions& options);

/// @param contestant  of `run`, with a kernel
/// @return  with the problem's cost at the sizes of `run`, unless the kernel has its own
ObservedKernel observed_kernel(std::string label, const RunRequest& run, const Contestant& contestant,
                               XrayReport report);

}  // namespace kwb
