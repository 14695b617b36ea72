// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "reason/reasons.hpp"

namespace kwb {
namespace {

/// Smaller shares of a kernel's time explain nothing.
constexpr double kLeastShare = 0.02;

/// What identifies an experiment. Those about all buffers, and about all changes, add nothing to those about
/// each of them.
using Key = std::pair<WhatIf, std::string>;
using ByKey = std::map<Key, const Effect*>;

ByKey effects_of(const KernelResult& result) {
    ByKey effects;
    for (const Effect& effect : *result.effects)
        if (kind_of_effect(effect.what) && (effect.what != WhatIf::CacheHits || !effect.buffer.empty()))
            effects[{effect.what, effect.buffer}] = &effect;
    return effects;
}

/// What was not tried has nothing to take away, except that every kernel has a start; what was tried may have
/// failed.
bool is_known(const Effect* effect, WhatIf what) {
    return effect == nullptr ? what != WhatIf::EmptyKernel : effect->is_measured();
}

bool is_seen(const Effect* effect) {
    return effect != nullptr && effect->is_seen() && effect->share.value_or(0) >= kLeastShare;
}

/// The time that the answer is about: an experiment gives shares, and the machine may have been slower in its
/// rounds.
double time_of(const KernelResult& result, const Effect* effect) {
    return result.median_ms.value_or(effect != nullptr ? effect->as_it_is_ms.value_or(0) : 0);
}

/// Milliseconds; 0 if the changed kernel is slower.
Interval cost_ms(const Effect* effect, double time_ms) {
    if (effect == nullptr) return {};
    if (effect->at_most) return {0, *effect->at_most * time_ms};
    return {std::max(effect->interval->low, 0.0) * time_ms, std::max(effect->interval->high, 0.0) * time_ms};
}

ReasonSide side_of(const Effect* effect, WhatIf what, double time_ms) {
    ReasonSide side;
    if (time_ms > 0) side.time_ms = time_ms;
    // Inputs are also left out where all of them together save nothing.
    side.is_none = effect == nullptr && (what == WhatIf::NoBarriers || what == WhatIf::NoAtomicity);
    if (!is_seen(effect)) return side;
    side.value = *effect->share;
    side.interval = effect->interval;
    return side;
}

}  // namespace

std::optional<ReasonKind> kind_of_effect(WhatIf what) {
    switch (what) {
        case WhatIf::CacheHits:
            return ReasonKind::CacheMisses;
        case WhatIf::NoBarriers:
            return ReasonKind::Barriers;
        case WhatIf::NoAtomicity:
            return ReasonKind::Atomicity;
        case WhatIf::EmptyKernel:
            return ReasonKind::StartUp;
        case WhatIf::Sorted:
            return ReasonKind::ValueOrder;
        case WhatIf::Together:
            break;
    }
    return std::nullopt;
}

std::vector<Reason> measured_reasons(const KernelResult& faster, const KernelResult& slower) {
    if (!faster.effects || !slower.effects) return {};  // only one of them was measured
    const ByKey of_faster = effects_of(faster), of_slower = effects_of(slower);
    ByKey all = of_slower;
    all.insert(of_faster.begin(), of_faster.end());
    std::vector<Reason> reasons;
    for (const auto& [key, any] : all) {
        const auto find = [&wanted = key](const ByKey& effects) {
            const auto found = effects.find(wanted);
            return found == effects.end() ? nullptr : found->second;
        };
        const Effect *const fast = find(of_faster), *const slow = find(of_slower);
        if (!is_known(fast, key.first) || !is_known(slow, key.first) || (!is_seen(fast) && !is_seen(slow)))
            continue;
        const double fast_time_ms = time_of(faster, fast), slow_time_ms = time_of(slower, slow);
        const Interval fast_ms = cost_ms(fast, fast_time_ms), slow_ms = cost_ms(slow, slow_time_ms);
        // The costs must differ, not only one of them be seen.
        const double least_ms = kLeastShare * std::max(fast_time_ms, slow_time_ms);
        const bool is_for = slow_ms.low - fast_ms.high > least_ms,
                   is_against = fast_ms.low - slow_ms.high > least_ms;
        if (!is_for && !is_against) continue;
        Reason reason;
        reason.kind = *kind_of_effect(key.first);
        reason.basis = ReasonBasis::Measured;
        reason.subject = key.second;
        reason.cache_level = any->cache_level;
        reason.is_by_subscripts = any->is_by_subscripts;
        reason.faster = side_of(fast, key.first, fast_time_ms);
        reason.slower = side_of(slow, key.first, slow_time_ms);
        reason.is_for = is_for;
        if (is_for && slow_time_ms > fast_time_ms)
            reason.gap_share = (reason.slower.value * slow_time_ms - reason.faster.value * fast_time_ms) /
                               (slow_time_ms - fast_time_ms);
        reason.weight = is_for ? slow_ms.low - fast_ms.high : fast_ms.low - slow_ms.high;
        reasons.push_back(std::move(reason));
    }
    std::ranges::stable_sort(reasons, std::ranges::greater(), &Reason::weight);
    return reasons;
}

}  // namespace kwb
