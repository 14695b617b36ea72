// SPDX-License-Identifier: Apache-2.0
// What-if experiments: changed texts, and memory that stands for whole buffers.
#include <doctest/doctest.h>

#include "judge/whatif/changed_kernel.hpp"
#include "judge/whatif/experiments.hpp"
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
