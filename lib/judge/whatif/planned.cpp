// SPDX-License-Identifier: Apache-2.0
#include "judge/whatif/planned.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <variant>

#include "base/repeated_memory.hpp"
#include "judge/whatif/changed_kernel.hpp"
#include "judge/whatif/near_subscripts.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

/// Sorting more would keep the judge busy for seconds.
constexpr std::uint64_t kMostSorted = std::uint64_t{1} << 24;

/// The parameters that launches bind to these buffers.
/// @return  nullopt: a parameter is also bound to another buffer
std::optional<std::vector<BoundParameter>> parameters_of(const std::vector<Launch>& launches,
                                                         const Layout& layout,
                                                         const std::vector<std::string>& buffers) {
    std::vector<BoundParameter> bound;
    std::vector<BoundParameter> other;
    for (const Launch& launch : launches)
        for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
            const auto* argument = std::get_if<BufferArgument>(&launch.arguments[i]);
            if (argument == nullptr) continue;
            const std::string& name = layout.slots[argument->buffer].name;
            const bool is_wanted = std::ranges::find(buffers, name) != buffers.end();
            (is_wanted ? bound : other).push_back({launch.kernel, i, name});
        }
    for (const BoundParameter& one : bound)
        for (const BoundParameter& two : other)
            if (one.kernel == two.kernel && one.index == two.index) return std::nullopt;
    return bound;
}

/// Collects the experiments with one kernel.
class Planning {
public:
    Planning(const KernelPlan& plan, const std::vector<Launch>& launches, const Layout& layout,
             const ProblemInstance& instance, DeviceKind kind)
        : plan_(plan),
          launches_(launches),
          layout_(layout),
          kind_(kind),
          cache_(kind == DeviceKind::Cpu ? find_repeating_cache() : RepeatingCache{1, kNearestBytes}),
          reading_(read_source(source_text_of(plan))) {
        for (const BufferSpec& buffer : instance.buffers)
            if (buffer.access == Access::Read) inputs_.push_back(&buffer);
    }

    std::vector<PlannedExperiment> take() {
        planned_.push_back({.effect = {}, .plan = plan_});
        add_cache_hits();
        add_changed(WhatIf::NoBarriers);
        add_changed(WhatIf::NoAtomicity);
        add_together();
        add_sorted();
        add_changed(WhatIf::EmptyKernel);
        return std::move(planned_);
    }

private:
    /// An integer may be an index or a count: other values would change what the kernel does.
    void add_cache_hits() {
        for (const BufferSpec* buffer : inputs_)
            if (buffer->type.is_floating() && buffer->bytes() > 2 * std::max(cache_.bytes, kNearestBytes)) {
                large_.push_back(buffer->name);
                sizes_.push_back(buffer->bytes());
            }
        for (std::size_t i = 0; i < large_.size(); ++i)
            add_near(large_[i], {large_[i]}, {sizes_[i]}).is_detail = large_.size() > 1;
        if (large_.size() > 1) add_near("", large_, sizes_);
    }

    /// Buffers that always hit a near cache.
    PlannedExperiment& add_near(const std::string& name, const std::vector<std::string>& buffers,
                                const std::vector<std::uint64_t>& sizes) {
        PlannedExperiment& experiment = planned_.emplace_back();
        experiment.effect = {.buffer = name, .cache_level = cache_.level};
        experiment.plan = plan_;
        if (kind_ != DeviceKind::Cpu) {
            experiment.effect.is_by_subscripts = true;
            keep_near(experiment, buffers);
            return experiment;
        }
        experiment.repeated = buffers;
        experiment.repeated_bytes = choose_repeated_bytes(cache_, sizes);
        if (cache_.bytes == 0)
            experiment.effect.obstacle = "this machine does not report the size of its second-level cache";
        else if (experiment.repeated_bytes == 0)
            experiment.effect.obstacle = "the buffers are too many, or have too many pages";
        return experiment;
    }

