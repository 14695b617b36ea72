// SPDX-License-Identifier: Apache-2.0
#include "judge/build/constraints.hpp"

#include <doctest/doctest.h>

#include "model/finding_words.hpp"
#include "sample.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

Launch launch_of(std::vector<std::uint64_t> global, std::vector<std::uint64_t> local) {
    Launch launch;
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

/// The message of the violated constraint, or "".
std::string check(const Launch& launch, const FunctionInfo& function = function_k(),
                  const DeviceInfo& device = small_device()) {
    return find_launch_constraint({launch}, {function}, device).value_or("");
}

}  // namespace

TEST_CASE("a launch that fits is no constraint, in one, two and three dimensions and with auto") {
    CHECK(check(launch_of({256}, {256})).empty());
    CHECK(check(launch_of({32, 32}, {16, 16})).empty());
    CHECK(check(launch_of({8, 8, 64}, {2, 2, 64})).empty());
    CHECK(check(launch_of({7, 11}, {})).empty());
}

TEST_CASE("a work-group above the device's limit names value, limit and what would fit") {
    CHECK(mentions(
        check(launch_of({32, 32}, {32, 32})),
        {"32x32", "1024", "at most 256", "16x16 (256 work-items) would fit", "Choose another work-group"}));
    CHECK(mentions(check(launch_of({257}, {257})), {"257", "256 (256 work-items) would fit"}));
    CHECK(mentions(check(launch_of({128, 1}, {1024, 1})), {"256x1 (256 work-items) would fit"}));
}

TEST_CASE("a size above the device's limit in its dimension is named with what would fit") {
    CHECK(mentions(check(launch_of({1, 1, 128}, {1, 1, 128})),
                   {"size 128 in z", "at most 64", "1x1x64 (64 work-items) would fit"}));
}

TEST_CASE("a work-group above what the compiled kernel can have is named with what would fit") {
    FunctionInfo function = function_k();
    function.info.work_group_size = 64;
    CHECK(mentions(check(launch_of({128}, {128}), function),
                   {"128", "at most 64", "registers", "64 (64 work-items) would fit"}));
    CHECK(mentions(check(launch_of({16, 16}, {16, 16}), function), {"8x8 (64 work-items) would fit"}));
    // One advice for both limits.
    CHECK(mentions(check(launch_of({32, 32}, {32, 32}), function), {"at most 256", "8x8 (64"}));
    CHECK(check(launch_of({64}, {64}), function).empty());
    function.info.work_group_size = 0;  // the driver does not report it
    CHECK(check(launch_of({128}, {128}), function).empty());
}

TEST_CASE("a global size that is no multiple of the work-group tells the remainder and what would fit") {
    CHECK(check(launch_of({64, 65}, {16, 16})) ==
          "k: the work-group 16x16 does not divide the global size 64x65: 65 / 16 leaves a remainder of 1 in "
          "y. Choose one "
          "that divides, e.g. 16x13, or let the file round the global size up with round_up(…, "
          "local.y), to 80, and guard the edge in the kernel");
    const std::string prime = check(launch_of({101}, {16}));
    CHECK(mentions(prime, {". Let the file round the global size up", "local.x), to 112,"}));
    CHECK(prime.find("e.g.") == std::string::npos);  // only 1 divides it, which is bad advice
    CHECK(mentions(check(launch_of({5}, {16})), {"e.g. 5, or", "to 16,"}));
    FunctionInfo fixed = function_k();
    fixed.required_local = {16, 16, 1};
    CHECK(check(launch_of({64, 65}, {16, 16}), fixed).find("e.g.") == std::string::npos);
}

TEST_CASE("sizes of 0 are refused, not divided by") {
    CHECK(mentions(check(launch_of({0, 16}, {1, 1})), {"is 0 in x", "at least 1"}));
    CHECK(mentions(check(launch_of({16, 16}, {0, 4})), {"size of 0", "at least 1"}));
}

TEST_CASE("too many dimensions, or work-groups of another number of them, are refused") {
    CHECK(mentions(check(launch_of({2, 2, 2, 2}, {})), {"4 dimensions", "1 to 3"}));
    CHECK(mentions(check(launch_of({}, {})), {"0 dimensions"}));
    CHECK(mentions(check(launch_of({16, 16}, {16})), {"work-group 16 has 1 dimension,", "16x16 has 2"}));
    CHECK(mentions(check(launch_of({16}, {4, 4})), {"4x4 has 2 dimensions"}));
    DeviceInfo flat = small_device();
    flat.max_work_item_sizes = {256, 256};
    CHECK(mentions(check(launch_of({2, 2, 2}, {}), function_k(), flat), {"3 dimensions", "1 to 2"}));
}

