// SPDX-License-Identifier: Apache-2.0
#include "gpu/occupancy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <utility>

namespace kwb {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

std::uint64_t round_up(std::uint64_t a, std::uint64_t unit) {
    return ceil_div(a, unit) * unit;
}

/// Groups whose registers fit. A sub-group has its registers in one partition; the sub-groups of all groups
/// spread over the partitions evenly.
std::uint64_t groups_by_registers(const GpuProfile& gpu, std::uint32_t registers, std::uint64_t sub_groups) {
    if (gpu.registers == 0) return kNoLimit;
    if (registers > gpu.most_registers) return 0;
    const std::uint64_t of_sub_group =
        round_up(std::max<std::uint32_t>(registers, 1), gpu.register_unit) * gpu.sub_group;
    const std::uint64_t in_partition = gpu.registers / gpu.partitions / of_sub_group;
    return in_partition * gpu.partitions / sub_groups;
}

std::uint64_t groups_by_local_memory(const GpuProfile& gpu, std::uint64_t bytes) {
    if (bytes > gpu.most_group_local_bytes) return 0;
    std::uint64_t units = ceil_div(bytes + gpu.reserved_local_bytes, gpu.local_unit);
    if (gpu.local_doubles && units > 0) units = std::bit_ceil(units);
    const std::uint64_t each = units * gpu.local_unit;
    return each == 0 ? kNoLimit : gpu.local_bytes / each;
}

}  // namespace

Occupancy occupancy_of(const GpuProfile& gpu, const KernelNeeds& needs) {
    Occupancy occupancy;
    occupancy.group_items = needs.group_items;
    occupancy.knows_registers = needs.registers.has_value();
    const std::uint64_t sub_groups = std::max<std::uint64_t>(ceil_div(needs.group_items, gpu.sub_group), 1);
    const std::uint64_t by_items = needs.group_items > gpu.most_group_items
                                       ? 0
                                       : gpu.most_items / std::max<std::uint64_t>(needs.group_items, 1);
    const std::array<std::pair<OccupancyLimit, std::uint64_t>, 5> limits = {{
        {OccupancyLimit::Registers,
         needs.registers ? groups_by_registers(gpu, *needs.registers, sub_groups) : kNoLimit},
        {OccupancyLimit::LocalMemory, groups_by_local_memory(gpu, needs.local_bytes)},
        {OccupancyLimit::WorkItems, by_items},
        {OccupancyLimit::SubGroups, gpu.most_sub_groups / sub_groups},
        {OccupancyLimit::WorkGroups, sub_groups == 1 ? gpu.most_single_groups : gpu.most_groups},
    }};
    std::uint64_t groups = kNoLimit;
    for (const auto& [limit, most] : limits) groups = std::min(groups, most);
    for (const auto& [limit, most] : limits)
        if (most == groups) occupancy.binding.push_back(limit);
    occupancy.groups = static_cast<std::uint32_t>(groups);
    occupancy.sub_groups = static_cast<std::uint32_t>(groups * sub_groups);
    occupancy.percent = 100.0 * occupancy.sub_groups / gpu.most_sub_groups;
    return occupancy;
}

std::optional<Occupancy> better_group(const GpuProfile& gpu, const KernelNeeds& needs) {
    const Occupancy now = occupancy_of(gpu, needs);
    std::optional<Occupancy> best;
    const auto distance = [&](std::uint64_t items) {
        return items > needs.group_items ? items - needs.group_items : needs.group_items - items;
    };
    for (std::uint64_t items = gpu.sub_group; items <= gpu.most_group_items; items += gpu.sub_group) {
        KernelNeeds other = needs;
        other.group_items = items;
        const Occupancy there = occupancy_of(gpu, other);
        if (there.percent > now.percent && (!best || distance(items) < distance(best->group_items)))
            best = there;
    }
    return best;
}

}  // namespace kwb