    void keep_near(PlannedExperiment& experiment, const std::vector<std::string>& buffers) const {
        const std::uint64_t bytes = kNearestBytes / std::bit_ceil(std::max<std::size_t>(buffers.size(), 4));
        const auto parameters = parameters_of(launches_, layout_, buffers);
        if (!reading_.program)
            experiment.effect.obstacle = reading_.failure;
        else if (!parameters)
            experiment.effect.obstacle = "a parameter stands for several buffers";
        else if (bytes < kLeastNearBytes)
            experiment.effect.obstacle = "the buffers are too many";
        else {
            ChangedKernel changed = keep_subscripts_near(plan_, *reading_.program, *parameters, bytes);
            experiment.effect.obstacle = std::move(changed.obstacle);
            if (changed.plan) experiment.plan = std::move(*changed.plan);
        }
    }

    void add_changed(WhatIf what) {
        PlannedExperiment experiment{.effect = {.what = what}, .plan = plan_};
        if (reading_.program) {
            ChangedKernel changed = change_kernel(plan_, *reading_.program, what);
            if (!changed.plan && changed.obstacle.empty()) return;
            experiment.effect.obstacle = std::move(changed.obstacle);
            if (changed.plan) {
                experiment.plan = std::move(*changed.plan);
                if (what != WhatIf::EmptyKernel) changes_.push_back(what);
            }
        } else {
            experiment.effect.obstacle = reading_.failure;
        }
        planned_.push_back(std::move(experiment));
    }

    void add_together() {
        if (changes_.size() + (large_.empty() ? 0 : 1) < 2) return;
        if (large_.empty())
            planned_.push_back({.effect = {}, .plan = plan_});
        else
            add_near("", large_, sizes_);
        PlannedExperiment& experiment = planned_.back();
        experiment.effect.what = WhatIf::Together;
        experiment.is_detail = true;
        for (const WhatIf what : changes_)
            experiment.plan = *change_kernel(experiment.plan, *reading_.program, what).plan;
    }

    /// The same values in another order: indices and counts stay valid, one by one.
    void add_sorted() {
        for (const BufferSpec* buffer : inputs_) {
            if (buffer->type.is_floating() || buffer->elements() < 2) continue;
            PlannedExperiment& experiment = planned_.emplace_back();
            experiment.effect = {.what = WhatIf::Sorted, .buffer = buffer->name};
            experiment.plan = plan_;
            if (buffer->elements() > kMostSorted)
                experiment.effect.obstacle = fmt::format("{} has too many elements to sort", buffer->name);
        }
    }

    const KernelPlan& plan_;
    const std::vector<Launch>& launches_;
    const Layout& layout_;
    DeviceKind kind_;
    RepeatingCache cache_;
    Reading reading_;
    std::vector<const BufferSpec*> inputs_;
    std::vector<std::string> large_;  ///< inputs that exceed the cache
    std::vector<std::uint64_t> sizes_;
    std::vector<WhatIf> changes_;  ///< of the text, that can be made together
    std::vector<PlannedExperiment> planned_;
};

}  // namespace

RepeatingCache find_repeating_cache() {
    if (has_fast_repeated_pages()) return {1, kNearestBytes};
    const long second = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
    return {2, second > 0 ? static_cast<std::uint64_t>(second) / 2 : 0};
}

std::uint64_t choose_repeated_bytes(const RepeatingCache& cache, const std::vector<std::uint64_t>& sizes) {
    const std::uint64_t most = std::bit_floor(cache.bytes / sizes.size());
    for (std::uint64_t piece = cache.level == 1 ? kPageBytes : most; piece >= kPageBytes && piece <= most;
         piece *= 2) {
        std::uint64_t mappings = 0;
        for (const std::uint64_t bytes : sizes) mappings += bytes / piece + 1;
        if (mappings <= kMostMappings) return piece;
    }
    return 0;
}

std::vector<PlannedExperiment> plan_experiments(const KernelPlan& plan, const std::vector<Launch>& launches,
                                                const Layout& layout, const ProblemInstance& instance,
                                                DeviceKind kind) {
    return Planning(plan, launches, layout, instance, kind).take();
}

}  // namespace kwb
