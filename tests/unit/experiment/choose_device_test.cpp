// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "experiment/opened_experiment.hpp"
#include "task/ceilings.hpp"

using namespace kwb;

// --- choose device ---

namespace {

DeviceInfo device_of(const std::string& id, const std::string& name, DeviceKind kind) {
    DeviceInfo device;
    device.id = id;
    device.name = name;
    device.kind = kind;
    return device;
}

DeviceList cpu_alone() {
    DeviceList list;
    list.devices = {device_of("pocl:0", "pthread-some CPU", DeviceKind::Cpu)};
    return list;
}

DeviceList gpu_alone() {
    DeviceList list;
    list.devices = {device_of("nvidia:0", "Some GeForce", DeviceKind::Gpu)};
    return list;
}

template <class Error>
std::string complaint(const DeviceList& list, const std::string& wanted) {
    try {
        choose_device(list, wanted);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("the best device is taken where none is named, and kinds, ids and names find theirs") {
    DeviceList both = cpu_alone();
    both.devices.push_back(gpu_alone().devices[0]);
    CHECK(choose_device(both, std::nullopt).id == "nvidia:0");
    CHECK(choose_device(both, "cpu").id == "pocl:0");
    CHECK(choose_device(both, "GPU").id == "nvidia:0");
    CHECK(choose_device(both, "pocl:0").id == "pocl:0");
    CHECK(choose_device(both, "geforce").id == "nvidia:0");
}

TEST_CASE("a bare number is a place in the list, and no part of a name") {
    DeviceList both = cpu_alone();
    both.devices[0].name = "Xeon E5-2680 v4";
    both.devices.push_back(gpu_alone().devices[0]);
    CHECK(choose_device(both, "1").id == "nvidia:0");
    CHECK(choose_device(both, "0").id == "pocl:0");
    CHECK_FALSE(has_device(cpu_alone(), "0"));  // others may come before it
    CHECK(complaint<BadInput>(both, "2680") ==
          "--device 2680: 'kwb devices' numbers the devices from 0; available: 0 (pocl:0) and 1 (nvidia:0)");
}

TEST_CASE("a kind of device that this machine lacks is told as such, with those there are and the remedy") {
    CHECK(complaint<EnvironmentError>(cpu_alone(), "gpu") ==
          "--device gpu: OpenCL finds no GPU, only pocl:0 (pthread-some CPU); choose from these, or leave "
          "--device out. If this machine has one, its vendor's OpenCL driver is missing or broken; run 'kwb "
          "doctor'.");
    CHECK(complaint<EnvironmentError>(gpu_alone(), "cpu") ==
          "--device cpu: OpenCL finds no CPU, only nvidia:0 (Some GeForce); choose from these, or leave "
          "--device out. PoCL turns the CPU into one: apt-get install pocl-opencl-icd.");
    CHECK(complaint<EnvironmentError>(cpu_alone(), "Accelerator").find("OpenCL finds no accelerator") !=
          std::string::npos);
}

TEST_CASE("a failed driver is reported if a device of its kind is missing") {
    DeviceList list = cpu_alone();
    list.failures = {{"/etc/OpenCL/vendors/gpu.icd", "libgpu.so cannot be loaded"}};
    CHECK(complaint<EnvironmentError>(list, "gpu")
              .ends_with("\n/etc/OpenCL/vendors/gpu.icd: libgpu.so cannot be loaded"));
}

TEST_CASE("a driver that was asked for by name and is of no use says why, and which devices there are") {
    DeviceList list = cpu_alone();
    list.idle_drivers = {{"/etc/OpenCL/vendors/mesa.icd", "Clover"}};
    list.failures = {{"/etc/OpenCL/vendors/odd.icd", "it crashes; remove it", DriverFailure::Kind::Crashed},
                     {"x.icd", "it has no compiler", DriverFailure::Kind::NoCompiler, "Bare Device"}};
    const std::string clover =
        ": Clover (/etc/OpenCL/vendors/mesa.icd) has no device in this machine; available: pocl:0";
    for (const char* name : {"clover", "Clover:0", "mesa"})
        CHECK(complaint<EnvironmentError>(list, name) == "--device " + std::string(name) + clover);
    CHECK(complaint<EnvironmentError>(list, "odd").find("it crashes; remove it; available: pocl:0") !=
          std::string::npos);
    CHECK(complaint<EnvironmentError>(list, "bare").find("it has no compiler") != std::string::npos);
    CHECK(complaint<BadInput>(list, ":0").find("unknown device") == 0);
}

TEST_CASE("a word that is no kind of device stays unknown") {
    CHECK(complaint<BadInput>(cpu_alone(), "pocl:7").find("unknown device 'pocl:7'") == 0);
}

// Ceilings of the roofline: suitable sizes, and the best measurements.

namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

DeviceInfo device_with(DeviceKind kind, std::uint64_t units, std::uint64_t memory_bytes) {
    DeviceInfo device;
    device.kind = kind;
    device.compute_units = units;
    device.global_mem_bytes = memory_bytes;
    device.max_alloc_bytes = memory_bytes / 4;
    return device;
}

std::uint64_t bytes_at(const Sizes& sizes) {
    REQUIRE(names_of(sizes) == std::vector<std::string>{"N"});
    REQUIRE(sizes.front().value >= 1);
    return 8 * static_cast<std::uint64_t>(sizes.front().value);
}

KernelResult timed(const char* problem, const char* kernel, double gflops, double gbytes_s) {
    KernelResult result;
    result.problem = problem;
    result.kernel = kernel;
    result.verdict = Verdict::Correct;
    result.median_ms = 10;
    result.ci95_ms = Interval{8, 16};
    result.gflops = gflops;
    result.gbytes_s = gbytes_s;
    return result;
}

}  // namespace

TEST_CASE("a copy is far beyond every cache, and at most an eighth of the memory") {
    for (const DeviceKind kind : {DeviceKind::Cpu, DeviceKind::Gpu, DeviceKind::Accelerator})
        for (const std::uint64_t units : {0u, 1u, 2u, 8u, 128u, 1000u})
            for (const std::uint64_t memory : {kGiB / 4, kGiB, 2 * kGiB, 24 * kGiB, 1000 * kGiB}) {
                CAPTURE(units);
                CAPTURE(memory);
                const DeviceInfo device = device_with(kind, units, memory);
                const std::uint64_t bytes = bytes_at(choose_memory_size(device));
                CHECK(bytes <= memory / 8);
                if (memory >= 2 * kGiB) CHECK(bytes >= kGiB / 4);
                CHECK(bytes <= kGiB);
                CHECK(bytes_at(choose_compute_size(device)) <= memory / 8);
            }
}

TEST_CASE("no buffer is longer than the device allows, and one that tells no limit sets none") {
    DeviceInfo device = device_with(DeviceKind::Gpu, 20, 8 * kGiB);
    device.max_alloc_bytes = kGiB / 16;
    CHECK(bytes_at(choose_memory_size(device)) == 2 * device.max_alloc_bytes);
    device.max_alloc_bytes = 0;
    CHECK(bytes_at(choose_memory_size(device)) > kGiB / 4);
}

TEST_CASE("chains grow with the compute units, to a limit") {
    const auto chains = [](std::uint64_t units) {
        return bytes_at(choose_compute_size(device_with(DeviceKind::Cpu, units, 100 * kGiB))) / 8;
    };
    CHECK(chains(2) == 2 * chains(1));
    CHECK(chains(100000) == chains(200000));
}

TEST_CASE("the ceilings are those of the fastest kernel, with the interval turned round") {
    const std::vector<KernelResult> results = {
        timed("fma_chain", "slow", 100, 1), timed("fma_chain", "fast", 200, 2), timed("copy", "first", 0, 50),
        timed("copy", "second", 0, 40), timed("matmul", "no ceiling", 900, 900)};
    const Ceilings found = find_ceilings(results);
    REQUIRE(found.gflops);
    CHECK(found.gflops->value == 200);
    CHECK(found.gflops->kernel == "fast");
    CHECK(found.gflops->ci95 == Interval{125, 250});  // from 10 ms at 200 with an interval of 8 to 16 ms
    REQUIRE(found.gbytes_s);
    CHECK(found.gbytes_s->value == 50);
    CHECK(found.gbytes_s->kernel == "first");
}

TEST_CASE("what is wrong or was not timed is no ceiling, and a missing interval stays missing") {
    KernelResult wrong = timed("copy", "wrong", 0, 999);
    wrong.verdict = Verdict::Wrong;
    KernelResult untimed = timed("copy", "untimed", 0, 999);
    untimed.median_ms.reset();
    KernelResult few = timed("copy", "few rounds", 0, 10);
    few.ci95_ms.reset();
    const Ceilings found = find_ceilings(std::vector{wrong, untimed, few});
    CHECK(!found.gflops);
    REQUIRE(found.gbytes_s);
    CHECK(found.gbytes_s->kernel == "few rounds");
    CHECK(!found.gbytes_s->ci95);
}

TEST_CASE("only what a shipped problem counts is bounded by the ceilings") {
    KernelResult chain, copy;
    chain.problem = "fma_chain";
    copy.problem = "copy";
    for (KernelResult* result : {&chain, &copy}) {
        result->verdict = Verdict::Correct;
        result->samples_ms = {3, 2, 1};
        result->median_ms = 2;
    }
    chain.gflops = 50;
    copy.gbytes_s = 10;
    const std::vector<KernelResult> results = {chain, copy};
    RunRequest product;
    product.problem = "matmul";
    bound_rates(product, results);
    CHECK(product.most_gflops == 400);
    CHECK(product.most_gbytes_s == 80);
    RunRequest filter;
    filter.problem = "convolution";  // a Fourier transform needs less
    bound_rates(filter, results);
    CHECK(!filter.most_gflops);
    CHECK(filter.most_gbytes_s == 80);
    RunRequest own;
    own.declared = std::make_shared<DeclaredInstance>();
    bound_rates(own, results);
    CHECK(!own.most_gbytes_s);
}
