// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include "reason/reasons.hpp"

namespace kwb {
namespace {

/// Smaller factors are within what the bounds leave out.
constexpr double kLeastBoundFactor = 1.25;

/// The launch that leaves most of a compute unit idle.
const GpuView::Launch* emptiest(const GpuView& view) {
    const auto found = std::ranges::min_element(
        view.launches, {}, [](const GpuView::Launch& launch) { return launch.occupancy.percent; });
    return found == view.launches.end() ? nullptr : &*found;
}

/// @param cost  of each side: the reason is for the faster kernel where it is smaller
std::optional<Reason> make_reason(ReasonKind kind, const std::string& gpu, ReasonSide faster,
                                  ReasonSide slower, double faster_cost, double slower_cost) {
    const double low = std::min(faster_cost, slower_cost), high = std::max(faster_cost, slower_cost);
    if (low <= 0 || high / low < kLeastBoundFactor) return std::nullopt;
    Reason reason;
    reason.kind = kind;
    reason.basis = ReasonBasis::Computed;
    reason.subject = gpu;
    reason.faster = std::move(faster);
    reason.slower = std::move(slower);
    reason.is_for = slower_cost > faster_cost;
    reason.weight = high / low;
    return reason;
}

std::optional<Reason> time_reason(const GpuView& faster, const GpuView& slower) {
    if (!faster.at_least || !slower.at_least) return std::nullopt;
    const auto side = [](const LowerBound& bound) {
        return ReasonSide{.value = bound.ms, .bound = bound.by};
    };
    return make_reason(ReasonKind::GpuTime, faster.gpu, side(*faster.at_least), side(*slower.at_least),
                       faster.at_least->ms, slower.at_least->ms);
}

std::optional<Reason> occupancy_reason(const GpuView& faster, const GpuView& slower) {
    const GpuView::Launch *const fast = emptiest(faster), *const slow = emptiest(slower);
    if (fast == nullptr || slow == nullptr || !fast->occupancy.knows_registers ||
        !slow->occupancy.knows_registers)
        return std::nullopt;
    const auto side = [](const Occupancy& occupancy) {
        ReasonSide made{.value = occupancy.percent};
        if (!occupancy.binding.empty()) made.limit = occupancy.binding.front();
        return made;
    };
    const auto cost = [](const Occupancy& occupancy) {
        return 1 / std::max(occupancy.percent, std::numeric_limits<double>::min());
    };
    return make_reason(ReasonKind::Occupancy, faster.gpu, side(fast->occupancy), side(slow->occupancy),
                       cost(fast->occupancy), cost(slow->occupancy));
}

}  // namespace

std::vector<Reason> computed_reasons(const KernelResult& faster, const KernelResult& slower) {
    if (!faster.gpus || !slower.gpus) return {};
    std::vector<Reason> reasons;
    for (const GpuView& fast : *faster.gpus) {
        const auto slow = std::ranges::find(*slower.gpus, fast.gpu, &GpuView::gpu);
        if (slow == slower.gpus->end()) continue;
        for (auto& reason : {time_reason(fast, *slow), occupancy_reason(fast, *slow)})
            if (reason) reasons.push_back(*reason);
    }
    return reasons;
}

std::vector<Reason> reasons_of(const KernelResult& faster, const KernelResult& slower) {
    std::vector<Reason> reasons = measured_reasons(faster, slower);
    for (const auto& more : {counted_reasons(faster, slower), computed_reasons(faster, slower)})
        reasons.insert(reasons.end(), more.begin(), more.end());
    return reasons;
}

}  // namespace kwb