TEST_CASE("sizes whose product does not fit 64 bits are refused, not wrapped to something small") {
    const std::uint64_t most = UINT32_MAX;
    CHECK(mentions(check(launch_of({most + 1}, {})), {"4294967296", "along x"}));
    CHECK(mentions(check(launch_of({most, most, most}, {})), {"more than 2^64"}));
    const std::uint64_t root = std::uint64_t{1} << 32;  // root * root overflows to 0
    CHECK(mentions(check(launch_of({1, 1}, {root, root})), {"more than 2^64", "16x16 (256"}));
}

TEST_CASE("limits that a driver does not report are not enforced") {
    DeviceInfo device;
    device.name = "silent";
    FunctionInfo function = function_k();
    function.info = {};
    CHECK(check(launch_of({64, 64}, {64, 64}), function, device).empty());
    CHECK(!find_memory_constraint(make_layout(matmul(64, 64, 64), {}, device), device));
}

TEST_CASE("a work-group other than the one that the source demands is named") {
    FunctionInfo function = function_k();
    function.required_local = {8, 8, 1};
    CHECK(check(launch_of({64, 64}, {8, 8}), function).empty());
    CHECK(mentions(check(launch_of({64, 64}, {16, 16}), function),
                   {"8x8 (reqd_work_group_size)", "16x16", "Only 8x8 would fit"}));
    CHECK(mentions(check(launch_of({64, 64}, {}), function), {"8x8", "left to the driver"}));
    function.required_local = {8, 8, 4};  // impossible in two dimensions
    CHECK(mentions(check(launch_of({64, 64}, {8, 8}), function), {"8x8x4"}));
    function.required_local = {8, 1, 1};
    CHECK(check(launch_of({64}, {8}), function).empty());
}

TEST_CASE("a demanded work-group that the device cannot have is to be changed in the source") {
    FunctionInfo function = function_k();
    function.required_local = {32, 32, 1};
    CHECK(mentions(check(launch_of({64, 64}, {32, 32}), function),
                   {"1024", "16x16 (256 work-items) would fit", "Change reqd_work_group_size"}));
}

TEST_CASE("local memory counts what the source declares and what the launch asks for") {
    FunctionInfo function = function_k();
    function.info.local_mem_bytes = 20u << 10;
    Launch launch = launch_of({16}, {16});
    launch.arguments.push_back(LocalArgument{12u << 10});
    CHECK(check(launch, function).empty());
    launch.arguments.push_back(LocalArgument{1024});
    CHECK(mentions(check(launch, function), {"33 KiB of local memory", "20 KiB declared in the source",
                                             "13 KiB as arguments", "has 32 KiB", "64x64 floats would fit"}));
    launch.arguments.push_back(LocalArgument{UINT64_MAX});
    CHECK(mentions(check(launch, function), {"local memory", "has 32 KiB"}));
}

TEST_CASE("a buffer above the constant memory is refused where the argument is __constant") {
    const Layout layout = make_layout(matmul(100, 100, 100), {}, small_device());
    DeviceInfo device = small_device();
    device.max_constant_bytes = 16u << 10;
    FunctionInfo function = function_k();
    function.arguments = {{"A", "float*", AddressSpace::Constant, true}};
    Launch launch = launch_of({16}, {16});
    launch.arguments = {BufferArgument{layout.find("A", 0)->id}};
    const auto found = [&] {
        return find_launch_constraint({launch}, {function}, device, &layout).value_or("");
    };
    CHECK(mentions(found(), {"__constant argument 'A'", "39.1 KiB", "16 KiB", "4096 elements would fit"}));
    device.max_constant_bytes = 64u << 10;
    CHECK(found().empty());
    device.max_constant_bytes = 16u << 10;
    function.arguments[0].space = AddressSpace::Global;
    CHECK(found().empty());
}

TEST_CASE("the second launch is looked at too") {
    CHECK(find_launch_constraint({launch_of({16}, {16}), launch_of({512}, {512})}, {function_k()},
                                 small_device()));
}

