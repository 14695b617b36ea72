// SPDX-License-Identifier: Apache-2.0
// What looks suspicious and is defined: nothing may be found. At last, what is counted.
#include <algorithm>
#include <cstring>

#include "expect.hpp"

namespace kwb::test {
namespace {

TEST_CASE("a store of one component of a vector is no access to its neighbours") {
    XrayJob job = job_of(
        "__kernel void k(__global float4* out) {\n"
        "    __local float4 t[8];\n"
        "    float4 mine[2];\n"
        "    const int i = get_local_id(0);\n"
        "    if (i % 4 == 0) t[i / 4].x = 1;\n"
        "    else if (i % 4 == 1) t[i / 4].y = 2;\n"
        "    else if (i % 4 == 2) t[i / 4].z = 3;\n"
        "    else t[i / 4].w = 4;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    mine[0].x = t[i / 4].y;\n"
        "    mine[0].yzw = t[i / 4].xzw;\n"
        "    const int g = get_global_id(0);\n"
        "    if (g % 2 == 0) out[g / 2].lo = mine[0].lo;\n"
        "    else out[g / 2].hi = mine[0].hi;\n"
        "}\n");
    job.buffer("out", {Scalar::Float32, 4}, 32, false);
    expect_codes(job, {});
}

TEST_CASE("work-items that store the same value do not race") {
    XrayJob job = job_of(
        "__kernel void k(__global const int* a, __global int* found, __global int* out) {\n"
        "    if (a[get_global_id(0)] == 0) found[0] = 1;\n"
        "    out[get_global_id(0)] = 0;\n"
        "}\n");
    job.buffer("a", kInt, 64).buffer("found", kInt, 1).buffer("out", kInt, 64, false);
    expect_codes(job, {});
}

TEST_CASE("a sum by compare and exchange does not race, although it reads first") {
    XrayJob job = job_of(
        "__kernel void k(__global const float* a, __global float* sum) {\n"
        "    volatile __global int* p = (volatile __global int*)sum;\n"
        "    int seen, old = *p;\n"
        "    do {\n"
        "        seen = old;\n"
        "        old = atomic_cmpxchg(p, seen, as_int(as_float(seen) + a[get_global_id(0)]));\n"
        "    } while (old != seen);\n"
        "}\n");
    job.buffer("a", kFloat, 64).buffer("sum", kFloat, 1);
    expect_codes(job, {});
}

TEST_CASE("a maximum by compare and exchange does not race where a work-item reads and does not try") {
    XrayJob job = job_of(
        "__kernel void k(__global const int* a, __global int* most) {\n"
        "    volatile __global int* p = (volatile __global int*)most;\n"
        "    int seen = *p;\n"
        "    while (seen < a[get_global_id(0)]) {\n"
        "        const int before = seen;\n"
        "        seen = atomic_cmpxchg(p, before, a[get_global_id(0)]);\n"
        "        if (seen == before) return;\n"
        "    }\n"
        "}\n");
    std::vector<std::int32_t> values;
    for (int i = 0; i < 64; ++i) values.push_back(i * 37 % 64 + 1);
    job.ints("a", values).buffer("most", kInt, 1);
    expect_codes(job, {});
}

TEST_CASE("a compare and exchange that fails stores nothing, so others may read") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    __local int n;\n"
        "    const int l = get_local_id(0);\n"
        "    if (l == 0) n = 0;\n"
        "    for (int i = 0, mine = -1; i < 32; ++i) {\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        const int before = n;\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        if (mine < 0 && atomic_cmpxchg(&n, before, before + 1) == before)\n"
        "            out[get_global_id(0)] = mine = n;\n"
        "    }\n"
        "}\n");
    job.buffer("out", kInt, 64, false);
    expect_codes(job, {});
    job.source.replace(job.source.find("atomic_cmpxchg(&n, before, before + 1) == before"), 48,
                       "atomic_inc(&n) == before");
    expect_codes(job, {"data_race"});
}

