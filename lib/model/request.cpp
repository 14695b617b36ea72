// SPDX-License-Identifier: Apache-2.0
#include "model/request.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"

namespace kwb {

namespace {

/// "[expect] and flops": what a kernel's file states to its own advantage.
std::string claims_of(const KernelPlan& plan) {
    std::vector<std::string> claims;
    if (plan.expected) claims.push_back("[expect]");
    if (plan.flops) claims.push_back("flops");
    if (plan.bytes) claims.push_back("moves");
    return enumerate(claims);
}

}  // namespace

KernelResult unmeasured_result(const RunRequest& request, const Contestant& contestant) {
    KernelResult result;
    result.kernel = contestant.name();
    result.problem = request.problem;
    result.size = request.sizes;
    result.seed = request.seed;
    result.device = contestant.kernel ? device_of(request, *contestant.kernel) : kHostDevice;
    if (!contestant.kernel) return result;
    const KernelPlan& plan = *contestant.kernel;
    result.file = plan.file;
    result.source_sha256 = plan.source_sha256;
    result.params = plan.params;
    if (plan.trust != Trust::Foreign) {
        result.expected = plan.expected;
    } else if (const std::string claims = claims_of(plan); !claims.empty()) {
        result.warnings.push_back(
            {.code = FindingCode::ClaimsIgnored, .subject = plan.name, .texts = {{"claims", claims}}});
    }
    const std::vector<std::size_t> places = places_in_result(plan.launches);
    for (std::size_t i = 0; i < places.size(); ++i)
        if (const LaunchPlan& launch = plan.launches[i]; places[i] == result.launches.size())
            result.launches.push_back({launch.kernel, launch.global,
                                       launch.local.value_or(std::vector<std::uint64_t>{}), std::nullopt});
    return result;
}

std::vector<std::size_t> places_in_result(const std::vector<LaunchPlan>& launches) {
    std::vector<std::size_t> places;
    std::map<std::uint32_t, std::size_t> counted;
    std::size_t next = 0;
    for (const LaunchPlan& launch : launches) {
        const std::size_t place =
            launch.counted ? counted.emplace(*launch.counted, next).first->second : next;
        places.push_back(place);
        next = std::max(next, place + 1);
    }
    return places;
}

}  // namespace kwb
