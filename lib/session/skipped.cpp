#include "session/skipped.hpp"

namespace kwb {

std::vector<KernelResult> fill_with_skipped(std::vector<KernelResult> results, const RunRequest& request,
                                            const std::string& reason) {
    for (std::size_t i = results.size(); i < request.contestants.size(); ++i) {
        results.push_back(unmeasured_result(request, request.contestants[i]));
        results.back().reason = reason;
    }
    return results;
}

}  // namespace kwb
