#include "session/hang_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

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
    auto known = std::find_if(losses_.begin(), losses_.end(),
                              [&](const auto& kernel) { return kernel.name == result.kernel; });
    if (known == losses_.end()) known = losses_.insert(known, {result.kernel, {}});
    (has_no_reference ? known->value.had_no_reference_at : known->value.hung_at)
        .push_back(to_string(result.size));
}

std::optional<std::string> HangWatch::find_reason_to_skip(const RunRequest& request) const {
    if (request.mode != RunRequest::Mode::Check) return std::nullopt;
    std::vector<std::string> reasons;
    for (const Contestant& contestant : request.contestants) {
        const Losses* const losses = find_named(losses_, contestant.name());
        if (losses == nullptr) return std::nullopt;
        // The results at those sizes say whether the reference hung or failed in another way.
        if (losses->had_no_reference_at.size() >= kMostTimeouts)
            reasons.push_back(give_up("the reference came to nothing", losses->had_no_reference_at,
                                      "mend the reference first"));
        else if (losses->hung_at.size() >= kMostTimeouts)
            reasons.push_back(give_up("this kernel ran into the time limit", losses->hung_at,
                                      "mend that first, or allow a longer time limit"));
        else
            return std::nullopt;
        if (request.contestants.size() > 1) reasons.back() = contestant.name() + ": " + reasons.back();
    }
    return join(reasons, "; ");
}

}  // namespace kwb
