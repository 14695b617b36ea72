#include "session/hang_watch.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "model/no_truth.hpp"

namespace kwb {

void HangWatch::note(const KernelResult& result) {
    const bool has_no_truth = result.verdict == Verdict::Skipped && result.reason.starts_with(kNoTruth);
    if ((result.verdict != Verdict::Timeout && !has_no_truth) || result.as_expected()) return;
    if (has_no_truth) cause_ = "the reference came to nothing";
    auto known = std::find_if(hung_at_.begin(), hung_at_.end(),
                              [&](const auto& kernel) { return kernel.name == result.kernel; });
    if (known == hung_at_.end()) known = hung_at_.insert(known, {result.kernel, {}});
    known->value.push_back(to_string(result.size));
}

std::optional<std::string> HangWatch::find_reason_to_skip(const RunRequest& request) const {
    if (request.mode != RunRequest::Mode::Check) return std::nullopt;
    std::string reason;
    for (const Contestant& contestant : request.contestants) {
        const auto* sizes = find_named(hung_at_, contestant.name());
        if (sizes == nullptr || sizes->size() < kMostTimeouts) return std::nullopt;
        reason = "not checked, because " + cause_ + " at " + std::to_string(sizes->size()) +
                 " sizes already (" + enumerate(*sizes) + "); mend that first, or allow a longer time limit";
    }
    return reason;
}

}  // namespace kwb