TEST_CASE("atomic_xchg sets what nobody has set") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out, __global float* last) {\n"
        "    atomic_xchg(out + get_global_id(0), 1);\n"
        "    atomic_xchg(last, 2.0f);\n"
        "    atomic_inc(out + get_global_id(0));\n"
        "}\n");
    job.buffer("out", kInt, 64, false).buffer("last", kFloat, 1, false);
    expect_codes(job, {});
    job.source.replace(job.source.find("atomic_xchg"), 11, "atomic_add");
    expect_codes(job, {"unset_read"});
}

TEST_CASE("the last group may read what groups have written before a fence and an atomic operation") {
    XrayJob job = job_of(
        "__kernel void k(__global const float* a, __global float* part, __global int* count,\n"
        "                __global float* out) {\n"
        "    __local int is_last;\n"
        "    const int l = get_local_id(0);\n"
        "    if (l == 0) {\n"
        "        part[get_group_id(0)] = a[get_group_id(0)];\n"
        "        mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
        "        is_last = atomic_inc(count) == get_num_groups(0) - 1;\n"
        "    }\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (!is_last || l != 0) return;\n"
        "    float sum = 0;\n"
        "    for (int i = 0; i < get_num_groups(0); ++i) sum += part[i];\n"
        "    out[0] = sum;\n"
        "}\n");
    job.buffer("a", kFloat, 2)
        .buffer("part", kFloat, 2, false)
        .buffer("count", kInt, 1)
        .buffer("out", kFloat, 1, false);
    expect_codes(job, {});
    job.source.replace(job.source.find("mem_fence(CLK_GLOBAL_MEM_FENCE);"), 32, "");
    expect_codes(job, {"data_race"});
}

TEST_CASE("within a group, a fence and an atomic operation order, too: the last work-item, and a lock") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out, __global int* lock) {\n"
        "    __local int x[32], done;\n"
        "    const int l = get_local_id(0);\n"
        "    if (l == 0) done = 0;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    x[l] = l;\n"
        "    mem_fence(CLK_LOCAL_MEM_FENCE);\n"
        "    if (atomic_inc(&done) != 31) return;\n"
        "    int sum = 0;\n"
        "    for (int i = 0; i < 32; ++i) sum += x[i];\n"
        "    out[get_group_id(0)] = sum;\n"
        "}\n");
    job.buffer("out", kInt, 2).ints("lock", {0});
    expect_codes(job, {});
    const std::string fence = "mem_fence(CLK_LOCAL_MEM_FENCE);";
    std::string late = job.source;
    late.replace(late.find(fence), fence.size(), "");
    late.insert(late.find("    int sum"), fence);
    job.source = late;
    expect_codes(job, {"data_race"});
    job.source =
        "__kernel void k(__global int* out, __global int* lock) {\n"
        "    while (atomic_cmpxchg(lock, 0, 1) == 1);\n"
        "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
        "    out[0] = out[0] + 1;\n"
        "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
        "    atomic_xchg(lock, 0);\n"
        "}\n";
    expect_codes(job, {"waits_for_others"});  // no race, but no progress is promised
    job.source.insert(job.source.rfind("}"), "    out[0] = 7 + get_global_id(0);\n");  // after the release
    expect_codes(job, {"data_race", "waits_for_others"});
}

TEST_CASE("initialized private arrays are set, whatever their values") {
    XrayJob job = job_of(
        "struct P { int a; float b; };\n"
        "__kernel void k(__global float* out) {\n"
        "    const int i = get_local_id(0);\n"
        "    int ones[4] = {-1, -1, -1, -1};\n"
        "    float zeros[8] = {0};\n"
        "    struct P p = {1, 2};\n"
        "    struct P q = p;\n"
        "    float late[4];\n"
        "    for (int j = 0; j < 4; ++j) late[j] = j;\n"
        "    out[get_global_id(0)] = ones[i & 3] + zeros[i & 7] + q.b + late[i & 3];\n"
        "}\n");
    job.buffer("out", kFloat, 64, false);
    expect_codes(job, {});
}

