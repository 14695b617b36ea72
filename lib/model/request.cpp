#include "model/request.hpp"

namespace kwb {

KernelResult unmeasured_result(const RunRequest& request, const Contestant& contestant) {
    KernelResult result;
    result.kernel = contestant.name();
    result.problem = request.problem;
    result.size = request.sizes;
    result.device = contestant.kernel ? request.device : kHostDevice;
    if (!contestant.kernel) return result;
    const KernelPlan& plan = *contestant.kernel;
    result.file = plan.file;
    result.source_sha256 = plan.source_sha256;
    result.params = plan.params;
    result.expected = plan.expected;
    for (const LaunchPlan& launch : plan.launches)
        result.launches.push_back({launch.kernel, launch.global,
                                   launch.local.value_or(std::vector<std::uint64_t>{}), std::nullopt});
    return result;
}

}  // namespace kwb
