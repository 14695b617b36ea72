// SPDX-License-Identifier: Apache-2.0
// Which what-if experiments (model/effect.hpp) a kernel is worth, and what each of them runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/verify/layout.hpp"
#include "model/device_info.hpp"
#include "model/effect.hpp"
#include "model/launch.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"

namespace kwb {

/// The cache that repeated memory stays in.
struct RepeatingCache {
    std::uint32_t level = 1;
    std::uint64_t bytes = 0;  ///< of memory that surely stays in it; 0: unknown
};

/// Of memory that surely stays in the nearest cache: half of the smallest.
inline constexpr std::uint64_t kNearestBytes = 16384;

/// The nearest cache, or the second-level one where repeated pages are slow (base/repeated_memory.hpp).
RepeatingCache find_repeating_cache();

/// Most mappings of pages in one process; Linux allows 65,530 (vm.max_map_count).
inline constexpr std::uint64_t kMostMappings = 48'000;

/// How many bytes of memory stand for each buffer, so that all of them stay in the cache: as few pages as the
/// number of mappings allows in the nearest one, as many as have room in the second one.
/// @param sizes  of the buffers, in bytes
/// @return  0: the buffers have too many pages
std::uint64_t choose_repeated_bytes(const RepeatingCache& cache, const std::vector<std::uint64_t>& sizes);

/// A kernel as it is, or changed.
struct PlannedExperiment {
    Effect effect;  ///< without figures; with an obstacle there is nothing to run
    KernelPlan plan;
    std::vector<std::string> repeated = {};  ///< buffers whose pages are all the same memory
    std::uint64_t repeated_bytes = 0;
    bool is_detail = false;  ///< of interest only if others save time: it divides that, or puts it together
};

/// @param launches  of the plan, in terms of `layout`
/// @param kind      of its device: only on CPUs, memory can be mapped repeatedly
/// @return  the kernel as it is first
std::vector<PlannedExperiment> plan_experiments(const KernelPlan& plan, const std::vector<Launch>& launches,
                                                const Layout& layout, const ProblemInstance& instance,
                                                DeviceKind kind);

}  // namespace kwb
