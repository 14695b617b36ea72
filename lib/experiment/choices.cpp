// SPDX-License-Identifier: Apache-2.0
#include "experiment/choices.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace kwb {
namespace {

constexpr std::int64_t kLeastEnd = 512;
constexpr std::int64_t kLeastBeginning = 16;
constexpr int kHalvings = 6;

}  // namespace

std::function<void(Choices&)> change_between(const Choices& before, Choices after) {
    return [before, after = std::move(after)](Choices& choices) {
        const auto take = [&](auto... members) {
            const auto take_one = [&](auto member) {
                if (before.*member != after.*member) choices.*member = after.*member;
            };
            (take_one(members), ...);
        };
        const std::size_t count = after.contestants.size();
        if (before.contestants.size() != count || choices.contestants.size() != count)
            take(&Choices::contestants);
        for (std::size_t i = 0; i < std::min(count, choices.contestants.size()); ++i)
            if (i < before.contestants.size() && before.contestants[i] != after.contestants[i])
                choices.contestants[i] = after.contestants[i];
        take(&Choices::device, &Choices::problem, &Choices::baseline, &Choices::own, &Choices::sizes,
             &Choices::seed, &Choices::sweep_from, &Choices::sweep_to, &Choices::sweep_edges,
             &Choices::time_budget_ms, &Choices::timeout_ms, &Choices::unreadable_pages, &Choices::xray,
             &Choices::live);
    };
}

SweepRange sweep_range(const Choices& choices) {
    std::int64_t largest = kLeastEnd;
    for (const auto& size : choices.sizes) largest = std::max(largest, size.value);
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(largest)));
    if (!choices.sweep_edges.empty()) return {choices.sweep_edges.front(), choices.sweep_edges.back()};
    SweepRange range;
    range.to = std::clamp(choices.sweep_to.value_or(power), std::int64_t{1}, kMostSweepEdge);
    if (!choices.sweep_to && choices.sweep_from) range.to = std::max(range.to, *choices.sweep_from);
    range.from = std::max(std::min(range.to, kLeastBeginning), range.to >> kHalvings);
    if (choices.sweep_from) range.from = std::clamp(*choices.sweep_from, std::int64_t{1}, range.to);
    return range;
}

std::vector<std::int64_t> sweep_steps(const Choices& choices) {
    if (!choices.sweep_edges.empty()) return choices.sweep_edges;
    const SweepRange range = sweep_range(choices);
    std::vector<std::int64_t> steps;
    for (std::int64_t edge = range.from; edge < range.to; edge *= 2) steps.push_back(edge);
    steps.push_back(range.to);
    return steps;
}

}  // namespace kwb
