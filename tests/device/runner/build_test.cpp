// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "device/runner/kernels.hpp"
#include "device/runner/runner_process.hpp"
#include "source/kernels.hpp"

using namespace kwb;
using namespace kwb::test;

// Building source into kernel functions, and the compiler's messages.

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Build `write_value`, which includes VALUE from `header`, run it, and return what it wrote.
int built_value(RunnerProcess& runner, const std::string& header) {
    const BuiltReply built = runner.build(
        "#include \"value.h\"\nkernel void write_value(global int* out) { *out = VALUE; }\n",
        {{"value.h", "#include \"deep/more.h\"\n#define VALUE (MORE)\n"}, {"deep/more.h", header}});
    REQUIRE_MESSAGE(built.accepted, built.log);
    runner.fill_buffers({bytes_of(std::vector<int>(1))});
    runner.execute(one_launch("write_value", {1}, {1}, {BufferArgument{0}}));
    return runner.payload<int>(0)[0];
}

}  // namespace

TEST_CASE("the devices are listed with their limits") {
    RunnerProcess runner;
    const auto list = runner.get<DeviceList>(DevicesRequest{});
    REQUIRE(!list.devices.empty());
    const DeviceInfo& device = list.devices[0];
    CHECK(device.id == "pocl:0");
    CHECK(device.kind == DeviceKind::Cpu);
    CHECK(device.platform == "Portable Computing Language");
    CHECK(device.device_version.starts_with("OpenCL "));
    CHECK(device.opencl_c.starts_with("OpenCL C "));
    CHECK(device.compute_units > 0);
    CHECK(device.max_work_group_size >= 256);
    CHECK(device.max_work_item_sizes.size() == 3);
    CHECK(device.local_mem_bytes >= 32768);
    CHECK(device.max_alloc_bytes > 0);
    CHECK(device.max_alloc_bytes <= device.global_mem_bytes);
    CHECK(device.base_align_bytes >= 1);
    CHECK(contains(device.extensions, "cl_khr_"));
    CHECK(list.failures.empty());
    CHECK(list.idle_drivers.empty());
}

TEST_CASE("rejected source is reported at the person's own file, line and column") {
    RunnerProcess runner;
    const BuiltReply built = runner.build("kernel void f(global int* out) {\n    *out = missing;\n}\n");
    CHECK(!built.accepted);
    CHECK(built.functions.empty());
    CHECK(built.log == "mine.cl:2:12: error: use of undeclared identifier 'missing'");
    CHECK(runner.stages == std::vector<std::string>{"compile"});
}

TEST_CASE("an accepted program may come with warnings, and with or without kernels") {
    RunnerProcess runner;
    const BuiltReply built = runner.build("\xEF\xBB\xBF#warning careful\nkernel void f() {}\n");
    CHECK(built.accepted);
    CHECK(built.log == "mine.cl:1:2: warning: careful");
    CHECK(built.build_ms > 0);
    REQUIRE(built.functions.size() == 1);
    CHECK(built.functions[0].arguments.empty());
    const BuiltReply empty = runner.build("int helper(int x) { return x; }\n");
    CHECK(empty.accepted);
    CHECK(empty.functions.empty());
}

TEST_CASE("an unknown build option is rejected with a reason") {
    RunnerProcess runner;
    runner.get<OpenedReply>(OpenRequest{0});
    const auto built = runner.get<BuiltReply>(BuildRequest{1, "mine.cl", "kernel void f() {}", {}, "-fast"});
    CHECK(!built.accepted);
    CHECK(contains(built.log, "-fast"));
}

TEST_CASE("options reach the compiler") {
    RunnerProcess runner;
    CHECK(!runner.build("int f(void) { return TILE; }\n").accepted);
    CHECK(runner.build("int f(void) { return TILE; }\n", {}, "-DTILE=16").accepted);
}

