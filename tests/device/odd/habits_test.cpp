// What good kernels come to on drivers that behave otherwise than PoCL.
#include <algorithm>

#include "model/finding_words.hpp"
#include "odd_bench.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

bool mentions(const std::vector<Finding>& findings, const std::string& part) {
    return std::ranges::any_of(findings, [&](const Finding& finding) {
        return sentence_of(finding).find(part) != std::string::npos;
    });
}

void require_all_right(const std::vector<KernelResult>& results) {
    for (const KernelResult& result : results) {
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.kernel, ": ", result.reason);
        CHECK(result.samples_ms.size() == 3);
    }
}

}  // namespace

TEST_CASE("good kernels are right, and timed, on drivers with habits of their own") {
    for (const std::string habits : {"gpu", "zeros", "zeros+gpu", "no_arg_info", "opencl_1_2", "affinity",
                                     "shared_memory", "one_context", "one_context+gpu", "home_cache",
                                     "late_running", "fast_clock", "jumping_clock+gpu"}) {
        CAPTURE(habits);
        OddBench bench(habits);
        CHECK(bench.device.sandbox.find("none") == std::string::npos);
        require_all_right(bench.run({"matmul/01_naive", "matmul/02_tiled"}));
    }
}

TEST_CASE("the arguments of a kernel that is defined in an included file are read from there") {
    OddBench bench("no_arg_info");
    bench.write("product.h", R"cl(__kernel void product(__global const float* A, __global const float* B,
                                             __global float* C, int M, int N, int K) {
    const int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
})cl");
    const std::string kernel = bench.write("included.cl", R"cl(/*+++
problem = "matmul"
[launch]
kernel = "product"
global = ["N", "M"]
+++*/
#include "product.h"
)cl");
    require_all_right(bench.run({kernel}));
}

TEST_CASE("a list of arguments that comes from a macro is read through the macro") {
    OddBench bench("no_arg_info");
    const std::string kernel = bench.write("macro.cl", R"cl(/*+++
problem = "matmul"
[launch]
kernel = "product"
global = ["N", "M"]
+++*/
#define MATRICES __global const float* A, __global const float* B, __global float* C
#define SIZES const int M, const int N, const int K
__kernel void product(MATRICES, SIZES) {
    const int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}
)cl");
    require_all_right(bench.run({kernel}));
}

TEST_CASE("kernels of two domains take turns on a device that admits one context") {
    OddBench bench("one_context");
    RunRequest request = bench.request({"matmul/01_naive", "matmul/02_tiled"}, false);
    request.contestants[1].kernel->trust = Trust::Own;
    for (int again = 0; again < 2; ++again) {
        const JudgeAnswer answer = bench.judge.ask(request);
        require_all_right(answer.results);
        CHECK(!mentions(answer.results[0].warnings, "unreliable"));
    }
}

TEST_CASE("a device's clock that runs fast is told with both figures") {
    OddBench bench("fast_clock");
    // Long enough for launches to be most of a turn.
    const Sizes sizes = {{"M", 256}, {"N", 256}, {"K", 256}};
    const JudgeAnswer answer = bench.judge.ask(bench.request({"matmul/01_naive"}, false, sizes));
    REQUIRE(answer.results.size() == 1);
    CHECK(answer.results[0].verdict == Verdict::Correct);
    CHECK(mentions(answer.results[0].warnings, "clock and this machine's disagree"));
}

TEST_CASE("what a driver keeps in its home folder is there for the next judge, in the cache of its domain") {
    const TempFolder cache;
    for (int judges = 1; judges <= 2; ++judges) {
        OddBench bench("home_cache", {{"KWB_CACHE_DIR", cache.path().string()}});
        bench.check({"matmul/01_naive"});
        const std::string kept = read_text(cache.path() / "pocl/own/home/.cache/odd/compiled");
        CHECK(std::ranges::count(kept, '\n') >= judges);
    }
}

TEST_CASE("a driver that takes 12 s to start is waited for, and told of meanwhile") {
    VendorsFolder vendors;
    vendors.add_pocl();
    vendors.add_odd("slow_start");
    JudgeClient judge({KWB_JUDGE_PROGRAM,
                       "",
                       {{"KWB_CACHE_DIR", KWB_TEST_CACHE}, {"OCL_ICD_VENDORS", vendors.path().string()}}});
    judge.send(ListDevices{});
    const auto first = std::get<DeviceList>(judge.next_event());
    CHECK(!first.is_whole);
    REQUIRE(first.devices.size() == 1);  // the others go on
    REQUIRE(first.starting.size() == 1);
    CHECK(first.starting[0].driver_file.ends_with("slow_start.icd"));
    CHECK(first.starting[0].most_ms >= 60'000);
    const JudgeAnswer all = judge.finish();
    REQUIRE(all.devices);
    CHECK(all.devices->devices.size() == 2);
    CHECK(all.devices->failures.empty());
}

TEST_CASE("a driver that hangs keeps no slow one from being heard") {
    VendorsFolder vendors;
    vendors.add_odd("hangs");
    vendors.add_odd("slow_start");
    JudgeClient judge({KWB_JUDGE_PROGRAM,
                       "",
                       {{"KWB_CACHE_DIR", KWB_TEST_CACHE}, {"OCL_ICD_VENDORS", vendors.path().string()}}});
    judge.send(ListDevices{});
    DeviceList list;
    do {
        list = std::get<DeviceList>(judge.next_event());
    } while (!list.is_whole && list.devices.empty());
    CHECK(list.devices.size() == 1);
    CHECK(!list.is_whole);
}
