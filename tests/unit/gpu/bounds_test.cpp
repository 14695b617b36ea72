// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "gpu/gpu_view.hpp"
#include "gpu/lower_bound.hpp"
#include "gpu/occupancy.hpp"

// --- gpu/occupancy.hpp ---

// Occupancy against figures that vendors print.

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

// --- gpu/lower_bound.hpp ---

// Lower bounds of time, against arithmetic by hand.

namespace {

/// Ten compute units at 1 GHz: 10^7 clocks in a millisecond.
GpuProfile simple_gpu() {
    GpuProfile gpu;
    gpu.name = "ten";
    gpu.sub_group = 32;
    gpu.compute_units = 10;
    gpu.clock_mhz = 1000;
    gpu.bandwidth_gbs = 100;
    gpu.peak_gflops = 1000;
    gpu.partitions = 1;
    gpu.most_items = gpu.most_group_items = 1024;
    gpu.most_groups = gpu.most_single_groups = gpu.most_sub_groups = 32;
    gpu.most_registers = 255;
    gpu.register_unit = 1;
    gpu.local_bytes = gpu.most_group_local_bytes = 64 << 10;
    gpu.local_unit = 1;
    gpu.last_level_bytes_per_clock = 1000;
    gpu.cache_bytes_per_clock = 128;
    gpu.local_bytes_per_clock = 128;
    gpu.accesses_per_clock = 1;
    gpu.instructions_per_clock = 4;
    return gpu;
}

/// One launch of 100 groups: 10^6 accesses of sub-groups to global memory at line
/// 3, of `sectors` each, and as many to local memory at line 4, of `banks` cycles each.
XrayReport report(std::uint64_t sectors, std::uint64_t banks) {
    XrayReport all;
    all.launches = {{.kernel = "k",
                     .global = {3200},
                     .local = {32},
                     .groups = 100,
                     .observed_groups = 10,  // counts are those of all the same
                     .barriers = 0}};
    all.buffers.resize(2);
    all.buffers[1].space = AddressSpace::Local;
    all.buffers[1].element_bytes = 4;
    all.buffers[1].extents = {256};
    XraySite global;
    global.place = {"", 3, 5};
    global.width_bytes = 4;
    global.executions = 32'000'000;
    global.sub_group_accesses = 1'000'000;
    global.sectors = sectors * 1'000'000;
    XraySite local = global;
    local.place = {"", 4, 5};
    local.buffer = 1;
    local.sectors = 0;
    local.bank_cycles = banks * 1'000'000;
    all.sites = {global, local};
    return all;
}

TargetReport compiled(const char* load, const char* read) {
    TargetReport target;
    MachineCode code;
    code.kernel = "k";
    code.registers = 64;
    if (*load != '\0') code.assembly.push_back({load, {"", 3, 5}});
    if (*read != '\0') code.assembly.push_back({read, {"", 4, 5}});
    target.kernels = {code};
    return target;
}

}  // namespace

TEST_CASE("sectors, bank cycles, issue, arithmetic and memory, each alone") {
    const TargetReport code = compiled("ld.global.f32 %f1, [%rd1];", "ld.shared.f32 %f2, [%rd2];");
    // 10^6 accesses of 8 sectors, 2 clocks each, over 10^7 clocks in a millisecond
    LowerBound bound = lower_bound_of(simple_gpu(), report(8, 1), &code, {});
    CHECK(bound.cache_ms == doctest::Approx(0.2));
    CHECK(bound.local_ms == doctest::Approx(0.1));
    CHECK(bound.issue_ms == doctest::Approx(0.05));
    CHECK(bound.by == BoundKind::Cache);
    CHECK(bound.ms == doctest::Approx(0.2));

    // A single sector still takes the clock in which the access starts; bank conflicts cost a clock each.
    bound = lower_bound_of(simple_gpu(), report(1, 3), &code, {});
    CHECK(bound.cache_ms == doctest::Approx(0.1));
    CHECK(bound.local_ms == doctest::Approx(0.3));
    CHECK(bound.by == BoundKind::LocalMemory);

    // 10^9 operations at 1000 GFLOP/s; 1.1 x 10^8 bytes, of which the cache may hold a tenth, at 100 GB/s
    GpuProfile gpu = simple_gpu();
    gpu.cache_bytes = 10'000'000;
    bound = lower_bound_of(gpu, report(1, 1), &code, {1e9, 1.1e8});
    CHECK(bound.arithmetic_ms == doctest::Approx(1));
    CHECK(bound.memory_ms == doctest::Approx(1));
    CHECK(bound.issue_ms == doctest::Approx((2e6 + 1e9 / 64) / 4 / 1e7));
}

