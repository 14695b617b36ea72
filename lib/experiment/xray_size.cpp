// SPDX-License-Identifier: Apache-2.0
#include "experiment/xray_request.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/plan.hpp"
#include "model/device_fit.hpp"

namespace kwb {
namespace {

/// How informative a size is.
enum class Merit { None, SeveralGroups, WithRemainder, InEachDimension };

/// Observing more takes too long for what it could add.
constexpr std::uint64_t kMostBytesOfSmall = std::uint64_t{4} << 20;
constexpr std::uint64_t kMostLaunchesOfSmall = 1000;

/// All sizes that may do, the smallest first.
std::vector<std::pair<std::uint64_t, Sizes>> candidates(const Problem& problem, std::int64_t tile) {
    std::vector<Sizes> all = problem.awkward_sizes(tile);
    for (const std::int64_t times : {2, 3, 4, 8}) all.push_back(problem.square(times * tile));
    std::vector<std::pair<std::uint64_t, Sizes>> sorted;
    for (Sizes& sizes : all) {
        try {
            std::uint64_t bytes = 0;
            for (const BufferSpec& buffer : problem.at(sizes).buffers)
                bytes = add_bytes(bytes, multiply_bytes(buffer.elements(), buffer.type.bytes()));
            if (bytes <= kMostBytesOfSmall) sorted.emplace_back(bytes, std::move(sizes));
        } catch (const BadInput&) {  // no size of the problem
        }
    }
    std::ranges::stable_sort(sorted, {}, &std::pair<std::uint64_t, Sizes>::first);
    return sorted;
}

Merit merit_of(const KernelPlan& plan, const Sizes& sizes, std::int64_t tile) {
    bool several = false;
    bool in_each = false;
    std::uint64_t launches = 0;
    for (const LaunchPlan& launch : plan.launches) {
        launches += launch.repeat;
        bool all = true;
        for (std::size_t i = 0; i < launch.global.size(); ++i) {
            const std::uint64_t local =
                launch.local ? (*launch.local)[i] : static_cast<std::uint64_t>(i == 0 ? tile : 1);
            const bool has_two = launch.global[i] > local;
            several = several || has_two;
            all = all && has_two;
        }
        in_each = in_each || all;
    }
    if (!several || launches > kMostLaunchesOfSmall) return Merit::None;
    const bool has_remainder =
        std::ranges::any_of(sizes, [&](const Named<std::int64_t>& size) { return size.value % tile != 0; });
    if (!has_remainder) return Merit::SeveralGroups;
    return in_each ? Merit::InEachDimension : Merit::WithRemainder;
}

bool has_contents(const DeclaredInstance& declared) {
    return std::ranges::any_of(declared.inputs,
                               [](const auto& input) { return input.value.content != nullptr; }) ||
           std::ranges::any_of(declared.outputs,
                               [](const auto& output) { return output.value.expected != nullptr; });
}

}  // namespace

std::optional<XraySize> choose_xray_size(const KernelFile& kernel, const KernelPlan& plan,
                                         const Problem& problem, const DeviceInfo& device,
                                         const KernelChoices& choices) {
    const std::int64_t tile = tile_edge(plan);
    std::optional<XraySize> best;
    Merit merit_of_best = Merit::None;
    for (auto& [bytes, sizes] : candidates(problem, tile)) {
        if (merit_of_best == Merit::InEachDimension) break;
        try {
            KernelPlan small =
                make_kernel_plan(kernel, problem.at(sizes), device, choices, plan.trust == Trust::Foreign);
            if (small.refusal) continue;
            const Merit merit = merit_of(small, sizes, tile);
            if (merit <= merit_of_best) continue;
            merit_of_best = merit;
            best = XraySize{sizes, std::move(small)};
        } catch (const BadInput&) {  // the kernel cannot be planned at this size
        }
    }
    if (!best) return std::nullopt;
    try {
        best->declared = problem.evaluate(best->sizes, device);
    } catch (const BadInput&) {
        return std::nullopt;
    }
    if (best->declared && has_contents(*best->declared)) return std::nullopt;
    best->plan.trust = plan.trust;
    best->plan.source_text.clear();
    best->plan.includes.clear();
    return best;
}

}  // namespace kwb
