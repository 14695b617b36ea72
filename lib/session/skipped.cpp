#include "session/skipped.hpp"

namespace kwb {
namespace {

KernelResult skipped_result(const RunRequest& request, const Contestant& contestant,
                            const std::string& reason) {
    KernelResult result = unmeasured_result(request, contestant);
    result.reason = reason;
    return result;
}

}  // namespace

void skip_unjudged(std::vector<KernelResult>& results, const RunRequest& request, const std::string& reason) {
    for (std::size_t i = 0; i < results.size(); ++i)
        if (!results[i].judged) results[i] = skipped_result(request, request.contestants[i], reason);
}

std::vector<KernelResult> skipped_results(const RunRequest& request, const std::string& reason) {
    std::vector<KernelResult> results;
    for (const Contestant& contestant : request.contestants)
        results.push_back(skipped_result(request, contestant, reason));
    return results;
}

}  // namespace kwb
