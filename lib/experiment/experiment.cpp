// SPDX-License-Identifier: Apache-2.0
#include "experiment/experiment.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace kwb {
namespace {

constexpr std::int64_t kLeastEnd = 512;
constexpr std::int64_t kLeastBeginning = 16;
constexpr int kHalvings = 6;

}  // namespace

std::function<void(Experiment&)> change_between(const Experiment& before, Experiment after) {
    return [before, after = std::move(after)](Experiment& choices) {
        const auto take = [&](auto... members) {
            const auto take_one = [&](auto member) {
                if (before.*member != after.*member) choices.*member = after.*member;
            };
            (take_one(members), ...);
        };
        const std::size_t count = after.contestants.size();
        if (before.contestants.size() != count || choices.contestants.size() != count)
            take(&Experiment::contestants);
        for (std::size_t i = 0; i < std::min(count, choices.contestants.size()); ++i)
            if (i < before.contestants.size() && before.contestants[i] != after.contestants[i])
                choices.contestants[i] = after.contestants[i];
        take(&Experiment::device, &Experiment::problem, &Experiment::baseline, &Experiment::own,
             &Experiment::sizes, &Experiment::seed, &Experiment::sweep_from, &Experiment::sweep_to,
             &Experiment::sweep_edges, &Experiment::time_budget_ms, &Experiment::timeout_ms,
             &Experiment::unreadable_pages, &Experiment::xray, &Experiment::live);
    };
}

SweepRange sweep_range(const Experiment& choices) {
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

std::vector<std::int64_t> sweep_steps(const Experiment& choices) {
    if (!choices.sweep_edges.empty()) return choices.sweep_edges;
    const SweepRange range = sweep_range(choices);
    std::vector<std::int64_t> steps;
    for (std::int64_t edge = range.from; edge < range.to; edge *= 2) steps.push_back(edge);
    steps.push_back(range.to);
    return steps;
}

}  // namespace kwb