TEST_CASE("asynchronous copies are ordered by wait_group_events, and race without it") {
    XrayJob job = job_of(
        "__kernel void k(__global const float* a, __global float* out) {\n"
        "    __local float t[32];\n"
        "    event_t e = async_work_group_copy(t, a + get_group_id(0) * 32, 32, 0);\n"
        "    wait_group_events(1, &e);\n"
        "    out[get_global_id(0)] = t[31 - get_local_id(0)];\n"
        "}\n");
    job.buffer("a", kFloat, 64).buffer("out", kFloat, 64, false);
    expect_codes(job, {});
    job.xray.keep_counts = true;
    const XrayReport counted = *expect_codes(job, {}).report;
    CHECK(std::ranges::all_of(counted.lines, [](const XrayLine& l) { return l.place.file.empty(); }));
    const std::string wait = "wait_group_events(1, &e);";
    job.source.replace(job.source.find(wait), wait.size(), "");
    expect_codes(job, {"data_race"});
    job.source.replace(job.source.find("    out"), 0, "    barrier(CLK_LOCAL_MEM_FENCE);\n");
    const Finding race = expect_codes(job, {"data_race"}).find(FindingCode::DataRace);
    CHECK(race.text("first_item").starts_with("group"));
    CHECK(race.text("fence").empty());
    job.source.replace(job.source.find("    out"), 0, "    " + wait + "\n");
    expect_codes(job, {});
}

TEST_CASE("functions of the whole group and of sub-groups give what they promise") {
    XrayJob job = job_of(
        "__kernel void k(__global const int* a, __global int* out) {\n"
        "    const int x = a[get_global_id(0)];\n"
        "    out[get_global_id(0)] = work_group_reduce_add(x) * 1000000 + work_group_scan_inclusive_add(x) * "
        "1000\n"
        "        + sub_group_reduce_max(x) + sub_group_broadcast(x, 1);\n"
        "}\n");
    job.options = "-cl-std=CL3.0";
    job.global = job.local = {8};
    job.xray.sub_group = 4;
    job.ints("a", {1, 2, 3, 4, 5, 6, 7, 8}).buffer("out", kInt, 8, false);
    const XrayAnswer answer = expect_codes(job, {});
    std::vector<std::int32_t> out(8);
    std::memcpy(out.data(), answer.downloads[1].data(), 32);
    CHECK(out == std::vector<std::int32_t>{36'001'006, 36'003'006, 36'006'006, 36'010'006, 36'015'014,
                                           36'021'014, 36'028'014, 36'036'014});
}

TEST_CASE("vectors, halves, structures, constants and printf are observed") {
    XrayJob job = job_of(
        "__constant float table[4] = {1, 2, 3, 4};\n"
        "typedef struct { float x; char tag; } item_t;\n"
        "__kernel void k(__global const float* a, __global item_t* items, __global half* h) {\n"
        "    const int i = get_global_id(0);\n"
        "    const float4 v = vload4(i / 4, a);\n"
        "    items[i].x = v.y + table[i & 3];\n"
        "    items[i].tag = 1;\n"
        "    vstore_half(v.x, i, h);\n"
        "    printf(\"%f\\n\", a[i]);\n"
        "}\n");
    job.buffer("a", kFloat, 64).buffer("items", kFloat, 128, false).buffer("h", {Scalar::Float16}, 64, false);
    expect_codes(job, {});
}

