// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "model/problem.hpp"
#include "reason/reasons.hpp"

namespace kwb {
namespace {

std::uint64_t bytes_of(const XrayBuffer& buffer) {
    std::uint64_t bytes = buffer.element_bytes;
    for (const std::uint64_t extent : buffer.extents) bytes *= extent;
    return bytes;
}

/// Bytes of global memory that work-items load from the buffer of this name.
double loaded_bytes(const XrayReport& counts, const std::string& buffer) {
    double bytes = 0;
    for (const XraySite& site : counts.sites)
        if (site.kind == AccessKind::Load && counts.buffers[site.buffer].name == buffer &&
            counts.buffers[site.buffer].space == AddressSpace::Global)
            bytes += static_cast<double>(site.requested_bytes);
    return bytes;
}

}  // namespace

std::optional<HiddenLoads> find_hidden_loads(const KernelResult& one, const KernelResult& other,
                                             std::uint64_t cache_bytes) {
    constexpr double kLeastRepeats = 4, kLeastRatio = 2;
    if (cache_bytes == 0 || !one.xray || !other.xray || !one.xray->counts || !other.xray->counts)
        return std::nullopt;
    std::optional<HiddenLoads> hidden;
    double most_saved = 0;
    for (const XrayBuffer& buffer : one.xray->counts->buffers) {
        const std::uint64_t bytes = bytes_of(buffer);
        if (buffer.space != AddressSpace::Global || bytes == 0) continue;
        const double mine = loaded_bytes(*one.xray->counts, buffer.name),
                     theirs = loaded_bytes(*other.xray->counts, buffer.name);
        const double more = std::max(mine, theirs), less = std::min(mine, theirs);
        if (less == 0 || more < kLeastRatio * less || more < kLeastRepeats * static_cast<double>(bytes) ||
            more - less <= most_saved)
            continue;
        most_saved = more - less;
        hidden.reset();
        if (bytes > cache_bytes) continue;  // the loads that make the difference are not hidden
        hidden = HiddenLoads{buffer.name, bytes, cache_bytes, {}};
        // Of equal extents, the buffer has as many bytes as their product.
        if (one.size.empty() || !is_square(one.size)) continue;
        const auto edge = static_cast<double>(one.size.front().value);
        const auto scales = static_cast<std::size_t>(
            std::ranges::count(buffer.extents, static_cast<std::uint64_t>(one.size.front().value)));
        if (scales == 0 || scales != buffer.extents.size()) continue;
        const double growth = static_cast<double>(cache_bytes) / static_cast<double>(bytes);
        constexpr std::int64_t kStep = 64;
        const double fits = edge * std::pow(growth, 1.0 / static_cast<double>(scales));
        hidden->exceeding_size = (static_cast<std::int64_t>(fits) / kStep + 1) * kStep;
    }
    return hidden;
}

}  // namespace kwb
