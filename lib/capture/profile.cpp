// SPDX-License-Identifier: Apache-2.0
#include "capture/profile.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kwb::capture {

std::string CallPlace::describe() const {
    if (!file.empty()) return fmt::format("{}:{}", file, line);
    if (!function.empty()) return fmt::format("{} in {}", function, module);
    return module;
}

std::map<std::uint32_t, std::int64_t> clock_offsets(const Profile& profile) {
    std::map<std::uint32_t, std::vector<std::int64_t>> offsets;
    for (const TraceEvent& event : profile.trace)
        if (!event.kind.empty())
            offsets[event.device].push_back(static_cast<std::int64_t>(event.host_ns - event.queued_ns));
    std::map<std::uint32_t, std::int64_t> medians;
    for (auto& [device, all] : offsets) {
        const auto middle = all.begin() + std::ptrdiff_t(all.size() / 2);
        std::nth_element(all.begin(), middle, all.end());
        medians[device] = *middle;
    }
    return medians;
}

}  // namespace kwb::capture