TEST_CASE(
    "what must move passes the last-level cache, and scattered stores with it where they are written "
    "through") {
    GpuProfile gpu = simple_gpu();
    gpu.cache_bytes = 400'000'000;
    // 1000 bytes a clock at 1 GHz
    const double compulsory = 3e8;
    LowerBound bound = lower_bound_of(gpu, report(8, 1), nullptr, {std::nullopt, compulsory});
    CHECK(bound.last_level_ms == doctest::Approx(0.3));
    XrayReport stores = report(32, 1);  // 32 sectors for 128 bytes
    stores.sites[0].kind = AccessKind::Store;
    stores.sites[0].requested_bytes = stores.sites[0].executions * 4;
    CHECK(lower_bound_of(gpu, stores, nullptr, {std::nullopt, compulsory}).last_level_ms ==
          doctest::Approx(0.3));
    gpu.writes_through = true;
    bound = lower_bound_of(gpu, stores, nullptr, {std::nullopt, compulsory});
    CHECK(bound.last_level_ms == doctest::Approx(0.3 + (1024 - 128) * 1e6 / 1e9));
    CHECK(bound.by == BoundKind::LastLevel);
}

TEST_CASE("a bound is told only if the second one is clearly lower") {
    CHECK(lower_bound_of(simple_gpu(), report(8, 1), nullptr, {}).by == BoundKind::Cache);
    CHECK_FALSE(lower_bound_of(simple_gpu(), report(4, 1), nullptr, {}).by.has_value());
}

TEST_CASE("what the compiler merges or removes counts less") {
    const auto bound_for = [](const char* load, const char* read) {
        const TargetReport code = compiled(load, read);
        return lower_bound_of(simple_gpu(), report(8, 4), &code, {});
    };
    CHECK(bound_for("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", "").cache_ms == doctest::Approx(0.05));
    CHECK(bound_for("global_load_dwordx2 v[0:1], v2, s[0:1]", "").cache_ms == doctest::Approx(0.1));
    CHECK(bound_for("", "ds_read_b128 v[0:3], v4").local_ms == doctest::Approx(0.1));
    CHECK(bound_for("", "").ms == 0);
    CHECK(bound_for("add.s32 %r1, %r2, %r3;", "mul.f32 %f1, %f2, %f3;").ms == 0);
    // Without machine code, four floats may be one access where a compiler finds neighbours to merge: of the
    // same access, or of another one.
    XrayReport seen = report(8, 4);
    CHECK(lower_bound_of(simple_gpu(), seen, nullptr, {}).cache_ms == doctest::Approx(0.2));
    seen.sites[0].adjacent = seen.sites[0].executions * 99 / 100;
    CHECK(lower_bound_of(simple_gpu(), seen, nullptr, {}).cache_ms == doctest::Approx(0.05));
    seen.sites[0].adjacent = 0;
    seen.sites.push_back(seen.sites[0]);
    seen.sites[2].sub_group_accesses = seen.sites[2].sectors = 0;
    CHECK(lower_bound_of(simple_gpu(), seen, nullptr, {}).cache_ms == doctest::Approx(0.05));
}

