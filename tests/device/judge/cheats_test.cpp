// Kernels that know more than they should.
#include "bench.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const Sizes kSizes = sizes_of(17, 19, 23);

/// Memory that outlives a launch: a page at a fixed address, by a system call of the kernel's own.
/// `is_new_page()` is true for the one call that made it, and never inlined: the compiler of PoCL 6 dies of
/// assembly in a kernel function.
constexpr const char* kOwnMemory =
    "#define MEMORY ((volatile global float*)0x5c0000000000UL)\n"
    "__attribute__((noinline)) long is_new_page(void) {\n"
    "    long result = 9;\n"  // mmap(address, 64 KiB, read and write, private, anonymous, no replacement)
    "    __asm__ volatile(\n"
    "        \"mov $0x5c0000000000, %%rdi; mov $65536, %%esi; mov $3, %%edx; mov $0x100022, %%r10d;\"\n"
    "        \"mov $-1, %%r8; xor %%r9d, %%r9d; syscall\"\n"
    "        : \"+a\"(result) : : \"rdi\", \"rsi\", \"rdx\", \"r10\", \"r8\", \"r9\", \"rcx\", \"r11\", "
    "\"memory\");\n"
    "    return result == 0x5c0000000000;\n"
    "}\n";

}  // namespace

#ifdef __x86_64__

TEST_CASE("a kernel that answers from an earlier run's memory is wrong in the last pass, and it is said") {
    // Right the first time; later it copies what it has kept.
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
        request.contestants[0].kernel->trust = Trust::Foreign;  // with a runner that has no memory yet
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
                       "    MEMORY[0] += 1;\n"  // runs so far
                       "    if (MEMORY[0] > 30) Y[i] = 7;\n"
                       "}\n";
    plan.source_sha256 = "wrong after thirty runs";
    plan.trust = Trust::Foreign;  // with a runner that has no memory yet
    request.rounds = 31;          // of one run at least
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

TEST_CASE("strangers' kernels do not meet in one process") {
    // Wrong where somebody has been before.
    const std::string visitor = product_with("if (first && !is_new_page()) sum += 1000.0f;", kOwnMemory);
    // Such a page stays until its runner ends, so each kernel meets its own in the second run.
    RunRequest request = request_for(visitor, kSizes);
    request.contestants.push_back(request.contestants[0]);
    for (Contestant& contestant : request.contestants) contestant.kernel->trust = Trust::Foreign;
    request.contestants[1].kernel->source_text =
        product_with("if (first && MEMORY[0] > 1e30f) sum += 1.0f;", kOwnMemory);
    const JudgeAnswer answer = bench().judge.ask(request);
    REQUIRE(answer.results.size() == 2);
    CHECK(to_string(answer.results[0].verdict) == "wrong");  // by its own page
    // Nothing is mapped there in the second one's process.
    CHECK_MESSAGE(to_string(answer.results[1].verdict) == "kernel_crashed", answer.results[1].reason);
}

#endif

TEST_CASE("strangers' kernels are compared like others") {
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
