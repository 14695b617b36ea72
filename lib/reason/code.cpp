// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reason/reasons.hpp"
#include "reason/tally.hpp"

namespace kwb {

std::vector<Reason> code_reasons(const KernelResult& faster, const KernelResult& slower) {
    if (!faster.hot_loop || !slower.hot_loop) return {};
    std::vector<Reason> reasons;
    /// @param better  the value by which the faster kernel should be faster: above 1
    const auto add = [&](ReasonKind kind, double fast, double slow, double better) {
        const double factor = std::max(better, 1 / better);
        if (factor < kLeastCountedFactor) return;
        Reason reason;
        reason.kind = kind;
        reason.faster.value = fast;
        reason.slower.value = slow;
        reason.is_for = better > 1;
        reason.weight = factor;
        reasons.push_back(std::move(reason));
    };
    const HotLoop &fast = *faster.hot_loop, &slow = *slower.hot_loop;
    if (fast.lanes > 0 && slow.lanes > 0)
        add(ReasonKind::VectorLanes, fast.lanes, slow.lanes, static_cast<double>(fast.lanes) / slow.lanes);
    if (fast.instructions_per_operation && slow.instructions_per_operation)
        add(ReasonKind::LoopInstructions, *fast.instructions_per_operation, *slow.instructions_per_operation,
            *slow.instructions_per_operation / *fast.instructions_per_operation);
    std::ranges::stable_sort(reasons, std::ranges::greater(), &Reason::weight);
    return reasons;
}

}  // namespace kwb
