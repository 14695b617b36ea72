// SPDX-License-Identifier: Apache-2.0
// What-if experiments: changed texts, and memory that stands for whole buffers.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "judge/whatif/changed_kernel.hpp"
#include "judge/whatif/near_subscripts.hpp"
#include "judge/whatif/planned.hpp"
#include "source/read.hpp"
#include "support/words.hpp"

namespace kwb::test {
namespace {

ChangedKernel change_of(const std::string& text, WhatIf what) {
    KernelPlan plan;
    plan.file = "k.cl";
    plan.source_text = text;
    const Reading reading = read_source(source_text_of(plan));
    REQUIRE_MESSAGE(reading.program, reading.failure);
    return change_kernel(plan, *reading.program, what);
}

std::optional<KernelPlan> change(const std::string& text, WhatIf what) {
    ChangedKernel changed = change_of(text, what);
    CHECK(changed.obstacle == "");
    return std::move(changed.plan);
}

/// Reads the changed text again: it must compile.
void check_compiles(const KernelPlan& plan) {
    const Reading reading = read_source(source_text_of(plan));
    REQUIRE_MESSAGE(reading.program, reading.failure);
    for (const source::Fault& fault : reading.program->faults) CHECK(fault.message == "");
}

constexpr const char* kBarriers =
    "__kernel void shift(__global float* a, __local float* t) {  // { not here\n"
    "    t[get_local_id(0)] = a[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[get_global_id(0)] = t[0];\n"
    "}\n";

TEST_CASE("without barriers, the lines keep their numbers") {
    const auto changed = change(kBarriers, WhatIf::NoBarriers);
    REQUIRE(changed);
    CHECK(changed->source_text.ends_with(std::string("#line 1\n") + kBarriers));
    const Reading reading = read_source(source_text_of(*changed));
    REQUIRE(reading.program);
    for (const source::Function& function : reading.program->functions)
        for (const source::Call& call : function.calls) CHECK_FALSE(source::is_barrier(call.name));
}

TEST_CASE("nothing to take away is no experiment") {
    const std::string plain = "__kernel void f(__global float* a) { a[get_global_id(0)] = 1; }\n";
    CHECK_FALSE(change(plain, WhatIf::NoBarriers));
    CHECK_FALSE(change(plain, WhatIf::NoAtomicity));
}

TEST_CASE("empty kernels return first; other functions stay") {
    const auto changed = change(std::string("float half_of(float x) { return x / 2; }\n") + kBarriers +
                                    "__kernel\n__attribute__((reqd_work_group_size(8, 1, 1)))\n"
                                    "void other(__global float* a)\n{\n    a[0] = half_of(a[0]);\n}\n",
                                WhatIf::EmptyKernel);
    REQUIRE(changed);
    CHECK(says(changed->source_text, "__local float* t) {return;  // { not here"));
    CHECK(says(changed->source_text, "float half_of(float x) { return x / 2; }"));
    CHECK(changed->source_text.find("void other(__global float* a)\n{return;\n") != std::string::npos);
    check_compiles(*changed);
}

TEST_CASE("what cannot be taken away whole is not taken away in part") {
    const auto refused = [](const std::string& text, WhatIf what, const char* why) {
        INFO(text);
        const ChangedKernel changed = change_of(text, what);
        CHECK_FALSE(changed.plan);
        CHECK(changed.obstacle == why);
    };
    // The next brace is another function's.
    refused(
        "#define HEAD(name) __kernel void name(__global float* a)\n#define BODY { a[0] = 1; }\n"
        "HEAD(f) BODY\n__kernel void g(__global float* a) { a[0] = 2; }\n",
        WhatIf::EmptyKernel, "the head of f is made by a macro");
    refused(
        "__kernel void f(volatile __global int* a, volatile __global atomic_int* b) {\n"
        "    atomic_add(a, 1);\n    atomic_fetch_add(b, 1);\n}\n",
        WhatIf::NoAtomicity, "it calls atomic functions of OpenCL 2");
    refused("float g(float x) { return x; }\n", WhatIf::EmptyKernel, "it has no kernel function");
}

TEST_CASE("every atomic function of OpenCL 1 has an ordinary one, in both spaces and types") {
    std::string text =
        "__kernel void f(volatile __global int* a, __local uint* b, __global int* c) {\n"
        "    int old = atomic_add(a, 1) + atomic_sub(a, 1) + atomic_inc(c) + atomic_dec(c) + "
        "atomic_cmpxchg(a, 1, 2);\n"
        "    uint was = atomic_min(b, 1u) + atomic_max(b, 1u) + atomic_and(b, 1u) + atomic_or(b, 1u) + "
        "atomic_xor(b, 1u) + atom_xchg(b, 1u) + atom_inc(b);\n"
        "    c[0] = old + (int)was;\n"
        "}\n";
    const auto changed = change(text, WhatIf::NoAtomicity);
    REQUIRE(changed);
    check_compiles(*changed);
}

ChangedKernel near(const std::string& text, const std::vector<BoundParameter>& parameters) {
    KernelPlan plan;
    plan.file = "k.cl";
    plan.source_text = text;
    const Reading reading = read_source(source_text_of(plan));
    REQUIRE_MESSAGE(reading.program, reading.failure);
    return keep_subscripts_near(plan, *reading.program, parameters, 4096);
}

TEST_CASE("every subscript of a buffer stays near its beginning, whatever else the line has") {
    const std::string text =
        "#define SQUARE(x) ((x) * (x))\n"
        "__kernel void f(__global const float4* A, __global const int* at, __global float* C) {\n"
        "    // A[7] is not code\n"
        "    size_t i = get_global_id(0);\n"
        "    C[i] = A[at[i] + 1].x + SQUARE(A [ i ].y) + /* A[ */ C[0];\n"
        "}\n";
    const ChangedKernel one = near(text, {{"f", 0, "X"}});
    REQUIRE_MESSAGE(one.plan, one.obstacle);
    CHECK(says(one.plan->source_text, "// A[7] is not code"));
    CHECK(says(one.plan->source_text,
               "C[i] = A[(at[i] + 1) & (4096 / sizeof(*A) - 1)].x + "
               "SQUARE(A [( i ) & (4096 / sizeof(*A) - 1)].y) + /* A[ */ C[0];"));
    check_compiles(*one.plan);
    const ChangedKernel both = near(text, {{"f", 0, "X"}, {"f", 1, "Y"}});
    REQUIRE(both.plan);
    CHECK(says(both.plan->source_text,
               "A[(at[(i) & (4096 / sizeof(*at) - 1)] + 1) & (4096 / sizeof(*A) - 1)].x"));
    check_compiles(*both.plan);
}

TEST_CASE("a buffer that is used otherwise than by subscripts in the text is not changed") {
    const auto obstacle = [](const std::string& body, const std::string& before = "") {
        const ChangedKernel changed =
            near(before + "__kernel void f(__global const float* A, __global float* C) {\n" + body + "\n}\n",
                 {{"f", 0, "A"}});
        CHECK_FALSE(changed.plan);
        return changed.obstacle;
    };
    const std::string otherwise = "A is used in another way than A[…], or inside a macro";
    CHECK(obstacle("C[0] = *A;") == otherwise);
    CHECK(obstacle("__global const float* p = A + 3; C[0] = p[0] + A[1];") == otherwise);
    CHECK(obstacle("C[0] = vload4(0, A).x;") == otherwise);
    CHECK(obstacle("C[0] = AT(1);", "#define AT(i) A[i]\n") == otherwise);
    CHECK(obstacle("C[0] = 3[A];") == otherwise);
    CHECK(says(near("typedef struct { float x[3]; } P;\n"
                    "__kernel void f(__global const P* A, __global float* C) { C[0] = A[1].x[0]; }\n",
                    {{"f", 0, "A"}})
                   .obstacle,
               "A points to"));
}

/// What is planned for `f`, whose arguments are X, I and Y, on a device of this kind.
std::vector<PlannedExperiment> planned_for(DeviceKind kind) {
    ProblemInstance instance;
    const std::vector<std::uint64_t> shape = {1 << 22};
    instance.buffers = {{"X", {Scalar::Float32, 1}, Access::Read, shape},
                        {"I", {Scalar::Int32, 1}, Access::Read, shape},
                        {"Y", {Scalar::Float32, 1}, Access::Write, shape}};
    KernelPlan plan;
    plan.file = "k.cl";
    plan.source_text =
        "__kernel void f(__global const float* A, __global const int* at, __global float* C) {\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    C[get_global_id(0)] = A[at[get_global_id(0)]];\n"
        "}\n";
    LaunchPlan& planned = plan.launches.emplace_back();
    planned.kernel = "f";
    planned.global = {1 << 22};
    Layout layout;
    for (const char* const name : {"X", "I", "Y"}) {
        Slot slot;
        slot.id = static_cast<std::uint32_t>(layout.slots.size());
        slot.name = name;
        layout.slots.push_back(std::move(slot));
    }
    Launch launch;
    launch.kernel = "f";
    for (std::uint32_t i = 0; i < 3; ++i) launch.arguments.push_back(BufferArgument{i});
    return plan_experiments(plan, {launch}, layout, instance, kind);
}

TEST_CASE("memory is mapped repeatedly on a CPU; elsewhere subscripts are changed") {
    const auto of = [](const std::vector<PlannedExperiment>& planned, WhatIf what) {
        const auto found = std::ranges::find_if(std::next(planned.begin()), planned.end(),
                                                [&](const auto& one) { return one.effect.what == what; });
        REQUIRE(found != planned.end());
        CHECK(found->effect.obstacle == "");
        return *found;
    };
    for (const DeviceKind kind : {DeviceKind::Cpu, DeviceKind::Gpu}) {
        const bool is_cpu = kind == DeviceKind::Cpu;
        CAPTURE(is_cpu);
        const std::vector<PlannedExperiment> planned = planned_for(kind);
        REQUIRE(planned.size() == 6);  // as it is, hits of X, no barriers, together, sorted, empty
        for (const WhatIf what : {WhatIf::CacheHits, WhatIf::Together}) {
            const PlannedExperiment near_x = of(planned, what);
            CHECK(near_x.effect.is_by_subscripts == !is_cpu);
            CHECK(near_x.repeated == (is_cpu ? std::vector<std::string>{"X"} : std::vector<std::string>()));
            CHECK(says(near_x.plan.source_text, "& (4096 / sizeof(*A) - 1)") == !is_cpu);
            CHECK_FALSE(says(near_x.plan.source_text, "sizeof(*at)"));  // an index keeps its value
        }
        CHECK(says(of(planned, WhatIf::Together).plan.source_text, "#define barrier(...)"));
        const PlannedExperiment sorted = of(planned, WhatIf::Sorted);
        CHECK(sorted.effect.buffer == "I");
        CHECK(sorted.plan.source_text == planned.front().plan.source_text);
    }
}

TEST_CASE("as few pages as possible stand for buffers in the nearest cache, within the limit of mappings") {
    const RepeatingCache nearest{1, 16384};
    constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
    CHECK(choose_repeated_bytes(nearest, {kMiB}) == 4096);
    CHECK(choose_repeated_bytes(nearest, {kMiB, kMiB}) == 4096);
    CHECK(choose_repeated_bytes(nearest, {300 * kMiB}) == 8192);
    CHECK(choose_repeated_bytes(nearest, {700 * kMiB}) == 16384);
    CHECK(choose_repeated_bytes(nearest, {4096 * kMiB}) == 0);
    CHECK(choose_repeated_bytes(nearest, {300 * kMiB, 300 * kMiB}) ==
          0);  // two pieces of 16 KiB are too much
}

TEST_CASE("in the second-level cache, the pieces share the room") {
    const RepeatingCache second{2, 500'000};
    CHECK(choose_repeated_bytes(second, {1 << 22}) == 262144);
    CHECK(choose_repeated_bytes(second, {1 << 22, 1 << 22}) == 131072);
    CHECK(choose_repeated_bytes({2, 0}, {1 << 22}) == 0);  // the size of the cache is not known
}

}  // namespace
}  // namespace kwb::test
