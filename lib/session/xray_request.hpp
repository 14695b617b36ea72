// What X-ray is asked about a contestant of a run, and its answer with what the problem says.
#pragma once

#include "model/request.hpp"
#include "report/xray_report.hpp"

namespace kwb {

/// @param plan  of a contestant of `run`
XrayRequest make_xray_request(const RunRequest& run, const KernelPlan& plan, const XrayOptions& options);

/// @param contestant  of `run`, with a kernel
/// @param cost        of the problem at the sizes of `run`; the kernel's own takes precedence
ObservedKernel observed_kernel(const RunRequest& run, const Contestant& contestant, const Cost& cost,
                               XrayReport report);

}  // namespace kwb
