// SPDX-License-Identifier: Apache-2.0
#include "experiment/xray_request.hpp"

#include <algorithm>

namespace kwb {
namespace {

/// Kernels that need a multiple of their tile cannot run at most sizes: the next larger ones are tried.
constexpr std::int64_t kMostTries = 2048;

Sizes in_proportion(const Sizes& sizes, std::int64_t extent, std::int64_t largest) {
    Sizes smaller = sizes;
    for (auto& size : smaller)
        size.value = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(static_cast<double>(size.value) * static_cast<double>(extent) /
                                         static_cast<double>(largest)));
    return smaller;
}

}  // namespace

void find_overflow_size(XrayReport& report, const Sizes& sizes, const ObserveAt& observe_at) {
    const auto overflow = std::ranges::find(report.undefined, FindingCode::SignedOverflow, &Finding::code);
    if (overflow == report.undefined.end() || sizes.empty()) return;
    const auto is_same = [&](const Finding& finding) {
        return finding.code == FindingCode::SignedOverflow && finding.place == overflow->place;
    };
    const std::int64_t largest = std::ranges::max(sizes, {}, &Named<std::int64_t>::value).value;
    std::int64_t clean = 0;        // the largest that does not overflow
    std::int64_t first = largest;  // the smallest that does
    for (std::int64_t end = first; end - clean > 1;) {
        const std::int64_t middle = clean + (end - clean) / 2;
        std::int64_t tried = middle;
        std::optional<XrayReport> seen;
        for (; tried < std::min(end, middle + kMostTries); ++tried)
            if ((seen = observe_at(in_proportion(sizes, tried, largest)))) break;
        if (!seen)
            end = middle;
        else if (std::ranges::any_of(seen->undefined, is_same))
            end = first = tried;
        else
            clean = tried;
    }
    if (clean == 0 && first == largest) return;  // no other size was observed
    overflow->texts.push_back({"first_size", to_string(in_proportion(sizes, first, largest))});
    if (clean > 0) overflow->texts.push_back({"clean_size", to_string(in_proportion(sizes, clean, largest))});
}

}  // namespace kwb
