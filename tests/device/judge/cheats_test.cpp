// SPDX-License-Identifier: Apache-2.0
// Cheating kernels: they keep data between launches or reach other kernels' data.
#include "bench.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const Sizes kSizes = sizes_of(17, 19, 23);

/// Memory that survives a launch: a page at a fixed address, mapped by a direct system call. `is_new_page()`
/// returns true for the one call that created it. It must not be inlined: the compiler of PoCL 6 crashes on
/// inline assembly in a kernel function.
constexpr const char* kOwnMemory =
    "#define MEMORY ((volatile global float*)0x5c0000000000UL)\n"
    "__attribute__((noinline)) long is_new_page(void) {\n"
    "    long result = 9;\n"  // mmap(address, 64 KiB, PROT_READ | PROT_WRITE, private, anonymous,
                              // MAP_FIXED_NOREPLACE)
    "    __asm__ volatile(\n"
    "        \"mov $0x5c0000000000, %%rdi; mov $65536, %%esi; mov $3, %%edx; mov $0x100022, %%r10d;\"\n"
    "        \"mov $-1, %%r8; xor %%r9d, %%r9d; syscall\"\n"
    "        : \"+a\"(result) : : \"rdi\", \"rsi\", \"rdx\", \"r10\", \"r8\", \"r9\", \"rcx\", \"r11\", "
    "\"memory\");\n"
    "    return result == 0x5c0000000000;\n"
    "}\n";

}  // namespace

#ifdef __x86_64__

TEST_CASE("a kernel that reuses an earlier run's results is wrong in the last pass, and the reason says so") {
    // Correct in the first run; later runs copy the stored results.
    const std::string source = product_with(
        "is_new_page();\n"
        "    volatile global float* kept = MEMORY + 2 * (y * N + x);\n"
        "    if (kept[0] == 1.0f) sum = kept[1];\n"
        "    kept[1] = sum;\n"
        "    kept[0] = 1.0f;",
        kOwnMemory);
    for (const bool check_only : {false, true}) {
        CAPTURE(check_only);
        RunRequest request = request_for(source, kSizes, check_only);
        request.contestants[0].kernel->trust = Trust::Foreign;  // uses a new runner process
        const KernelResult result = bench().judge.result_of(request);
        CHECK(to_string(result.verdict) == "wrong");
        CHECK_MESSAGE(mentions(result.reason, "gives an earlier run's answer when inputs change"),
                      result.reason);
        CHECK(!result.median_ms);
    }
}

TEST_CASE("a kernel that goes wrong in a later turn is found, though large outputs are seldom read back") {
    RunRequest request = bench().request("copy/01_copy", {{"N", 12 << 20}}, "", false);
    KernelPlan& plan = *request.contestants[0].kernel;
    plan.source_text = std::string(kOwnMemory) +
                       "kernel void copy_floats(global const float* X, global float* Y, const int N) {\n"
                       "    const int i = get_global_id(0);\n"
                       "    if (i >= N) return;\n"
                       "    Y[i] = X[i];\n"
                       "    if (i != 12345) return;\n"
                       "    is_new_page();\n"
                       "    MEMORY[0] += 1;\n"  // number of runs so far
                       "    if (MEMORY[0] > 30) Y[i] = 7;\n"
                       "}\n";
    plan.source_sha256 = "wrong after thirty runs";
    plan.trust = Trust::Foreign;  // uses a new runner process
    request.rounds = 31;          // each has at least one run
    const KernelResult result = bench().judge.result_of(request);
    CHECK(to_string(result.verdict) == "wrong");
    CHECK_MESSAGE(mentions(result.reason, "right at first, but wrong in a timed run"), result.reason);
    REQUIRE(result.first_wrong.size() == 1);
    CHECK(result.first_wrong[0].index == std::vector<std::uint64_t>{12345});
    CHECK(result.first_wrong[0].got == 7);
}

TEST_CASE("a right kernel stays right while large outputs are seldom read back") {
    RunRequest request = bench().request("copy/01_copy", {{"N", 12 << 20}}, "", false);
    request.rounds = 15;
    const KernelResult result = bench().judge.result_of(request);
    CHECK_MESSAGE(to_string(result.verdict) == "correct", result.reason);
    CHECK(result.samples_ms.size() == 15);
}

TEST_CASE("kernels that are not shipped never share a process") {
    for (const Trust trust : {Trust::Own, Trust::Foreign}) {
        CAPTURE(to_string(trust));
        // Wrong if the page exists already.
        const std::string visitor = product_with("if (first && !is_new_page()) sum += 1000.0f;", kOwnMemory);
        // The page exists until its runner ends, so each kernel finds its own page in the second run.
        RunRequest request = request_for(visitor, kSizes);
        request.contestants.push_back(request.contestants[0]);
        for (Contestant& contestant : request.contestants) contestant.kernel->trust = trust;
        request.contestants[1].kernel->source_text =
            product_with("if (first && MEMORY[0] > 1e30f) sum += 1.0f;", kOwnMemory);
        const JudgeAnswer answer = bench().judge.ask(request);
        REQUIRE(answer.results.size() == 2);
        CHECK(to_string(answer.results[0].verdict) == "wrong");  // because of its own page
        // In the second kernel's process nothing is mapped there.
        CHECK_MESSAGE(to_string(answer.results[1].verdict) == "kernel_crashed", answer.results[1].reason);
    }
}

#endif

TEST_CASE("foreign kernels are compared like others") {
    RunRequest request = request_for(product_with(""), kSizes, false);
    request.contestants.push_back(bench().request("matmul/02_tiled", kSizes).contestants[0]);
    request.contestants.push_back({});
    request.contestants[0].kernel->trust = Trust::Foreign;
    request.contestants[1].kernel->trust = Trust::Foreign;
    request.rounds = 6;
    const JudgeAnswer answer = bench().judge.ask(request);
    REQUIRE(answer.results.size() == 3);
    for (const KernelResult& result : answer.results) {
        CHECK_MESSAGE(to_string(result.verdict) == "correct", result.reason);
        CHECK(result.samples_ms.size() == 6);
    }
    CHECK(answer.results[1].speedup.has_value());
}

TEST_CASE("a rate above what the device can reach is a verdict") {
    RunRequest request = bench().request("slices", sizes_of(65, 33, 129));
    request.mode = RunRequest::Mode::Run;
    request.rounds = 2;
    request.most_gbytes_s = 1e9;
    CHECK(bench().judge.result_of(request).verdict == Verdict::Correct);
    request.most_gbytes_s = 1e-9;
    const KernelResult result = bench().judge.result_of(request);
    CHECK(result.verdict == Verdict::KernelCrashed);
    CHECK(result.reason.find("is not credible") != std::string::npos);
}
