// SPDX-License-Identifier: Apache-2.0
// Buffers next to inaccessible pages: out-of-bounds accesses are detected, and correct kernels are not
// disturbed.
#include "bench.hpp"
#include "model/finding_words.hpp"
#include "problems/problem.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const Sizes kSizes = sizes_of(17, 19, 67);

struct Stray {
    const char* statement;
    const char* buffer;
    const char* access;
    std::int64_t element;
    const char* sentence;
    std::vector<std::uint64_t> work_item;
};

}  // namespace

TEST_CASE("one element outside, read or written, is named with its work-item") {
    const std::vector<std::uint64_t> last = {18, 16};
    const std::vector<std::uint64_t> first = {0, 0};
    for (const Stray& c : {
             Stray{"if (last) sum += A[M * K] > 1e30f ? 1.0f : 0.0f;", "A", "read", 1139,
                   "read element 1139 of A (valid 0 … 1138), one past the end", last},
             Stray{"if (first) sum += B[-1] > 1e30f ? 1.0f : 0.0f;", "B", "read", -1,
                   "read element -1 of B (valid 0 … 1272), one before the first", first},
             Stray{"if (last) C[M * N] = 1.0f;", "C", "write", 323,
                   "wrote element 323 of C (valid 0 … 322), one past the end", last},
             Stray{"if (last) A[-1] = 1.0f;", "A", "write", -1,
                   "wrote element -1 of A (valid 0 … 1138), one before the first", last},
             Stray{"if (first) sum += A[M * K + 100000] > 1e30f ? 1.0f : 0.0f;", "A", "read", 101139,
                   "100001 past the end", first},
             Stray{"if (last) C[M * N + 1000000000] = 1.0f;", "C", "write", 1000000323, "of C", last},
         }) {
        CAPTURE(c.statement);
        const KernelResult result = check_text(product_with(c.statement), kSizes);
        CAPTURE(result.reason);
        CHECK(to_string(result.verdict) == "out_of_bounds");
        CHECK(mentions(result.reason, c.sentence));
        REQUIRE(result.evidence);
        CHECK(result.evidence->buffer == c.buffer);
        CHECK(result.evidence->access == c.access);
        CHECK(result.evidence->element == c.element);
        CHECK(result.evidence->signal == "SIGSEGV");
        CHECK(result.evidence->work_item == c.work_item);
        CHECK(mentions(result.reason, ", by work-item ("));
    }
    bench().require_health();
}

TEST_CASE("the work-item is right behind barriers too, where all of a group run through each part") {
    const KernelResult result = check_text(
        "kernel void product(global float* A, global float* B, global float* C, const int M, const int N,\n"
        "                    const int K) {\n"
        "    local float tile[16];\n"
        "    const int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0);\n"
        "    float sum = 0;\n"
        "    for (int k = 0; k < K; ++k) {\n"
        "        if (get_local_id(1) == 0) tile[l] = B[k * N + min(x, N - 1)];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        if (y < M) sum += A[y * K + k] * tile[l];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    }\n"
        "    float other = A[x == 5 && y == 3 ? -2 : 0];\n"
        "    if (x < N && y < M) C[y * N + x] = other > 1e30f ? other : sum;\n"
        "}\n",
        kSizes);
    CAPTURE(result.reason);
    CHECK(to_string(result.verdict) == "out_of_bounds");
    REQUIRE(result.evidence);
    CHECK(result.evidence->element == -2);
    CHECK(result.evidence->work_item == std::vector<std::uint64_t>{5, 3});
}

TEST_CASE("a run looks for reads outside only if it is told to") {
    const std::string source = product_with("if (last) sum += A[M * K] > 1e30f ? 1.0f : 0.0f;");
    RunRequest request = request_for(source, kSizes, false);
    const KernelResult without = bench().judge.result_of(request);
    CHECK_MESSAGE(to_string(without.verdict) == "correct", without.reason);
    request.unreadable_pages = true;
    const KernelResult with = bench().judge.result_of(request);
    CHECK_MESSAGE(to_string(with.verdict) == "out_of_bounds", with.reason);
    CHECK(with.samples_ms.empty());
    bench().require_health();
}

TEST_CASE("a run told to look times a correct kernel as ever") {
    RunRequest request = request_for(product_with(""), kSizes, false);
    request.unreadable_pages = true;
    const KernelResult result = bench().judge.result_of(request);
    CHECK_MESSAGE(to_string(result.verdict) == "correct", result.reason);
    CHECK(result.samples_ms.size() == 3);
    for (const Finding& warning : result.warnings) CHECK(!mentions(sentence_of(warning), "pages"));
}

TEST_CASE("a kernel that assumes aligned buffers is right, with a warning on what could not be watched") {
    // Vector loads from the start of A: correct at any size if A is aligned.
    const std::string source = product_with(
        "float4 v = *(volatile global float4*)A;\n"
        "    if (v.x > 1e30f) sum = v.y;");
    const KernelResult result = check_text(source, kSizes);
    CHECK_MESSAGE(to_string(result.verdict) == "correct", result.reason);
    REQUIRE(!result.warnings.empty());
    CHECK(mentions(sentence_of(result.warnings.back()), "assumes buffers aligned to 16 bytes"));
    CHECK(mentions(sentence_of(result.warnings.back()), "at most 15 bytes past the end of each buffer"));
}

TEST_CASE("a vector access past the last whole vector of an aligned buffer is detected") {
    const std::string source = product_with(
        "float4 v = ((volatile global float4*)A)[(M * K + 3) / 4];\n"
        "    if (v.x > 1e30f) sum = v.y;");
    const KernelResult result = check_text(source, kSizes);
    CHECK_MESSAGE(to_string(result.verdict) == "out_of_bounds", result.reason);
    CHECK_MESSAGE(mentions(result.reason, "of A"), result.reason);
}

TEST_CASE("a vector that is misaligned at any placement crashes, and the sentence says so") {
    const KernelResult result = check_text(product_with("float4 v = *(volatile global float4*)(A + 1);\n"
                                                        "    if (v.x > 1e30f) sum = v.y;"),
                                           kSizes);
    CHECK(to_string(result.verdict) == "kernel_crashed");
    CHECK_MESSAGE(mentions(result.reason, "misaligned vector"), result.reason);
    bench().require_health();
}

TEST_CASE("a NULL pointer is reported as such, and a wild pointer with its address") {
    const KernelResult null =
        check_text(product_with("if (last) *(volatile global float*)(size_t)(M - 17) = 1.0f;"), kSizes);
    CHECK(to_string(null.verdict) == "kernel_crashed");
    CHECK_MESSAGE(mentions(null.reason, "NULL pointer"), null.reason);
    const KernelResult wild =
        check_text(product_with("if (last) *(volatile global float*)((size_t)M << 30) = 1.0f;"), kSizes);
    CHECK(to_string(wild.verdict) == "kernel_crashed");
    CHECK_MESSAGE(mentions(wild.reason, "0x440000000, far from all of its buffers"), wild.reason);
}

TEST_CASE("a crash in a run without pages advises to look with them") {
    const KernelResult result = bench().judge.result_of(request_for(
        product_with("if (last) *(volatile global float*)((size_t)M << 30) = 1.0f;"), kSizes, false));
    CHECK(to_string(result.verdict) == "kernel_crashed");
    CHECK_MESSAGE(mentions(result.reason, "kwb check"), result.reason);
}