TEST_CASE("an unrolled loop that loads once what several iterations use counts those loads") {
    TargetReport code = compiled("ld.global.f32 %f1, [%rd1];", "ld.shared.f32 %f2, [%rd2];");
    const double whole = lower_bound_of(simple_gpu(), report(8, 4), &code, {}).local_ms;
    for (int i = 0; i < 4; ++i)
        code.kernels[0].assembly.push_back({"fma.rn.f32 %f3, %f2, %f1, %f3;", {"", 4, 9}});
    CHECK(lower_bound_of(simple_gpu(), report(8, 4), &code, {}).local_ms == doctest::Approx(whole / 4));
    // Four loads for four iterations: all are kept. Two vectors of two are as many.
    for (int i = 0; i < 3; ++i)
        code.kernels[0].assembly.push_back({"ld.shared.f32 %f2, [%rd2];", {"", 4, 5}});
    CHECK(lower_bound_of(simple_gpu(), report(8, 4), &code, {}).local_ms == doctest::Approx(whole));
}

TEST_CASE("neighbours in local memory may be read as vectors") {
    const TargetReport code = compiled("", "ld.shared.f32 %f2, [%rd2];");
    XrayReport seen = report(8, 4);
    seen.sites[1].adjacent = seen.sites[1].executions / 2;
    CHECK(lower_bound_of(simple_gpu(), seen, &code, {}).local_ms == doctest::Approx(0.2));
    seen.sites[1].adjacent = seen.sites[1].executions * 99 / 100;
    CHECK(lower_bound_of(simple_gpu(), seen, &code, {}).local_ms == doctest::Approx(0.1));
}

TEST_CASE("a view has local memory, registers and the bound, where they are known") {
    const TargetReport code = compiled("ld.global.f32 %f1, [%rd1];", "ld.shared.f32 %f2, [%rd2];");
    GpuProfile gpu = simple_gpu();
    gpu.registers = 32'768;
    const GpuView view = view_on(gpu, report(8, 1), &code, {});
    REQUIRE(view.launches.size() == 1);
    CHECK(view.launches[0].local_bytes == 1024);
    TargetReport removed = code;
    removed.kernels[0].local_bytes = 0;
    CHECK(view_on(gpu, report(8, 1), &removed, {}).launches[0].local_bytes == 0);
    XrayReport given = report(8, 1);
    given.buffers[1].is_argument = true;
    CHECK(view_on(gpu, given, &removed, {}).launches[0].local_bytes == 1024);
    CHECK(view.launches[0].registers == 64);
    CHECK(view.launches[0].occupancy.groups == 16);
    CHECK(view.at_least.has_value());

    CHECK(!view_on(gpu, report(8, 1), nullptr, {}).launches[0].occupancy.knows_registers);
    XrayReport other = report(8, 1);
    other.sub_group = 64;
    CHECK(!view_on(gpu, other, &code, {}).at_least);
    XrayReport none = report(8, 1);
    none.launches[0].observed_groups = 0;
    CHECK(!view_on(gpu, none, &code, {}).at_least);
    gpu.registers = 0;
    CHECK(view_on(gpu, report(8, 1), nullptr, {}).launches[0].occupancy.knows_registers);
}

TEST_CASE(
    "a view has the memory for lack of registers, and the share of double precision in the source's code") {
    TargetReport code = compiled("ld.global.f64 %fd1, [%rd1];", "cvt.f64.f32 %fd2, %f1;");
    const auto launch_of = [&] { return view_on(simple_gpu(), report(8, 1), &code, {}).launches[0]; };
    CHECK_FALSE(launch_of().double_share);
    CHECK_FALSE(launch_of().scratch_bytes);
    code.kernels[0].scratch_bytes = 64;
    CHECK(launch_of().scratch_bytes == 64u);
    std::vector<AssemblyLine>& lines = code.kernels[0].assembly;
    lines.push_back({"fma.rn.f32 %f3, %f2, %f1, %f3;", {"", 4, 9}});
    CHECK(launch_of().double_share == 0);
    lines.push_back({"@%p1 add.f64 %fd3, %fd2, %fd1;", {"", 4, 9}});
    lines.push_back({"v_fma_f64 v[0:1], v[0:1], v[2:3], v[4:5]", {"", 4, 9}});
    lines.push_back({"fma.rn.f64 %fd3, %fd2, %fd1, %fd3;", {}});  // of a built-in function
    CHECK(launch_of().double_share == doctest::Approx(2.0 / 3));
}
