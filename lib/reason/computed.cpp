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

/// The largest value of a figure of the launches; nullopt: one of them is unknown.
template <class T>
std::optional<double> largest(const GpuView& view, std::optional<T> GpuView::Launch::*figure) {
    std::optional<double> most;
    for (const GpuView::Launch& launch : view.launches) {
        if (!(launch.*figure)) return std::nullopt;
        most = std::max(most, std::optional(static_cast<double>(*(launch.*figure))));
    }
    return most;
}

/// A figure that is 0 in the best case.
/// @param costly  this much doubles the cost, in a coarse model that only orders reasons
template <class T>
std::optional<Reason> figure_reason(ReasonKind kind, const GpuView& faster, const GpuView& slower,
                                    std::optional<T> GpuView::Launch::*figure, double costly) {
    const auto fast = largest(faster, figure), slow = largest(slower, figure);
    if (!fast || !slow) return std::nullopt;
    return make_reason(kind, faster.gpu, {.value = *fast}, {.value = *slow}, 1 + *fast / costly,
                       1 + *slow / costly);
}

}  // namespace

std::vector<Reason> computed_reasons(const KernelResult& faster, const KernelResult& slower) {
    if (!faster.gpus || !slower.gpus) return {};
    std::vector<Reason> reasons;
    for (const GpuView& fast : *faster.gpus) {
        const auto slow = std::ranges::find(*slower.gpus, fast.gpu, &GpuView::gpu);
        if (slow == slower.gpus->end()) continue;
        for (auto& reason :
             {time_reason(fast, *slow), occupancy_reason(fast, *slow),
              figure_reason(ReasonKind::PrivateMemory, fast, *slow, &GpuView::Launch::scratch_bytes, 128),
              figure_reason(ReasonKind::Precision, fast, *slow, &GpuView::Launch::double_share, 1)})
            if (reason) reasons.push_back(*reason);
    }
    return reasons;
}

std::vector<Reason> reasons_of(const KernelResult& faster, const KernelResult& slower) {
    std::vector<Reason> reasons = measured_reasons(faster, slower);
    for (const auto& more :
         {counted_reasons(faster, slower), code_reasons(faster, slower), computed_reasons(faster, slower)})
        reasons.insert(reasons.end(), more.begin(), more.end());
    return reasons;
}

}  // namespace kwb
