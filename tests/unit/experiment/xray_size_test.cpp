// SPDX-License-Identifier: Apache-2.0
#include "experiment/xray_request.hpp"

#include <doctest/doctest.h>

#include "experiment/plan.hpp"
#include "support/temp_folder.hpp"

namespace kwb {
namespace {

using test::TempFolder;

DeviceInfo some_device() {
    DeviceInfo device;
    device.id = "some:0";
    device.max_work_group_size = 1024;
    device.max_work_item_sizes = {1024, 1024, 1024};
    device.local_mem_bytes = 1u << 15;
    device.global_mem_bytes = device.max_alloc_bytes = std::uint64_t{1} << 30;
    return device;
}

/// A matrix product with tiles of 16 x 16.
std::string tiled(const std::string& more) {
    return "/*+++\nproblem = \"matmul\"\n[launch]\nkernel = \"f\"\nlocal = [16, 16]\n"
           "global = [\"round_up(N, 16)\", \"round_up(M, 16)\"]\n" +
           more +
           "+++*/\n__kernel void f(__global const float* A, __global const float* B, __global float* C, int "
           "M, "
           "int N, int K) {}\n";
}

/// The contestant that plan_run() makes of this file at 512.
Contestant planned(const std::string& source, RunRequest::Mode mode = RunRequest::Mode::Run,
                   bool xray = true) {
    const TempFolder folder;
    const KernelFile file = open_kernel_file(folder.write("k.cl", source), "k.cl");
    const DeviceInfo device = some_device();
    PlanInput input;
    input.entries.push_back({"k.cl", &file});
    input.device = &device;
    input.problem = find_problem("matmul");
    input.request.mode = mode;
    input.request.problem = "matmul";
    input.request.sizes = input.problem->square(512);
    input.request.xray = xray;
    const Plan plan = plan_run(input);
    REQUIRE(plan.request.has_value());
    return plan.request->contestants.front();
}

std::int64_t size_of(const Contestant& contestant, const char* name) {
    REQUIRE(contestant.xray_size.has_value());
    return *find_named(contestant.xray_size->sizes, name);
}

}  // namespace

TEST_CASE("X-ray's small size has several work-groups each way, and extents that tiles do not divide") {
    const Contestant contestant = planned(tiled(""));
    for (const char* name : {"M", "N"}) {
        CHECK(size_of(contestant, name) > 16);
        CHECK(size_of(contestant, name) < 64);
        CHECK(size_of(contestant, name) % 16 != 0);
    }
    const LaunchPlan& launch = contestant.xray_size->plan.launches.front();
    CHECK(launch.global == std::vector<std::uint64_t>{32, 32});  // planned at that size
    CHECK(contestant.kernel->launches.front().global == std::vector<std::uint64_t>{512, 512});
    // The text travels once.
    CHECK(contestant.xray_size->plan.source_text.empty());
    CHECK(!contestant.kernel->source_text.empty());
}

TEST_CASE("a kernel that requires multiples of its tile is observed at such a size") {
    const Contestant contestant =
        planned(tiled("[require]\nwhole = \"M % 16 == 0 and N % 16 == 0 and K % 16 == 0\"\n"));
    for (const char* name : {"M", "N", "K"}) CHECK(size_of(contestant, name) % 16 == 0);
    CHECK(size_of(contestant, "N") > 16);
}

TEST_CASE("a kernel that allows no small size is observed at that of the run alone") {
    CHECK_FALSE(planned(tiled("[require]\nlarge = \"M == 512\"\n")).xray_size.has_value());
}

TEST_CASE("a check, and a run without X-ray, need no second size") {
    CHECK_FALSE(planned(tiled(""), RunRequest::Mode::Check).xray_size.has_value());
    CHECK_FALSE(planned(tiled(""), RunRequest::Mode::Run, false).xray_size.has_value());
}

}  // namespace kwb
