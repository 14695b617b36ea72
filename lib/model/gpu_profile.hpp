// SPDX-License-Identifier: Apache-2.0
// What a GPU can hold and move, from its vendor's documents: for occupancy and for lower bounds of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/record.hpp"

namespace kwb {

/// A GPU. Its compute units (NVIDIA: streaming multiprocessors; Intel: Xe cores or sub-slices) have
/// `partitions` parts, each with its own registers and sub-groups; the sub-groups of a work-group spread
/// evenly over them.
struct GpuProfile {
    std::string name;
    std::string target;
    std::string source;
    std::uint32_t sub_group = 0;
    std::uint32_t compute_units = 0;
    double clock_mhz = 0;
    double bandwidth_gbs = 0;
    double peak_gflops = 0;
    std::uint64_t cache_bytes = 0;
    std::uint32_t partitions = 0;
    std::uint32_t most_items = 0;
    std::uint32_t most_groups = 0;
    std::uint32_t most_single_groups = 0;
    std::uint32_t most_sub_groups = 0;
    std::uint32_t registers = 0;
    std::uint32_t register_unit = 0;
    std::uint32_t most_registers = 0;
    std::uint64_t local_bytes = 0;
    std::uint64_t local_unit = 0;
    std::uint64_t reserved_local_bytes = 0;
    bool local_doubles = false;
    std::uint32_t most_group_items = 0;
    std::uint64_t most_group_local_bytes = 0;
    double last_level_bytes_per_clock = 0;
    bool writes_through = false;
    double cache_bytes_per_clock = 0;
    double local_bytes_per_clock = 0;
    double accesses_per_clock = 0;
    double instructions_per_clock = 0;
};

template <class Fields>
void describe(Fields& f, GpuProfile& gpu) {
    f.record("gpu", "What a GPU can hold and move, from its vendor's documents.");
    f("name", gpu.name, items(1, 80), "Its name.");
    f("target", gpu.target, items(0, 16),
      "Its name for compilers, gfx906 or sm_80; \"\": no compiler here supports it.");
    f("source", gpu.source, items(1, 2000), "The documents that print the figures.");
    f("sub_group", gpu.sub_group, between(1, 128), "Work-items of a sub-group.");
    f("compute_units", gpu.compute_units, between(1, 10'000), "Compute units.");
    f("clock_mhz", gpu.clock_mhz, between(50, 10'000), "The highest clock that it reaches, in MHz.");
    f("bandwidth_gbs", gpu.bandwidth_gbs, between(1, 100'000), "Bandwidth of its memory in GB/s.");
    f("peak_gflops", gpu.peak_gflops, between(1, 10'000'000), "Peak of float in GFLOP/s.");
    f("cache_bytes", gpu.cache_bytes, between(0, 4e9), "Bytes of its last-level cache.");
    f("partitions", gpu.partitions, between(1, 64), "Parts of a compute unit, each with its own registers.");
    f("most_items", gpu.most_items, between(1, 65'536), "Work-items that a compute unit holds.");
    f("most_groups", gpu.most_groups, between(1, 4096), "Work-groups that it holds.");
    f("most_single_groups", gpu.most_single_groups, between(1, 4096),
      "Work-groups that it holds if each has one sub-group.");
    f("most_sub_groups", gpu.most_sub_groups, between(1, 4096), "Sub-groups that it holds.");
    f("registers", gpu.registers, between(0, 4'194'304),
      "32-bit registers of a compute unit; 0: they never limit the number of sub-groups.");
    f("register_unit", gpu.register_unit, between(1, 256),
      "Registers per work-item are allocated in multiples of this.");
    f("most_registers", gpu.most_registers, between(1, 4096), "Most registers per work-item.");
    f("local_bytes", gpu.local_bytes, between(1, 16'777'216), "Local memory of a compute unit.");
    f("local_unit", gpu.local_unit, between(1, 65'536), "Local memory is allocated in multiples of this.");
    f("reserved_local_bytes", gpu.reserved_local_bytes, between(0, 65'536),
      "Local memory that the device takes for each work-group.");
    f("local_doubles", gpu.local_doubles, "Local memory is allocated in powers of two of local_unit.");
    f("most_group_items", gpu.most_group_items, between(1, 65'536), "Work-items of a work-group.");
    f("most_group_local_bytes", gpu.most_group_local_bytes, between(1, 16'777'216),
      "Local memory of a work-group.");
    f("last_level_bytes_per_clock", gpu.last_level_bytes_per_clock, between(1, 1'000'000),
      "Bytes that all compute units together exchange with the last-level cache per clock.");
    f("writes_through", gpu.writes_through,
      "Each store of a sub-group goes separately to the last-level cache, in whole 32-byte sectors.");
    f("cache_bytes_per_clock", gpu.cache_bytes_per_clock, between(1, 65'536),
      "Bytes that a compute unit gets from its first-level cache per clock.");
    f("local_bytes_per_clock", gpu.local_bytes_per_clock, between(1, 65'536),
      "Bytes that it gets from local memory per clock, without bank conflicts.");
    f("accesses_per_clock", gpu.accesses_per_clock, between(0.01, 1024),
      "Accesses of sub-groups to memory that it can start per clock.");
    f("instructions_per_clock", gpu.instructions_per_clock, between(0.01, 64),
      "Instructions of sub-groups that it issues per clock.");
}

inline std::optional<Flaw> check(const GpuProfile& gpu) {
    if (gpu.name.find_first_not_of(' ') == std::string::npos) return Flaw{"name", "a name"};
    if (gpu.sub_group != 8 && gpu.sub_group != 16 && gpu.sub_group != 32 && gpu.sub_group != 64)
        return Flaw{"sub_group", "8, 16, 32 or 64"};
    if (gpu.most_sub_groups % gpu.partitions != 0) return Flaw{"partitions", "a divisor of most_sub_groups"};
    if (gpu.registers != 0 && gpu.registers < gpu.partitions * gpu.sub_group * gpu.register_unit)
        return Flaw{"registers",
                    "0, or enough for one sub-group in each partition, with register_unit per work-item"};
    if (gpu.reserved_local_bytes >= gpu.local_bytes)
        return Flaw{"reserved_local_bytes", "less than local_bytes"};
    if (gpu.most_group_local_bytes > gpu.local_bytes)
        return Flaw{"most_group_local_bytes", "at most local_bytes"};
    if (gpu.most_items > gpu.most_sub_groups * gpu.sub_group)
        return Flaw{"most_items", "at most most_sub_groups times sub_group"};
    if (gpu.most_group_items > gpu.most_items) return Flaw{"most_group_items", "at most most_items"};
    const double flops_a_clock = gpu.peak_gflops * 1000 / gpu.clock_mhz / gpu.compute_units;
    if (flops_a_clock < 2 || flops_a_clock > 4096)
        return Flaw{"peak_gflops", "2 to 4096 operations per clock of a compute unit; clock_mhz is in MHz"};
    return std::nullopt;
}

/// A limit on the work-groups of a compute unit.
enum class OccupancyLimit { Registers, LocalMemory, WorkItems, SubGroups, WorkGroups };

template <>
inline constexpr auto kEnumNames<OccupancyLimit> =
    std::to_array<std::string_view>({"registers", "local memory", "work-items", "sub-groups", "work-groups"});

/// How many work-groups a compute unit holds at once.
struct Occupancy {
    std::uint64_t group_items = 0;
    std::uint32_t groups = 0;                  ///< 0: not even one fits
    std::uint32_t sub_groups = 0;              ///< of these groups
    double percent = 0;                        ///< sub_groups, of the most that a compute unit can hold
    std::vector<OccupancyLimit> binding = {};  ///< each prevents another group
    bool knows_registers = false;              ///< false: they are not counted, so `groups` is an upper bound
};

/// A resource whose use gives a lower bound of the time.
enum class BoundKind { Memory, LastLevel, Cache, LocalMemory, Issue, Arithmetic };

template <>
inline constexpr auto kEnumNames<BoundKind> = std::to_array<std::string_view>(
    {"memory", "last-level cache", "cache", "local memory", "instruction issue", "arithmetic"});

/// Milliseconds that a GPU takes at least. Latency, synchronisation, cache misses and start-up come on top.
struct LowerBound {
    double ms = 0;                     ///< the largest of the following
    std::optional<BoundKind> by = {};  ///< nullopt: another one is nearly as large
    double memory_ms = 0;              ///< what the problem must move and no cache holds, over the bandwidth
    double last_level_ms = 0;          ///< what must pass the last-level cache, over its bandwidth
    double cache_ms = 0;               ///< accesses to global memory, over the rate of the first-level cache
    double local_ms = 0;               ///< bank cycles
    double issue_ms = 0;               ///< accesses and multiply-adds, over the rate of issue
    double arithmetic_ms = 0;          ///< operations over the peak
};

/// A kernel on a GPU, which need not be in this machine.
struct GpuView {
    struct Launch {
        std::string kernel;
        std::optional<std::uint32_t> registers;
        std::uint64_t local_bytes = 0;  ///< of a work-group
        Occupancy occupancy;
        std::optional<Occupancy> better;  ///< the nearest work-group that holds more sub-groups
        std::optional<std::uint64_t> scratch_bytes = {};  ///< as in MachineCode
        std::optional<double> double_share = {};  ///< of the floating-point instructions; nullopt: none
    };
    std::string gpu;
    std::vector<Launch> launches = {};
    std::optional<LowerBound> at_least = {};
};

}  // namespace kwb
