// Drivers that tell of a stray access only when the launch is over, and fail for ever after: NVIDIA's way.
#include "odd_bench.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// A kernel file for products whose kernel function does `deed`.
std::string product_file(const std::string& function, const std::string& deed) {
    return "/*+++\nproblem = \"matmul\"\n[launch]\nkernel = \"" + function +
           "\"\nlocal = [8, 8]\nglobal = [\"round_up(N, 8)\", \"round_up(M, 8)\"]\n+++*/\n"
           "__kernel void " +
           function +
           "(__global const float* A, __global const float* B, __global float* C, int M, int N, int K) {\n" +
           deed + "\n}\n";
}

/// The test driver breaks off what is called faulty….
const std::string kBrokenOff = product_file("faulty_product", "C[0] = A[0] * B[0];");

/// Crashes in its own code at its first launch.
const std::string kWildPointer =
    product_file("wild", "*(volatile __global float*)(ulong)0x440000000 = A[0];");

}  // namespace

TEST_CASE(
    "a launch that the device breaks off is kernel_crashed in the driver's words, and nobody after it pays") {
    for (const std::string habits : {"sticky", "sticky+gpu"}) {
        CAPTURE(habits);
        OddBench bench(habits);
        const std::string faulty = bench.write("faulty.cl", kBrokenOff);
        for (const bool check_only : {false, true}) {
            const JudgeAnswer answer =
                bench.judge.ask(bench.request({"matmul/01_naive", faulty, "matmul/02_tiled"}, check_only));
            REQUIRE(answer.results.size() == 3);
            CHECK(answer.results[0].verdict == Verdict::Correct);
            CHECK_MESSAGE(answer.results[1].verdict == Verdict::KernelCrashed, answer.results[1].reason);
            CHECK(answer.results[1].reason.find("CL_OUT_OF_RESOURCES") != std::string::npos);
            CHECK_MESSAGE(answer.results[2].verdict == Verdict::Correct, answer.results[2].reason);
        }
    }
}

TEST_CASE("what the driver refuses before a launch stays a launch_error, and costs nobody else either") {
    OddBench bench("sticky");
    std::string text = kBrokenOff;
    text.replace(text.find("faulty_product"), 14, "no_such_kernel");  // in [launch] alone
    const std::string misnamed = bench.write("misnamed.cl", text);
    const std::vector<KernelResult> results = bench.run({misnamed, "matmul/01_naive"});
    CHECK(results[0].verdict == Verdict::LaunchError);
    CHECK(results[1].verdict == Verdict::Correct);
}

TEST_CASE(
    "a kernel's crash is not called the compiler's where the driver does not tell when it begins to run") {
    OddBench bench("late_running");
    const std::string wild = bench.write("wild.cl", kWildPointer);
    for (const bool check_only : {false, true}) {
        const JudgeAnswer answer = bench.judge.ask(bench.request({wild, "matmul/02_tiled"}, check_only));
        REQUIRE(answer.results.size() == 2);
        CHECK_MESSAGE(answer.results[0].verdict == Verdict::KernelCrashed, answer.results[0].reason);
        CHECK(answer.results[1].verdict == Verdict::Correct);
    }
}
