#include "session/growing.hpp"

#include "base/error.hpp"
#include "stats/interval.hpp"

namespace kwb {

std::vector<KernelResult> growing_results(const RunRequest& request,
                                          const std::vector<std::vector<double>>& samples_ms,
                                          const std::vector<std::shared_ptr<const KernelResult>>& settled) {
    expects(settled.empty() || settled.size() == request.contestants.size(),
            "growing_results: a verdict or none for each contestant");
    expects(samples_ms.empty() || samples_ms.size() == request.contestants.size(),
            "growing_results: a list of samples for each contestant");
    std::vector<KernelResult> results;
    for (std::size_t i = 0; i < request.contestants.size(); ++i) {
        if (!settled.empty() && settled[i] != nullptr) {
            results.push_back(*settled[i]);
            continue;
        }
        KernelResult& result = results.emplace_back(unmeasured_result(request, request.contestants[i]));
        result.judged = false;
        result.reason = "The run is under way: the verdict comes with its end.";
        if (samples_ms.empty() || samples_ms[i].empty()) continue;
        result.samples_ms = samples_ms[i];
        result.median_ms = stats::median(result.samples_ms);
        result.ci95_ms = stats::median_interval(result.samples_ms);
    }
    return results;
}

}  // namespace kwb