TEST_CASE("included neighbours are found, and a changed one is never served stale from a cache") {
    RunnerProcess runner;
    CHECK(built_value(runner, "#define MORE 3\n") == 3);
    CHECK(built_value(runner, "#define MORE 4\n") == 4);
    RunnerProcess another;
    CHECK(built_value(another, "#define MORE 5\n") == 5);
    CHECK(built_value(another, "#define MORE 3\n") == 3);
}

TEST_CASE("an error in a neighbour is reported by the name it is included with") {
    RunnerProcess runner;
    const std::string source = "#include \"sub/part.h\"\nkernel void f(global int* out) { *out = PART; }\n";
    const BuiltReply inside =
        runner.build(source, {{"sub/part.h", "#define PART 1\nint g(void) { return x; }\n"}});
    CHECK(!inside.accepted);
    CHECK(inside.log == "sub/part.h:2:22: error: use of undeclared identifier 'x'");
    const BuiltReply by_macro = runner.build(source, {{"sub/part.h", "#define PART nothing\n"}});
    CHECK(by_macro.log == "mine.cl:2:41: error: use of undeclared identifier 'nothing'");
    const BuiltReply missing = runner.build(source);
    CHECK(missing.log == "mine.cl:1:10: error: 'sub/part.h' file not found");
}

TEST_CASE("included files are gone after the build") {
    std::string folder = std::string(KWB_TEST_CACHE) + "/temporary-XXXXXX";
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    RunnerProcess runner({{"TMPDIR", folder}});
    CHECK(runner.build("#include \"a.h\"\n", {{"a.h", "#error so\n"}}).log == "a.h:1:2: error: so");
    CHECK(runner.build("#include \"a.h\"\n", {{"a.h", ""}}).accepted);
    CHECK(std::filesystem::is_empty(folder));
    std::filesystem::remove_all(folder);
}

TEST_CASE("names that lead out of the kernel's folder are refused") {
    RunnerProcess runner;
    runner.get<OpenedReply>(OpenRequest{0});
    for (const char* name : {"../up.h", "/tmp/absolute.h", "a/../../b.h", "", "folder/"}) {
        CAPTURE(name);
        const auto reply = runner.ask(BuildRequest{1, "mine.cl", "kernel void f() {}", {{name, "x"}}, ""});
        REQUIRE(std::holds_alternative<FailedReply>(reply));
        CHECK(contains(std::get<FailedReply>(reply).cause, "outside the kernel's folder"));
    }
}

TEST_CASE("the parameter list read from the source equals what the driver tells") {
    const std::string source = R"(
typedef struct { int a; } pair_t;
struct named { float b; };
/* kernel void f(int wrong) {} */
#define IGNORED kernel void f(int wrong) {}
void kernel_helper(void) {}
__attribute__((reqd_work_group_size(8, 1, 1)))
kernel void f(__global const float* restrict A,  // a comment, with (brackets
              const unsigned int n, __constant int *k, __local float4* tile, unsigned long m,
              volatile global unsigned char *bytes, pair_t by_value, global pair_t* pairs,
              const global float * const both, struct named s, global struct named* more,
              unsigned u, __global void *anything, short int small, global uint* ids
                  __attribute__((aligned(4))))
{ if (n) A; }
__kernel void nothing(void) {}
kernel __attribute__((vec_type_hint(float4))) void hinted(global ulong2 *x, float f) {}
)";
    RunnerProcess runner;
    const BuiltReply built = runner.build(source);
    REQUIRE_MESSAGE(built.accepted, built.log);
    REQUIRE(built.functions.size() == 3);
    const auto kernels = find_kernel_functions({source});
    REQUIRE(kernels);
    for (const FunctionInfo& function : built.functions) {
        CAPTURE(function.name);
        const auto kernel = std::ranges::find(*kernels, function.name, &SourceKernel::name);
        REQUIRE(kernel != kernels->end());
        CHECK(kernel->parameters == function.arguments);
    }
}

// Invalid requests are answered with a cause and a remedy, and the runner survives.

