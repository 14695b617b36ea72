// SPDX-License-Identifier: Apache-2.0
// Occupancy against figures that vendors print.
#include "gpu/occupancy.hpp"

#include <doctest/doctest.h>

using namespace kwb;

namespace {

/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", 8.0.
GpuProfile a100() {
    GpuProfile gpu;
    gpu.sub_group = 32;
    gpu.partitions = 4;
    gpu.most_sub_groups = 64;
    gpu.most_groups = gpu.most_single_groups = 32;
    gpu.most_items = 2048;
    gpu.registers = 65'536;
    gpu.register_unit = 8;
    gpu.most_registers = 255;
    gpu.most_group_items = 1024;
    gpu.local_bytes = 164 << 10;
    gpu.most_group_local_bytes = 163 << 10;
    gpu.local_unit = 128;
    gpu.reserved_local_bytes = 1024;
    return gpu;
}

/// LLVM's AMDGPU usage guide, gfx906: 256 vector registers, in units of 4, and 10 waves a SIMD.
GpuProfile gfx906() {
    GpuProfile gpu;
    gpu.sub_group = 64;
    gpu.partitions = 4;
    gpu.most_sub_groups = 40;
    gpu.most_groups = 16;
    gpu.most_single_groups = 40;
    gpu.most_items = 2560;
    gpu.registers = 4 * 256 * 64;
    gpu.register_unit = 4;
    gpu.most_registers = 256;
    gpu.most_group_items = 1024;
    gpu.local_bytes = 64 << 10;
    gpu.most_group_local_bytes = 64 << 10;
    gpu.local_unit = 512;
    return gpu;
}

using Binding = std::vector<OccupancyLimit>;

}  // namespace

TEST_CASE("what binds: work-items, work-groups, registers, local memory") {
    const Occupancy full = occupancy_of(a100(), {.group_items = 256, .registers = 32});
    CHECK(full.groups == 8);
    CHECK(full.sub_groups == 64);
    CHECK(full.percent == 100);
    CHECK(full.binding ==
          Binding{OccupancyLimit::Registers, OccupancyLimit::WorkItems, OccupancyLimit::SubGroups});

    const Occupancy small = occupancy_of(a100(), {.group_items = 32, .registers = 16});
    CHECK(small.groups == 32);
    CHECK(small.percent == 50);
    CHECK(small.binding == Binding{OccupancyLimit::WorkGroups});

    // 65 registers are 72: 16384 / (72 x 32) = 7 sub-groups in each of four partitions.
    const Occupancy many = occupancy_of(a100(), {.group_items = 256, .registers = 65});
    CHECK(many.groups == 3);
    CHECK(many.sub_groups == 24);
    CHECK(many.binding == Binding{OccupancyLimit::Registers});

    // 48 KiB and the reserved KiB: three in 164 KiB.
    const Occupancy tiles =
        occupancy_of(a100(), {.group_items = 256, .registers = 32, .local_bytes = 48 << 10});
    CHECK(tiles.groups == 3);
    CHECK(tiles.binding == Binding{OccupancyLimit::LocalMemory});
}

TEST_CASE("it agrees with the occupancy that AMD's compiler computes") {
    const auto per_simd = [](std::uint32_t registers) {
        return occupancy_of(gfx906(), {.group_items = 64, .registers = registers}).sub_groups / 4;
    };
    // Waves a SIMD by registers: LLVM, AMDGPUBaseInfo, getNumWavesPerEUWithNumVGPRs().
    CHECK(per_simd(24) == 10);
    CHECK(per_simd(25) == 9);
    CHECK(per_simd(38) == 6);
    CHECK(per_simd(73) == 3);
    CHECK(per_simd(256) == 1);
}

TEST_CASE("what does not fit at all, and unknown registers") {
    CHECK(occupancy_of(a100(), {.group_items = 2048}).groups == 0);
    CHECK(occupancy_of(a100(), {.group_items = 64, .local_bytes = 200 << 10}).groups == 0);
    CHECK(occupancy_of(a100(), {.group_items = 64, .registers = 256}).groups == 0);
    CHECK(!occupancy_of(a100(), {.group_items = 64}).knows_registers);
    CHECK(occupancy_of(a100(), {.group_items = 64}).percent == 100);
}

TEST_CASE("the nearest work-group that is better") {
    CHECK(!better_group(a100(), {.group_items = 256, .registers = 32}));
    const auto better = better_group(a100(), {.group_items = 32, .registers = 16});
    REQUIRE(better);
    CHECK(better->group_items == 64);
    CHECK(better->percent == 100);
    // 1024 work-items of 40 registers: one group; a smaller one fills more.
    const auto smaller = better_group(a100(), {.group_items = 1024, .registers = 40});
    REQUIRE(smaller);
    CHECK(smaller->group_items < 1024);
    CHECK(smaller->percent > occupancy_of(a100(), {.group_items = 1024, .registers = 40}).percent);
}
