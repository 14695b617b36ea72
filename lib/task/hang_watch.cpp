// SPDX-License-Identifier: Apache-2.0
#include "task/hang_watch.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace kwb {
namespace {

std::string give_up(const char* cause, const std::vector<std::string>& sizes, const char* remedy) {
    return fmt::format("not checked, because {} at {} sizes already ({}); {}", cause, sizes.size(),
                       enumerate(sizes), remedy);
}

}  // namespace

void HangWatch::note(const KernelResult& result) {
    const bool has_no_reference = result.finding && result.finding->code == FindingCode::NoReference;
    if ((result.verdict != Verdict::Timeout && !has_no_reference) || result.as_expected()) return;
    Failures& known = failures_[result.kernel];
    (has_no_reference ? known.had_no_reference_at : known.hung_at).push_back(to_string(result.size));
}

std::optional<std::string> HangWatch::find_reason_to_skip(const RunRequest& request) const {
    if (request.mode != RunRequest::Mode::Check) return std::nullopt;
    std::vector<std::string> reasons;
    for (const Contestant& contestant : request.contestants) {
        const auto known = failures_.find(contestant.name());
        if (known == failures_.end()) return std::nullopt;
        const auto& [hung_at, had_no_reference_at] = known->second;
        // The results at those sizes show whether the reference hung or failed in another way.
        if (had_no_reference_at.size() >= kMostTimeouts)
            reasons.push_back(
                give_up("the reference failed", had_no_reference_at, "fix the reference first"));
        else if (hung_at.size() >= kMostTimeouts)
            reasons.push_back(give_up("this kernel exceeded the time limit", hung_at,
                                      "fix that first, or allow a longer time limit"));
        else
            return std::nullopt;
        if (request.contestants.size() > 1) reasons.back() = contestant.name() + ": " + reasons.back();
    }
    return join(reasons, "; ");
}

}  // namespace kwb