TEST_CASE("what functions store through a pointer is set, whatever they store and wherever") {
    XrayJob job = job_of(
        "float fract(float x) { return x - floor(x); }\n"
        "void sincos(float x, float* s, float* c) { *s = sin(x); *c = cos(x); }\n"
        "__kernel void k(__global const float* a, __global float* out, __global half* h) {\n"
        "    __local float4 whole[32];\n"
        "    __local int q[32];\n"
        "    const int i = get_global_id(0), l = get_local_id(0);\n"
        "    int e[1];\n"
        "    int2 e2[1];\n"
        "    float s[1], c[1];\n"
        "    float m = frexp(a[i], e) + fract(a[i]);\n"
        "    m += e[0] + sincos(a[i], out + i) + remquo(a[i], 2.0f, q + l);\n"
        "    m += modf(vload4(i / 4, a), &whole[l]).y + frexp((float2)(m, a[i]), e2).x + lgamma_r(m, q + "
        "l);\n"
        "    sincos(fract(m, s), s, c);\n"
        "    out[i] += m + whole[l].x + q[l] + e2[0].y + s[0] + c[0];\n"
        "    vstore_half(a[i], i, h);\n"
        "    vstore_half4((float4)(a[i]), i / 4, h);\n"
        "}\n");
    job.buffer("a", kFloat, 64).buffer("out", kFloat, 64, false).buffer("h", {Scalar::Float16}, 64, false);
    expect_codes(job, {});
}

TEST_CASE("work-items take another order from seed to seed, and a race becomes another result") {
    XrayJob job = job_of("__kernel void k(__global int* out) { out[0] = get_global_id(0) + 1; }\n");
    job.global = job.local = {64};
    job.buffer("out", kInt, 1);
    const auto last = [&](std::uint64_t seed) {
        job.xray.order_seed = seed;
        return observe(KWB_XRAY_PROGRAM, job).downloads.at(0);
    };
    CHECK(last(1) == last(1));
    CHECK((last(1) != last(2) || last(1) != last(3)));
}

TEST_CASE("accesses are counted for each element and for each access of the source") {
    XrayJob job = job_of(
        "__kernel void k(__global const float* a, __global float* out) {\n"
        "    float sum = 0;\n"
        "    for (int i = 0; i < 4; ++i)\n"
        "        sum += a[i * 64 + get_global_id(0)] + a[i];\n"
        "    out[get_global_id(0)] = sum;\n"
        "}\n");
    job.xray.keep_counts = true;
    job.buffer("a", kFloat, 256).buffer("out", kFloat, 64, false);
    const XrayReport report = *expect_codes(job, {}).report;
    REQUIRE(report.buffers.size() == 2);
    CHECK(report.buffers[0].loads == 64 * 4 * 2);
    CHECK(report.buffers[0].elements_loaded == 256);
    CHECK(report.buffers[1].stores == 64);
    REQUIRE(report.sites.size() == 3);
    CHECK(report.sites[0].place.line == 4);
    CHECK(report.sites[0].pattern == AccessPattern::Contiguous);
    CHECK(report.sites[0].sub_group_accesses == 2 * 4);
    CHECK(report.sites[0].sectors == 2 * 4 * 4);
    CHECK(report.sites[1].pattern == AccessPattern::Broadcast);
    CHECK(report.sites[1].sectors == 2 * 4);
    CHECK(report.sites[2].kind == AccessKind::Store);
    const auto line = std::ranges::find(report.lines, 4u, [](const XrayLine& l) { return l.place.line; });
    REQUIRE(line != report.lines.end());
    CHECK(line->executions == 64 * 4);
}

TEST_CASE("accesses of a sub-group end at barriers, and runs of neighbours are counted") {
    XrayJob job = job_of(
        "__kernel void k(__global float* out) {\n"
        "    __local float t[64];\n"
        "    const int l = get_local_id(0);\n"
        "    for (int i = 0; i < 4; ++i) {\n"
        "        if ((l & 3) == i) t[l] = i;\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    }\n"
        "    float sum = 0;\n"
        "    for (int i = 0; i < 8; ++i) sum += t[i];\n"
        "    out[get_global_id(0)] = sum;\n"
        "}\n");
    job.xray.keep_counts = true;
    job.buffer("out", kFloat, 64, false);
    const XrayReport report = *expect_codes(job, {}).report;
    const auto stored = std::ranges::find(report.sites, 5u, [](const XraySite& s) { return s.place.line; });
    REQUIRE(stored != report.sites.end());
    CHECK(stored->executions == 64);
    CHECK(stored->sub_group_accesses == 2 * 4);
    CHECK(stored->active_lanes == 64);
    CHECK(stored->adjacent == 0);
    const auto read = std::ranges::find(report.sites, 9u, [](const XraySite& s) { return s.place.line; });
    REQUIRE(read != report.sites.end());
    CHECK(read->adjacent == 64 * 7);
    CHECK(!report.buffers[read->buffer].is_argument);
}