namespace {

template <class Request>
FailedReply refusal(RunnerProcess& runner, const Request& request) {
    const RunnerReply reply = runner.ask(request);
    const auto* failed = std::get_if<FailedReply>(&reply);
    REQUIRE(failed != nullptr);
    CHECK(!failed->cause.empty());
    CHECK(!failed->next_step.empty());
    return *failed;
}

bool mentions(const FailedReply& reply, const std::string& part) {
    return reply.describe().find(part) != std::string::npos;
}

ExecuteRequest good_launch() {
    auto request = one_launch("add_one", {4}, {}, {BufferArgument{0}});
    request.program = 1;
    return request;
}

}  // namespace

TEST_CASE("nothing can be done before a device is open, and only devices that exist can be opened") {
    RunnerProcess runner;
    CHECK(mentions(refusal(runner, BuildRequest{1, "a.cl", "kernel void f() {}", {}, ""}), "no device"));
    CHECK(mentions(refusal(runner, BuffersRequest{{{0, 0, 4, 0}}}), "no device"));
    CHECK(mentions(refusal(runner, good_launch()), "no device"));
    CHECK(mentions(refusal(runner, OpenRequest{99}), "device number 99 does not exist"));
    runner.get<OpenedReply>(OpenRequest{0});
    CHECK(mentions(refusal(runner, good_launch()), "no built program has the number 1"));
}

TEST_CASE("buffers that no device can hold are refused with the numbers") {
    RunnerProcess runner;
    runner.get<OpenedReply>(OpenRequest{0});
    CHECK(mentions(refusal(runner, BuffersRequest{{{0, 0, 0, 0}}}), "0 bytes"));
    const FailedReply huge = refusal(runner, BuffersRequest{{{0, 4096, std::uint64_t{1} << 45, 4096}}});
    CHECK(huge.code_name == "CL_INVALID_BUFFER_SIZE");
    CHECK(mentions(huge, "exceeds the largest buffer"));
    CHECK(mentions(refusal(runner, BuffersRequest{{{0, std::uint64_t{1} << 45, 4, 0}}}),
                   "exceeds the largest buffer"));
    CHECK(mentions(refusal(runner, BuffersRequest{{{0, 3, 4, 3}}}), "base alignment"));
    CHECK(mentions(refusal(runner, BuffersRequest{{{7, 0, 4, 0}, {7, 0, 8, 0}}}),
                   "two buffers have the number 7"));
    runner.get<AllocatedReply>(BuffersRequest{{{0, 0, 1, 0}}});
}

TEST_CASE("transfers beyond the arena or of unknown buffers are refused") {
    RunnerProcess runner;
    runner.get<OpenedReply>(OpenRequest{0});
    runner.get<AllocatedReply>(BuffersRequest{{{0, kGuardBytes, 16, kGuardBytes}}});
    CHECK(mentions(refusal(runner, UploadRequest{{{0, 0}}}), "exceeds the shared memory"));
    runner.arena.grow(16 + 2 * kGuardBytes);
    runner.get<UploadedReply>(UploadRequest{{{0, 0}}});
    CHECK(mentions(refusal(runner, UploadRequest{{{0, 1}}}), "exceeds the shared memory"));
    CHECK(
        mentions(refusal(runner, UploadRequest{{{0, std::uint64_t{1} << 45}}}), "exceeds the shared memory"));
    CHECK(mentions(refusal(runner, UploadRequest{{{3, 0}}}), "no buffer has the number 3"));
}

