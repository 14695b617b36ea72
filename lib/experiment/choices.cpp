// SPDX-License-Identifier: Apache-2.0
#include "experiment/choices.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/text.hpp"

namespace kwb {
namespace {

constexpr const char* kSweepSize = "size";  ///< followed by a number: keys in the settings

constexpr std::int64_t kLeastEnd = 512;
constexpr std::int64_t kLeastBeginning = 16;
constexpr int kHalvings = 6;

/// Copy the choices that are kept.
template <class From, class To>
void copy_common(const From& from, To& to) {
    to.device = from.device;
    to.problem = from.problem;
    to.sizes = from.sizes;
    to.own = from.own;
    to.time_budget_ms = from.time_budget_ms;
    to.timeout_ms = from.timeout_ms;
    to.unreadable_pages = from.unreadable_pages;
    to.xray = from.xray;
}

}  // namespace

NamedList<std::string> parse_params(const std::string& text) {
    NamedList<std::string> params;
    for (const std::string& word : split(text, ' '))
        if (const std::size_t at = word.find('='); at != std::string::npos)
            params.push_back({word.substr(0, at), word.substr(at + 1)});
    return params;
}

std::string params_text(const NamedList<std::string>& params) {
    std::vector<std::string> words;
    for (const auto& [name, value] : params) words.push_back(name + "=" + value);
    return join(words, " ");
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

void take_kept(const KeptExperiment& kept, Choices& choices) {
    copy_common(kept, choices);
    if (const std::int64_t* from = find_named(kept.sweep, "from")) choices.sweep_from = *from;
    if (const std::int64_t* to = find_named(kept.sweep, "to")) choices.sweep_to = *to;
    for (const auto& [name, edge] : kept.sweep)
        if (name.starts_with(kSweepSize)) choices.sweep_edges.push_back(edge);
}

KeptExperiment kept_experiment(const Choices& choices) {
    KeptExperiment kept;
    copy_common(choices, kept);
    if (choices.sweep_from) kept.sweep.push_back({"from", *choices.sweep_from});
    if (choices.sweep_to) kept.sweep.push_back({"to", *choices.sweep_to});
    for (const std::int64_t edge : choices.sweep_edges)
        kept.sweep.push_back({kSweepSize + std::to_string(kept.sweep.size()), edge});
    for (const Choices::Contestant& contestant : choices.contestants) {
        kept.kernels.push_back(contestant.kernel);
        kept.locals.push_back(contestant.local);
        kept.devices.push_back(contestant.device);
        kept.params.push_back(params_text(contestant.params));
    }
    if (choices.baseline < choices.contestants.size())
        kept.baseline = choices.contestants[choices.baseline].kernel;
    return kept;
}

}  // namespace kwb