TEST_CASE("a vload whose name is pasted together is observed") {
    XrayJob job = job_of(
        "#define JOIN_(a, b) a##b\n"
        "#define JOIN(a, b) JOIN_(a, b)\n"
        "#define load JOIN(vload, 4)\n"
        "#define store JOIN(vstore, 4)\n"
        "__kernel void k(__global const float* a, __global float* out) {\n"
        "    store(load(get_global_id(0), a), get_global_id(0), out);\n"
        "}\n");
    job.xray.keep_counts = true;
    job.buffer("a", kFloat, 256).buffer("out", kFloat, 256, false);
    const XrayReport report = *expect_codes(job, {}).report;
    REQUIRE(report.sites.size() == 2);
    CHECK(report.sites[0].width_bytes == 16);
    CHECK(report.sites[0].executions == 64);
    CHECK(report.sites[1].executions == 64);
}

TEST_CASE("divergence is the share of lanes that a line leaves idle") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    const int i = get_global_id(0);\n"
        "    int n = 0;\n"
        "    if (i % 4 == 0)\n"
        "        n = 1;\n"
        "    out[i] = n;\n"
        "}\n");
    job.xray.keep_counts = true;
    job.buffer("out", kInt, 64, false);
    const XrayReport report = *expect_codes(job, {}).report;
    const auto line = std::ranges::find(report.lines, 5u, [](const XrayLine& l) { return l.place.line; });
    REQUIRE(line != report.lines.end());
    CHECK(line->executions * 4 == line->lanes);
}

TEST_CASE("too large a run is sampled by whole groups, with the first and the last one, and said") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) { for (int i = 0; i < 100; ++i) out[get_global_id(0)] = i; }\n");
    job.global = {32 * 1000};
    job.buffer("out", kInt, 32 * 1000, false);
    job.xray.most_events = 100'000;
    job.xray.keep_counts = true;
    const XrayReport report = *expect_codes(job, {}).report;
    CHECK(report.launches.at(0).groups == 1000);
    CHECK(report.launches.at(0).observed_groups < 20);
    CHECK(report.launches.at(0).observed_groups > 2);
    CHECK(report.buffers.at(0).stores_of_cell.front() == 100);
    CHECK(report.buffers.at(0).stores_of_cell.back() == 100);
    REQUIRE(report.remarks.size() == 1);
    CHECK(report.remarks.front().code == FindingCode::XraySampled);
    // Counts are those of the whole launch.
    CHECK(report.buffers.at(0).basis == CountBasis::Scaled);
    CHECK(report.buffers.at(0).stores == 100 * 32 * 1000);
    CHECK(report.buffers.at(0).elements_stored == 32 * 1000);
    REQUIRE(report.sites.size() == 1);
    CHECK(report.sites.front().executions == 100 * 32 * 1000);
    CHECK(report.sites.front().sub_group_accesses == 100 * 1000);
}

TEST_CASE("counts of __local memory are those of one work-group") {
    XrayJob job = job_of(
        "__kernel void k(__global const int* a, __global int* out) {\n"
        "    __local int t[32];\n"
        "    const int l = get_local_id(0);\n"
        "    t[l] = a[get_global_id(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = t[l] + t[31 - l];\n"
        "}\n");
    job.global = {32 * 7};
    job.xray.keep_counts = true;
    job.buffer("a", kInt, 32 * 7).buffer("out", kInt, 32 * 7, false);
    const XrayReport report = *expect_codes(job, {}).report;
    const auto tile = std::ranges::find(report.buffers, "t", &XrayBuffer::name);
    REQUIRE(tile != report.buffers.end());
    CHECK(tile->loads == 64);
    CHECK(tile->stores == 32);
    CHECK(tile->elements_loaded == 32);
    CHECK(std::ranges::max(tile->loads_of_cell) == 2);
    CHECK(report.launches.at(0).barriers == 7);
}