TEST_CASE("launches that cannot run are refused before the driver sees them, or with its words explained") {
    RunnerProcess runner;
    REQUIRE(runner.build(kKernels).accepted);
    runner.fill_buffers({bytes_of(std::vector<float>(4)), bytes_of(std::vector<float>(8))});
    const auto refuse = [&](ExecuteRequest request) {
        request.program = 1;
        return refusal(runner, request);
    };

    SUBCASE("names and programs") {
        auto request = good_launch();
        request.launches[0].kernel = "ad_one";
        const FailedReply unknown = refuse(request);
        CHECK(unknown.code_name == "CL_INVALID_KERNEL_NAME");
        CHECK(mentions(unknown, "half_written"));
        CHECK(mentions(unknown, "Did you mean add_one?"));
    }
    SUBCASE("dimensions") {
        const auto with = [&](std::vector<std::uint64_t> global, std::vector<std::uint64_t> local) {
            return refuse(one_launch("add_one", std::move(global), std::move(local), {BufferArgument{0}}));
        };
        CHECK(mentions(with({}, {}), "not 0"));
        CHECK(mentions(with({1, 1, 1, 1}, {}), "not 4"));
        CHECK(mentions(with({4, 0}, {}), "[4, 0] contains a 0"));
        CHECK(mentions(with({4}, {0}), "[0] contains a 0"));
        CHECK(mentions(with({4}, {2, 2}), "local has 2 dimensions, but global has 1"));
        CHECK(mentions(with({UINT64_MAX, 2}, {}), "is too large"));
        const FailedReply uneven = with({4}, {3});
        CHECK(uneven.code_name == "CL_INVALID_WORK_GROUP_SIZE");
        CHECK(mentions(uneven, "global [4] and local [3]"));
        CHECK(mentions(with({1u << 20}, {1u << 20}), "local [1048576]"));
        CHECK(mentions(refuse(one_launch("needs_eight", {8}, {4}, {BufferArgument{0}})),
                       "reqd_work_group_size"));
    }
    SUBCASE("arguments") {
        const auto with = [&](std::vector<Argument> arguments) {
            return refuse(one_launch("shift", {4}, {}, std::move(arguments)));
        };
        CHECK(mentions(with({}), "has 3 arguments, but the launch passes 0"));
        CHECK(mentions(with({BufferArgument{0}, BufferArgument{9}, value(4)}), "no buffer has the number 9"));
        CHECK(mentions(with({BufferArgument{0}, value(4.0), value(4)}), "argument 2 (out) must be a buffer"));
        CHECK(mentions(with({BufferArgument{0}, BufferArgument{1}, BufferArgument{1}}),
                       "argument 3 (n) must be a number"));
        CHECK(mentions(with({BufferArgument{0}, BufferArgument{1}, value(4.0)}), "argument 3 (n)"));
        CHECK(mentions(with({BufferArgument{0}, BufferArgument{1}, ValueArgument{}}), "argument 3 (n)"));
        CHECK(mentions(with({BufferArgument{0}, LocalArgument{16}, value(4)}), "must be a buffer"));
    }
    SUBCASE("local memory") {
        const auto with = [&](std::uint64_t bytes) {
            return refuse(one_launch("sum_of_group", {4}, {4},
                                     {BufferArgument{0}, LocalArgument{bytes}, BufferArgument{1}}));
        };
        CHECK(mentions(with(0), "argument 2 (tile) must be at least one byte"));
        CHECK(mentions(with(std::uint64_t{1} << 30), "more local memory"));
        CHECK(mentions(with(std::uint64_t{1} << 45), "more local memory"));
    }
    SUBCASE("repeats and operations") {
        auto request = good_launch();
        request.launches[0].repeat = 0;
        CHECK(mentions(refuse(request), "repeat is 0"));
        request.launches[0].repeat = 1'000'000;
        CHECK(mentions(refuse(request), "more than 100000 launches"));
        request = good_launch();
        request.launches[0].swap = {0, 5};
        CHECK(mentions(refuse(request), "no buffer has the number 5"));
        request = good_launch();
        request.before_run = {{0, {}, 1}};
        CHECK(mentions(refuse(request), "same size"));
        request.before_run = {{5, {1}, std::nullopt}};
        CHECK(mentions(refuse(request), "no buffer has the number 5"));
        request.before_run = {};
        request.download = {{0, 1u << 30}};
        CHECK(mentions(refuse(request), "exceeds the shared memory"));
    }
    runner.execute(good_launch());
    CHECK(runner.payload<float>(0) != std::vector<float>(4));
}
