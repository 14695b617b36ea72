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
    std::string name;    ///< "NVIDIA A100"
    std::string target;  ///< for its compiler: "sm_80", "gfx906"; empty: none is known here
    std::string source;  ///< the documents of the figures
    std::uint32_t sub_group = 32;
    std::uint32_t compute_units = 1;
    double clock_mhz = 1;       ///< the highest that it is sold for
    double bandwidth_gbs = 1;   ///< of its memory
    double peak_gflops = 1;     ///< `float`, a multiply-add counts as 2
    std::uint32_t partitions = 1;
    // Of a compute unit:
    std::uint32_t most_sub_groups = 1;
    std::uint32_t most_groups = 1;
    std::uint32_t most_items = 1;
    std::uint32_t registers = 0;  ///< of 32 bits
    std::uint64_t local_bytes = 0;
    // Of a work-group or a work-item:
    std::uint32_t most_group_items = 1;
    std::uint32_t most_registers = 0;   ///< of a work-item
    std::uint32_t register_unit = 1;    ///< registers of a work-item are allocated in multiples of this
    std::uint64_t most_group_local_bytes = 0;
    std::uint64_t local_unit = 1;       ///< bytes of local memory are allocated in multiples of this
    std::uint64_t reserved_local_bytes = 0;  ///< for the device itself, in each work-group
    // In a clock of a compute unit:
    double cache_bytes = 1;  ///< from the first-level cache
    double local_banks_bytes = 1;  ///< from local memory without bank conflicts
    double instructions = 1;       ///< of sub-groups
};

template <class Fields>
void describe(Fields& f, GpuProfile& gpu) {
    f.record("gpu", "What a GPU can hold and move, from its vendor's documents.");
    f("name", gpu.name, items(1, 80), "Its name.");
    f("target", gpu.target, items(0, 16), "What compilers call it; empty: there is none here.");
    f("source", gpu.source, items(1, 2000), "Where the figures are printed.");
    f("sub_group", gpu.sub_group, between(1, 128), "Work-items of a sub-group.");
    f("compute_units", gpu.compute_units, between(1, 10'000), "Compute units.");
    f("clock_mhz", gpu.clock_mhz, between(50, 10'000), "Highest clock in MHz.");
    f("bandwidth_gbs", gpu.bandwidth_gbs, between(1, 100'000), "Bandwidth of its memory in GB/s.");
    f("peak_gflops", gpu.peak_gflops, between(1, 10'000'000), "Peak of float in GFLOP/s.");
    f("partitions", gpu.partitions, between(1, 64), "Parts of a compute unit, each with its own registers.");
    f("most_sub_groups", gpu.most_sub_groups, between(1, 4096), "Sub-groups that a compute unit holds.");
    f("most_groups", gpu.most_groups, between(1, 4096), "Work-groups that it holds.");
    f("most_items", gpu.most_items, between(1, 65'536), "Work-items that it holds.");
    f("registers", gpu.registers, between(0, 4'194'304), "Registers of 32 bits of a compute unit.");
    f("local_bytes", gpu.local_bytes, between(0, 16'777'216), "Local memory of a compute unit.");
    f("most_group_items", gpu.most_group_items, between(1, 65'536), "Work-items of a work-group.");
    f("most_registers", gpu.most_registers, between(0, 4096), "Registers of a work-item.");
    f("register_unit", gpu.register_unit, between(1, 256),
      "Registers of a work-item are allocated in multiples of this.");
    f("most_group_local_bytes", gpu.most_group_local_bytes, between(0, 16'777'216),
      "Local memory of a work-group.");
    f("local_unit", gpu.local_unit, between(1, 65'536), "Local memory is allocated in multiples of this.");
    f("reserved_local_bytes", gpu.reserved_local_bytes, between(0, 65'536),
      "Local memory that the device takes for each work-group.");
    f("cache_bytes", gpu.cache_bytes, between(1, 65'536),
      "Bytes that a compute unit gets from its first-level cache in a clock.");
    f("local_banks_bytes", gpu.local_banks_bytes, between(1, 65'536),
      "Bytes that it gets from local memory in a clock, without bank conflicts.");
    f("instructions", gpu.instructions, between(0.01, 64), "Instructions of sub-groups that it issues in a clock.");
}

/// What may keep more work-groups off a compute unit.
enum class OccupancyLimit { Registers, LocalMemory, WorkItems, SubGroups, WorkGroups };

template <>
inline constexpr auto kEnumNames<OccupancyLimit> = std::to_array<std::string_view>(
    {"registers", "local memory", "work-items", "sub-groups", "work-groups"});

/// How many work-groups a compute unit holds at once.
struct Occupancy {
    std::uint64_t group_items = 0;
    std::uint32_t groups = 0;           ///< 0: not even one fits
    std::uint32_t sub_groups = 0;       ///< of these groups
    double percent = 0;                 ///< sub_groups, of those that a compute unit holds at most
    std::vector<OccupancyLimit> binding;  ///< each alone allows no more groups
    bool knows_registers = false;       ///< false: they are left out, so that `groups` is an upper bound
};

}  // namespace kwb
