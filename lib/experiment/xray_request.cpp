// SPDX-License-Identifier: Apache-2.0
#include "experiment/xray_request.hpp"

#include <utility>

#include "problems/problem.hpp"

namespace kwb {

XrayRequest make_xray_request(const RunRequest& run, const KernelPlan& plan, const XrayOptions& options) {
    XrayRequest request;
    request.device = device_of(run, plan);
    request.problem = run.problem;
    request.sizes = run.sizes;
    request.declared = run.declared;
    request.kernel = plan;
    request.options = options;
    return request;
}

ObservedKernel observed_kernel(std::string label, const RunRequest& run, const Contestant& contestant,
                               XrayReport report) {
    const KernelPlan& plan = *contestant.kernel;
    const Cost cost =
        run.declared ? run.declared->instance.cost : get_problem(run.problem).at(run.sizes).cost;
    ObservedKernel kernel;
    kernel.label = std::move(label);
    kernel.file = plan.file;
    kernel.size = run.sizes;
    const double flops = plan.flops.value_or(cost.flops);
    const double bytes = plan.bytes.value_or(cost.bytes);
    if (flops > 0) kernel.flops = flops;
    if (bytes > 0) kernel.compulsory_bytes = bytes;
    kernel.is_multiply_adds = cost.is_multiply_adds;
    kernel.report = std::move(report);
    return kernel;
}

}  // namespace kwb
