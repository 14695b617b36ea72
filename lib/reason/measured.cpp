// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "reason/reasons.hpp"
#include "stats/interval.hpp"

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

bool is_seen(const Effect* effect) {
    return effect != nullptr && effect->is_seen() && effect->share.value_or(0) >= kLeastShare;
}

/// The time that the answer is about: an experiment gives shares, and the machine may have been slower in its
/// rounds.
double time_of(const KernelResult& result, const Effect* effect) {
    return result.median_ms.value_or(effect != nullptr ? effect->as_it_is_ms.value_or(0) : 0);
}

/// Of all inputs together, if they were not tried one by one, because all of them save little.
const Effect* undivided_inputs(const KernelResult& result) {
    const Effect* all = nullptr;
    for (const Effect& effect : *result.effects) {
        if (effect.what != WhatIf::CacheHits) continue;
        if (!effect.buffer.empty()) return nullptr;
        all = &effect;
    }
    return all;
}

/// What it costs as a share of the kernel's time; 0 if the changed kernel is slower.
/// @param effect  nullptr: it was not tried
/// @return  nullopt: not known
std::optional<Interval> cost_of(const Effect* effect, WhatIf what, const KernelResult& result) {
    const bool was_tried = effect != nullptr;
    if (!was_tried && what == WhatIf::EmptyKernel) return std::nullopt;  // every kernel has a start
    if (!was_tried && what == WhatIf::CacheHits) effect = undivided_inputs(result);
    if (effect == nullptr) return Interval{};  // it has nothing to take away
    if (!effect->is_measured()) return std::nullopt;
    const double most = effect->at_most ? *effect->at_most : std::max(effect->interval->high, 0.0);
    return Interval{was_tried && effect->interval ? std::max(effect->interval->low, 0.0) : 0, most};
}

/// The 95 % interval of the time of the slower kernel, divided by that of the faster one.
/// @param median  what it is with fewer than six rounds
Interval ratio_of_times(const KernelResult& faster, const KernelResult& slower, double median) {
    const auto compared = stats::compare_paired(slower.samples_ms, faster.samples_ms);
    return compared && compared->interval ? *compared->interval : Interval{median, median};
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
        if (!is_seen(fast) && !is_seen(slow)) continue;
        const auto fast_cost = cost_of(fast, key.first, faster), slow_cost = cost_of(slow, key.first, slower);
        const double fast_time_ms = time_of(faster, fast), slow_time_ms = time_of(slower, slow);
        if (!fast_cost || !slow_cost || fast_time_ms <= 0) continue;
        // In times of the faster kernel.
        const Interval ratio = ratio_of_times(faster, slower, slow_time_ms / fast_time_ms);
        const double for_it = slow_cost->low * ratio.low - fast_cost->high,
                     against_it = fast_cost->low - slow_cost->high * ratio.high;
        // The costs must differ, not only one of them be seen.
        const double least = kLeastShare * std::max(1.0, slow_time_ms / fast_time_ms);
        const bool is_for = for_it > least, is_against = against_it > least;
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
        reason.weight = fast_time_ms * (is_for ? for_it : against_it);
        reasons.push_back(std::move(reason));
    }
    std::ranges::stable_sort(reasons, std::ranges::greater(), &Reason::weight);
    return reasons;
}

}  // namespace kwb
