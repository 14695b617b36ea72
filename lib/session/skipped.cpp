#include "session/skipped.hpp"

namespace kwb {
namespace {

KernelResult skip(const RunRequest& request, const Contestant& contestant, const std::string& reason) {
    KernelResult result;
    result.kernel = contestant.name();
    result.problem = request.problem;
    result.size = request.sizes;
    result.device = contestant.kernel ? request.device : "host";
    result.verdict = Verdict::Skipped;
    result.reason = reason;
    if (!contestant.kernel) return result;
    const KernelPlan& plan = *contestant.kernel;
    result.file = plan.file;
    result.source_sha256 = plan.source_sha256;
    result.params = plan.params;
    for (const LaunchPlan& launch : plan.launches)
        result.launches.push_back({launch.kernel, launch.global,
                                   launch.local.value_or(std::vector<std::uint64_t>{}), std::nullopt});
    result.expected = plan.expected;
    return result;
}

}  // namespace

std::vector<KernelResult> fill_with_skipped(std::vector<KernelResult> results, const RunRequest& request,
                                            const std::string& reason) {
    for (std::size_t i = results.size(); i < request.contestants.size(); ++i)
        results.push_back(skip(request, request.contestants[i], reason));
    return results;
}

}  // namespace kwb