TEST_CASE("what groups use that differ from each other is estimated, and said to be") {
    // Each group reads its own number of elements.
    XrayJob job = job_of(
        "__kernel void k(__global const int* a, __global int* out) {\n"
        "    int sum = 0;\n"
        "    for (int i = 0; i <= get_group_id(0); ++i) sum += a[i];\n"
        "    out[get_global_id(0)] = sum;\n"
        "}\n");
    job.global = {32 * 1000};
    job.xray.keep_counts = true;
    job.xray.most_events = 3'000'000;
    job.buffer("a", kInt, 1000).buffer("out", kInt, 32 * 1000, false);
    const XrayReport report = *expect_codes(job, {}).report;
    CHECK(report.launches.at(0).observed_groups < 200);
    CHECK(report.buffers.at(0).basis == CountBasis::Estimated);
    CHECK(report.buffers.at(1).basis == CountBasis::Scaled);
    CHECK(report.buffers.at(1).stores == 32 * 1000);
    CHECK(static_cast<double>(report.buffers.at(0).loads) ==
          doctest::Approx(32.0 * 1000 * 1001 / 2).epsilon(0.1));
}

TEST_CASE("a store of a component is no load") {
    XrayJob job = job_of("__kernel void k(__global float4* out) { out[get_global_id(0)].y = 1; }\n");
    job.xray.keep_counts = true;
    job.buffer("out", {Scalar::Float32, 4}, 64, false);
    const XrayReport report = *expect_codes(job, {}).report;
    CHECK(report.buffers.at(0).loads == 0);
    CHECK(report.buffers.at(0).stores == 64);
    CHECK(report.sites.size() == 1);
}

TEST_CASE("the accesses of one group are told in order") {
    XrayJob job = job_of(
        "__kernel void k(__global const int* a, __global int* out) {\n"
        "    __local int t[32];\n"
        "    t[get_local_id(0)] = a[get_global_id(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = t[31 - get_local_id(0)];\n"
        "}\n");
    job.xray.keep_counts = true;
    job.xray.trace_group = {1};
    job.buffer("a", kInt, 64).buffer("out", kInt, 64, false);
    const XrayReport report = *expect_codes(job, {}).report;
    REQUIRE(report.trace.has_value());
    const XrayTrace& trace = *report.trace;
    REQUIRE(trace.items.size() == 32 * 4);
    CHECK(trace.is_whole);
    CHECK(report.sites[trace.sites[0]].place.line == 3);
    CHECK(trace.elements[0] == 32);
    CHECK(trace.intervals.front() == 0);
    CHECK(trace.intervals.back() == 1);
}

TEST_CASE("the traced group is observed, also where only few groups are") {
    XrayJob job = job_of(
        "__kernel void k(__global const int* a, __global int* out) {\n"
        "    out[get_global_id(0)] = a[get_global_id(0)];\n"
        "}\n");
    constexpr std::uint64_t kItems = 32 * 1000;
    job.global = {kItems};
    job.xray.keep_counts = true;
    job.xray.most_events = 1'000;
    job.xray.trace_group = {777};
    job.buffer("a", kInt, kItems).buffer("out", kInt, kItems, false);
    const XrayReport report = *expect_codes(job, {}).report;
    CHECK(report.launches[0].observed_groups < 100);
    REQUIRE(report.trace.has_value());
    REQUIRE(!report.trace->elements.empty());
    CHECK(report.trace->elements[0] == 32 * 777);
}

}  // namespace
}  // namespace kwb::test
