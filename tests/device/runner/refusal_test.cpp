// Requests that make no sense are answered with a cause and a next step, and the runner lives on.
#include <doctest/doctest.h>

#include "device/runner/kernels.hpp"
#include "device/runner/runner_process.hpp"

using namespace kwb;
using namespace kwb::test;

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
    CHECK(mentions(refusal(runner, OpenRequest{99}), "no device of number 99"));
    runner.get<OpenedReply>(OpenRequest{0});
    CHECK(mentions(refusal(runner, good_launch()), "no built program of number 1"));
}

TEST_CASE("buffers that no device can hold are refused with the numbers") {
    RunnerProcess runner;
    runner.get<OpenedReply>(OpenRequest{0});
    CHECK(mentions(refusal(runner, BuffersRequest{{{0, 0, 0, 0}}}), "0 bytes"));
    const FailedReply huge = refusal(runner, BuffersRequest{{{0, 4096, std::uint64_t{1} << 45, 4096}}});
    CHECK(huge.code_name == "CL_INVALID_BUFFER_SIZE");
    CHECK(mentions(huge, "at most"));
    CHECK(mentions(refusal(runner, BuffersRequest{{{0, std::uint64_t{1} << 45, 4, 0}}}), "at most"));
    CHECK(mentions(refusal(runner, BuffersRequest{{{0, 3, 4, 3}}}), "base alignment"));
    CHECK(mentions(refusal(runner, BuffersRequest{{{7, 0, 4, 0}, {7, 0, 8, 0}}}), "two buffers of number 7"));
    runner.get<AllocatedReply>(BuffersRequest{{{0, 0, 1, 0}}});
}

TEST_CASE("transfers beyond the arena or of unknown buffers are refused") {
    RunnerProcess runner;
    runner.get<OpenedReply>(OpenRequest{0});
    runner.get<AllocatedReply>(BuffersRequest{{{0, kGuardBytes, 16, kGuardBytes}}});
    CHECK(mentions(refusal(runner, UploadRequest{{{0, 0}}}), "beyond the shared memory"));
    runner.arena.grow(16 + 2 * kGuardBytes);
    runner.get<UploadedReply>(UploadRequest{{{0, 0}}});
    CHECK(mentions(refusal(runner, UploadRequest{{{0, 1}}}), "beyond the shared memory"));
    CHECK(
        mentions(refusal(runner, UploadRequest{{{0, std::uint64_t{1} << 45}}}), "beyond the shared memory"));
    CHECK(mentions(refusal(runner, UploadRequest{{{3, 0}}}), "no buffer of number 3"));
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
        CHECK(mentions(with({4, 0}, {}), "[4, 0] has a 0"));
        CHECK(mentions(with({4}, {0}), "[0] has a 0"));
        CHECK(mentions(with({4}, {2, 2}), "local has 2 dimensions, global 1"));
        CHECK(mentions(with({UINT64_MAX, 2}, {}), "beyond counting"));
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
        CHECK(mentions(with({}), "has 3 arguments, 0 were given"));
        CHECK(mentions(with({BufferArgument{0}, BufferArgument{9}, value(4)}), "no buffer of number 9"));
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
        CHECK(mentions(refuse(request), "no buffer of number 5"));
        request = good_launch();
        request.before_run = {{0, {}, 1}};
        CHECK(mentions(refuse(request), "same size"));
        request.before_run = {{5, {1}, std::nullopt}};
        CHECK(mentions(refuse(request), "no buffer of number 5"));
        request.before_run = {};
        request.download = {{0, 1u << 30}};
        CHECK(mentions(refuse(request), "beyond the shared memory"));
    }
    runner.execute(good_launch());
    CHECK(runner.payload<float>(0) != std::vector<float>(4));
}
