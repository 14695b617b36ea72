#include "judge/constraints.hpp"

#include <doctest/doctest.h>

#include "sample.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

ExecuteLaunch launch_of(std::vector<std::uint64_t> global, std::vector<std::uint64_t> local) {
    ExecuteLaunch launch;
    launch.kernel = "k";
    launch.global = std::move(global);
    launch.local = std::move(local);
    return launch;
}

FunctionInfo function_k() {
    FunctionInfo function;
    function.name = "k";
    function.info.work_group_size = 256;
    return function;
}

/// The sentence, or "" if all is well.
std::string check(const ExecuteLaunch& launch, const FunctionInfo& function = function_k(),
                  const DeviceInfo& device = small_device()) {
    return find_launch_constraint({launch}, {function}, device).value_or("");
}

bool mentions(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
        if (text.find(part) == std::string::npos) return false;
    return true;
}

}  // namespace

TEST_CASE("a launch that fits is no constraint, in one, two and three dimensions and with auto") {
    CHECK(check(launch_of({256}, {256})).empty());
    CHECK(check(launch_of({32, 32}, {16, 16})).empty());
    CHECK(check(launch_of({8, 8, 64}, {2, 2, 64})).empty());
    CHECK(check(launch_of({7, 11}, {})).empty());
}

TEST_CASE("a work-group above the device's limit names both numbers") {
    CHECK(mentions(check(launch_of({32, 32}, {32, 32})), {"32x32", "1024", "256", "--local"}));
    CHECK(check(launch_of({257}, {257})).find("257") != std::string::npos);
}

TEST_CASE("an extent above the device's limit in its dimension is named") {
    CHECK(mentions(check(launch_of({1, 1, 128}, {1, 1, 128})), {"128", "dimension 2", "64"}));
}

TEST_CASE("a work-group above what the compiled kernel can have is named") {
    FunctionInfo function = function_k();
    function.info.work_group_size = 64;
    CHECK(mentions(check(launch_of({128}, {128}), function), {"128", "64", "registers"}));
    CHECK(check(launch_of({64}, {64}), function).empty());
    function.info.work_group_size = 0;  // the driver does not tell
    CHECK(check(launch_of({128}, {128}), function).empty());
}

TEST_CASE("a global size that is no multiple of the work-group tells the remainder") {
    CHECK(mentions(check(launch_of({64, 65}, {16, 16})), {"64x65", "16x16", "dimension 1", "leaves 1"}));
}

TEST_CASE("extents of 0 are refused, not divided by") {
    CHECK(mentions(check(launch_of({0, 16}, {1, 1})), {"extent of 0"}));
    CHECK(mentions(check(launch_of({16, 16}, {0, 4})), {"extent of 0"}));
}

TEST_CASE("a work-group other than the one that the source demands is named") {
    FunctionInfo function = function_k();
    function.required_local = {8, 8, 1};
    CHECK(check(launch_of({64, 64}, {8, 8}), function).empty());
    CHECK(mentions(check(launch_of({64, 64}, {16, 16}), function), {"8x8", "reqd_work_group_size", "16x16"}));
    CHECK(mentions(check(launch_of({64, 64}, {}), function), {"8x8", "left to the driver"}));
}

TEST_CASE("local memory counts what the source declares and what the launch asks for") {
    FunctionInfo function = function_k();
    function.info.local_mem_bytes = 20u << 10;
    ExecuteLaunch launch = launch_of({16}, {16});
    launch.arguments.push_back(LocalArgument{12u << 10});
    CHECK(check(launch, function).empty());
    launch.arguments.push_back(LocalArgument{4});
    CHECK(mentions(check(launch, function), {"local memory", "32 KiB"}));
}

TEST_CASE("the second launch is looked at too") {
    CHECK(find_launch_constraint({launch_of({16}, {16}), launch_of({512}, {512})}, {function_k()},
                                 small_device()));
}

TEST_CASE("one buffer above the device's limit names buffer, need and limit") {
    DeviceInfo device = small_device();
    device.max_alloc_bytes = 1u << 20;
    const auto found = find_memory_constraint(make_layout(matmul(1024, 16, 1024), {}, device), device);
    REQUIRE(found);
    CHECK(mentions(*found, {"buffer A", "4 MiB", "1 MiB", "--size"}));
    CHECK(!find_memory_constraint(make_layout(matmul(16, 16, 16), {}, device), device));
}

TEST_CASE("buffers that fit one by one but not together are refused") {
    DeviceInfo device = small_device();
    device.global_mem_bytes = 10u << 20;
    device.max_alloc_bytes = 8u << 20;
    const auto found = find_memory_constraint(make_layout(matmul(1024, 1024, 1024), {}, device), device);
    REQUIRE(found);
    CHECK(mentions(*found, {"together", "10 MiB"}));
}

TEST_CASE("what fits here but no usual GPU is a warning") {
    FunctionInfo function = function_k();
    CHECK(find_portability_warnings({launch_of({1024}, {1024})}, {function}).empty());
    CHECK(find_portability_warnings({launch_of({2048}, {2048})}, {function}).size() == 1);
    function.info.local_mem_bytes = 64u << 10;
    CHECK(find_portability_warnings({launch_of({2048}, {2048})}, {function}).size() == 2);
    CHECK(find_portability_warnings({launch_of({7}, {})}, {function_k()}).empty());
}
