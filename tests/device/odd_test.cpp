// SPDX-License-Identifier: Apache-2.0
// Results of correct kernels on drivers that behave differently from PoCL, and of faulty kernels on some of
// them.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "experiment/opened_experiment.hpp"
#include "model/finding_words.hpp"
#include "support/judge_client.hpp"
#include "support/odd_driver/vendors_folder.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// Runs kernels with the real judge on a misbehaving driver.
class OddBench {
public:
    /// @param habits  e.g. "sticky+gpu": see odd_driver.cpp
    explicit OddBench(const std::string& habits, const NamedList<std::string>& environment = {});

    /// A request with these contestants: paths of kernel files, or names of shipped kernels
    /// ("matmul/01_naive").
    RunRequest request(const std::vector<std::string>& kernels, bool check_only,
                       const Sizes& sizes = {{"M", 33}, {"N", 31}, {"K", 17}}) const;
    std::vector<KernelResult> run(const std::vector<std::string>& kernels);
    std::vector<KernelResult> check(const std::vector<std::string>& kernels);

    /// Write a kernel file and return its path.
    std::string write(const std::string& name, const std::string& text) const;

private:
    TempFolder folder_;
    VendorsFolder vendors_;

public:
    JudgeClient judge;
    DeviceInfo device;
};

JudgeOptions options_of(VendorsFolder& vendors, const std::string& habits,
                        const NamedList<std::string>& environment) {
    vendors.add_odd(habits);
    JudgeOptions options{KWB_JUDGE_PROGRAM, "", environment};
    options.environment.push_back({"OCL_ICD_VENDORS", vendors.path().string()});
    if (find_named(environment, "KWB_CACHE_DIR") == nullptr)
        options.environment.push_back({"KWB_CACHE_DIR", KWB_TEST_CACHE});
    return options;
}

OddBench::OddBench(const std::string& habits, const NamedList<std::string>& environment)
    : judge(options_of(vendors_, habits, environment)) {
    const JudgeAnswer answer = judge.ask(ListDevices{});
    REQUIRE(answer.devices);
    for (const DriverFailure& failure : answer.devices->failures) MESSAGE(failure.reason);
    device = choose_device(*answer.devices, std::nullopt);
}

RunRequest OddBench::request(const std::vector<std::string>& kernels, bool check_only,
                             const Sizes& sizes) const {
    OpenedExperiment experiment;
    for (const std::string& kernel : kernels) {
        const bool shipped = !kernel.starts_with('/');
        const std::string path = shipped ? std::string(KWB_SHIPPED_KERNELS) + "/" + kernel + ".cl" : kernel;
        experiment.contestants.push_back(open_kernel_file(path, kernel));
    }
    experiment.check_only = check_only;
    if (!check_only) experiment.rounds = 3;
    return make_request(experiment, get_problem("matmul"), sizes, device);
}

std::vector<KernelResult> OddBench::run(const std::vector<std::string>& kernels) {
    JudgeAnswer answer = judge.ask(request(kernels, false));
    REQUIRE_MESSAGE(!answer.error, *answer.error);
    return answer.results;
}

std::vector<KernelResult> OddBench::check(const std::vector<std::string>& kernels) {
    JudgeAnswer answer = judge.ask(request(kernels, true));
    REQUIRE_MESSAGE(!answer.error, *answer.error);
    return answer.results;
}

std::string OddBench::write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text).string();
}

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

TEST_CASE("a fast device clock is reported with both figures") {
    OddBench bench("fast_clock");
    // Large enough that launches dominate a turn.
    const Sizes sizes = {{"M", 256}, {"N", 256}, {"K", 256}};
    const JudgeAnswer answer = bench.judge.ask(bench.request({"matmul/01_naive"}, false, sizes));
    REQUIRE(answer.results.size() == 1);
    CHECK(answer.results[0].verdict == Verdict::Correct);
    CHECK(mentions(answer.results[0].warnings, "clocks of the device and this machine disagree"));
}

TEST_CASE("what a driver keeps in its home folder is there for the next judge, in the cache of its domain") {
    const TempFolder cache;
    for (int judges = 1; judges <= 2; ++judges) {
        OddBench bench("home_cache", {{"KWB_CACHE_DIR", cache.path().string()}});
        bench.check({"matmul/01_naive"});
        const std::string kept = read_text(cache.path() / "pocl/shipped/home/.cache/odd/compiled");
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
    DeviceList first;
    do {
        first = std::get<DeviceList>(judge.next_event());
    } while (first.devices.empty());  // a busy machine tells of the slow driver before PoCL has started
    CHECK(!first.is_whole);
    REQUIRE(first.devices.size() == 1);  // the other drivers continue
    REQUIRE(first.starting.size() == 1);
    CHECK(first.starting[0].driver_file.ends_with("slow_start.icd"));
    CHECK(first.starting[0].most_ms >= 60'000);
    const JudgeAnswer all = judge.finish();
    REQUIRE(all.devices);
    CHECK(all.devices->devices.size() == 2);
    CHECK(all.devices->failures.empty());
}

TEST_CASE("a hanging driver does not hide a slow one") {
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

// Drivers that report a stray access only at the end of the launch, and fail in all later calls, like
// NVIDIA's.

namespace {

/// A kernel file for a matrix product whose kernel function executes `deed`.
std::string product_file(const std::string& function, const std::string& deed) {
    return "/*+++\nproblem = \"matmul\"\n[launch]\nkernel = \"" + function +
           "\"\nlocal = [8, 8]\nglobal = [\"round_up(N, 8)\", \"round_up(M, 8)\"]\n+++*/\n"
           "__kernel void " +
           function +
           "(__global const float* A, __global const float* B, __global float* C, int M, int N, int K) {\n" +
           deed + "\n}\n";
}

/// The test driver aborts launches of kernels whose names begin with "faulty".
const std::string kBrokenOff = product_file("faulty_product", "C[0] = A[0] * B[0];");

/// Segfaults in the kernel's code at the first launch.
const std::string kWildPointer =
    product_file("wild", "*(volatile __global float*)(ulong)0x440000000 = A[0];");

}  // namespace

TEST_CASE(
    "a launch aborted by the device is kernel_crashed with the driver's message, and later kernels are "
    "unaffected") {
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

TEST_CASE("an error before the launch stays a launch_error, and other kernels are unaffected") {
    OddBench bench("sticky");
    std::string text = kBrokenOff;
    text.replace(text.find("faulty_product"), 14, "no_such_kernel");  // only in [launch]
    const std::string misnamed = bench.write("misnamed.cl", text);
    const std::vector<KernelResult> results = bench.run({misnamed, "matmul/01_naive"});
    CHECK(results[0].verdict == Verdict::LaunchError);
    CHECK(results[1].verdict == Verdict::Correct);
}

TEST_CASE(
    "a kernel's crash is not attributed to the compiler if the driver does not report the start of the "
    "launch") {
    OddBench bench("late_running");
    const std::string wild = bench.write("wild.cl", kWildPointer);
    for (const bool check_only : {false, true}) {
        const JudgeAnswer answer = bench.judge.ask(bench.request({wild, "matmul/02_tiled"}, check_only));
        REQUIRE(answer.results.size() == 2);
        CHECK_MESSAGE(answer.results[0].verdict == Verdict::KernelCrashed, answer.results[0].reason);
        CHECK(answer.results[1].verdict == Verdict::Correct);
    }
}