TEST_CASE(
    "one buffer above the device's limit names buffer, need and limit, and no size: it might fail, too") {
    DeviceInfo device = small_device();
    device.max_alloc_bytes = 1u << 20;
    const auto found = find_memory_constraint(make_layout(matmul(1024, 16, 1024), {}, device), device);
    REQUIRE(found);
    CHECK(sentence_of(*found) == "buffer A needs 4 MiB, but " + device.name +
                                     " allows at most 1 MiB in one buffer. Choose a smaller size");
    CHECK(!find_memory_constraint(make_layout(matmul(478, 478, 478), {}, device), device));
    const auto guarded = find_memory_constraint(make_layout(matmul(512, 512, 512), {}, device), device);
    REQUIRE(guarded);  // exactly 1 MiB
    CHECK(mentions(sentence_of(*guarded), {"1.1 MiB with its guard zones"}));
}

TEST_CASE("buffers that fit one by one but not together are refused with need and limit") {
    DeviceInfo device = small_device();
    device.global_mem_bytes = 10u << 20;
    device.max_alloc_bytes = 8u << 20;
    const auto found = find_memory_constraint(make_layout(matmul(1024, 1024, 1024), {}, device), device);
    REQUIRE(found);
    CHECK(mentions(sentence_of(*found), {"together", "12.4 MiB", "10 MiB", "Choose a smaller size"}));
}

TEST_CASE("buffers of nearly or more than 2^64 bytes are refused, whatever the device says of itself") {
    DeviceInfo device = small_device();
    CHECK(find_memory_constraint(make_layout(matmul(INT32_MAX, INT32_MAX, INT32_MAX), {}, device), device));
    device.max_alloc_bytes = UINT64_MAX;
    CHECK(find_memory_constraint(make_layout(matmul(INT32_MAX, INT32_MAX, INT32_MAX), {}, device), device));
    for (const std::uint64_t elements : {std::uint64_t{1} << 62, UINT64_MAX / 4 + 2, UINT64_MAX}) {
        CAPTURE(elements);
        Layout layout;
        layout.slots.push_back({0, Slot::Role::Scratch, "T", 0, {Scalar::Float32, 1}, elements, 0, 0, 0});
        const auto found = find_memory_constraint(layout, small_device());
        REQUIRE(found);
        CHECK(mentions(sentence_of(*found), {"buffer T", "more than 2^64 bytes", "256 MiB", "smaller size"}));
    }
}

TEST_CASE("a launch that fits here but on no common GPU gives a warning") {
    FunctionInfo function = function_k();
    CHECK(find_portability_warnings({launch_of({1024}, {1024})}, {function}).empty());
    const auto large = find_portability_warnings({launch_of({2048}, {2048})}, {function});
    REQUIRE(large.size() == 1);
    CHECK(
        mentions(sentence_of(large[0]), {"2048", "at most 1024", "1024 (1024 work-items) would fit there"}));
    function.info.local_mem_bytes = 64u << 10;
    CHECK(find_portability_warnings({launch_of({2048}, {2048})}, {function}).size() == 2);
    CHECK(find_portability_warnings({launch_of({7}, {})}, {function_k()}).empty());
}

TEST_CASE("private arrays that may burst the stack of a CPU driver are a warning, on a GPU they are none") {
    FunctionInfo function = function_k();
    function.info.private_mem_bytes = 256u << 10;
    DeviceInfo device = small_device();
    device.kind = DeviceKind::Cpu;
    const auto warned = find_portability_warnings({launch_of({64}, {64})}, {function}, device);
    REQUIRE(warned.size() == 1);
    CHECK(mentions(sentence_of(warned[0]), {"256 KiB of private memory", "64 work-items", "8 MiB"}));
    CHECK(find_portability_warnings({launch_of({32}, {32})}, {function}, device).empty());
    device.kind = DeviceKind::Gpu;
    CHECK(find_portability_warnings({launch_of({64}, {64})}, {function}, device).empty());
}

TEST_CASE("an image must fit the device's largest, in both directions, and there must be images") {
    FunctionInfo function = function_k();
    function.arguments = {{}};
    function.arguments.front().name = "photo";
    const auto said = [&](std::uint64_t width, std::uint64_t height, std::optional<ImageLimits> images) {
        Launch launch = launch_of({32}, {});
        launch.arguments = {ImageArgument{0, {{Scalar::UInt8, 4}, false, width, height}, false}};
        DeviceInfo device = small_device();
        device.images = images;
        return check(launch, function, device);
    };
    CHECK(said(64, 32, ImageLimits{64, 32}).empty());
    CHECK(mentions(said(65, 32, ImageLimits{64, 32}), {"'photo' is an image of 65 x 32", "at most 64 x 32"}));
    CHECK(mentions(said(64, 33, ImageLimits{64, 32}), {"64 x 33 pixels", "Choose a smaller size"}));
    CHECK(mentions(said(1, 1, std::nullopt), {"'photo' is an image", "has no images", "another device"}));
}
