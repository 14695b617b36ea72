// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "device/runner/kernels.hpp"
#include "device/runner/runner_process.hpp"

using namespace kwb;
using namespace kwb::test;

// Effects of an execute request, each verified by the returned data.

namespace {

using Floats = std::vector<float>;

/// A runner with kKernels built.
RunnerProcess ready_runner() {
    RunnerProcess runner;
    const BuiltReply built = runner.build(kKernels);
    REQUIRE_MESSAGE(built.accepted, built.log);
    return runner;
}

Floats count_up(std::size_t n) {
    Floats values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i + 1);
    return values;
}

/// Executes the request, then `more` further runs; returns the reply to the last.
ExecutedReply run_repeatedly(RunnerProcess& runner, const ExecuteRequest& request, int more) {
    ExecutedReply reply = runner.execute(request);
    for (int i = 0; i < more; ++i) {
        runner.get<PreparedReply>(PrepareRequest{});
        reply = runner.get<ExecutedReply>(LaunchRequest{});
    }
    if (more > 0) runner.read_back();
    return reply;
}

}  // namespace

TEST_CASE("a kernel that keeps within its buffer leaves both guard zones as they were") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers({bytes_of(count_up(10)), bytes_of(Floats(10))});
    runner.execute(one_launch("scale", {10}, {},
                              {BufferArgument{0}, BufferArgument{1}, value(2.0f), value(10), value(0)}));
    CHECK(runner.payload<float>(1)[9] == 20);
    const auto whole = runner.whole(1);
    CHECK(is_untouched(whole.first(kGuardBytes)));
    CHECK(is_untouched(whole.last(kGuardBytes)));
}

TEST_CASE("a small buffer is in another page for each request, with its content and guard zones") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers(
        {bytes_of(std::vector<std::uint64_t>{42, 0}), bytes_of(std::vector<std::uint64_t>(16384))});
    std::set<std::uint64_t> pages[2];
    for (int request = 0; request < 5; ++request)
        for (const std::uint32_t buffer : {0u, 1u}) {
            runner.execute(one_launch("tell_address", {1}, {}, {BufferArgument{buffer}}));
            pages[buffer].insert(runner.payload<std::uint64_t>(buffer)[1] / kPageBytes);
            CHECK(is_untouched(runner.whole(buffer).first(kGuardBytes)));
            CHECK(is_untouched(runner.whole(buffer).last(kGuardBytes)));
        }
    CHECK(runner.payload<std::uint64_t>(0)[0] == 42);
    CHECK(pages[0].size() == 5);
    CHECK(pages[1].size() == 1);  // a large one stays
}

TEST_CASE("writes one element beside the payload show in the guard zones") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers({bytes_of(count_up(10)), bytes_of(Floats(10))});
    runner.execute(one_launch("scale", {12}, {},
                              {BufferArgument{0}, BufferArgument{1}, value(2.0f), value(10), value(1)}));
    const auto whole = runner.whole(1);
    const auto before = whole.first(kGuardBytes);
    const auto after = whole.last(kGuardBytes);
    float written[2];
    std::memcpy(&written[0], &before[kGuardBytes - sizeof(float)], sizeof(float));
    std::memcpy(&written[1], &after[0], sizeof(float));
    CHECK(written[0] == 2);
    CHECK(written[1] == 20);
    CHECK(is_untouched(before.first(kGuardBytes - sizeof(float))));
    CHECK(is_untouched(after.subspan(sizeof(float))));
}

TEST_CASE("poison shows where nothing was written, in the first run and in later ones") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers({bytes_of(Floats(6))});
    auto request = one_launch("half_written", {6}, {}, {BufferArgument{0}});
    request.before_run = {{0, pattern(std::nanf("")), std::nullopt}};
    for (const int more : {0, 3}) {
        CAPTURE(more);
        run_repeatedly(runner, request, more);
        const Floats out = runner.payload<float>(0);
        for (std::size_t i = 0; i < out.size(); ++i) CHECK(std::isnan(out[i]) == (i % 2 == 1));
    }
}

TEST_CASE("a pattern longer than what is left of the payload is cut") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers({bytes_of(Floats(8)), std::vector<std::byte>(11)});
    auto request = one_launch("add_one", {1}, {}, {BufferArgument{0}});
    request.before_run = {{1, {1, 2, 3, 4}, std::nullopt}};
    runner.execute(request);
    CHECK(runner.payload<std::uint8_t>(1) == std::vector<std::uint8_t>{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3});
    CHECK(is_untouched(runner.whole(1).last(kGuardBytes)));
}

TEST_CASE("without init an in-out buffer accumulates over the runs") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers({bytes_of(Floats(4))});
    auto request = one_launch("add_one", {4}, {}, {BufferArgument{0}});
    run_repeatedly(runner, request, 6);
    CHECK(runner.payload<float>(0) == Floats(4, 7.0f));
}

TEST_CASE("init by value and by copy is restored before every run, and wins over poison") {
    RunnerProcess runner = ready_runner();
    const Floats input = count_up(4);
    runner.fill_buffers({bytes_of(Floats(4)), bytes_of(input)});
    auto request = one_launch("add_one", {4}, {}, {BufferArgument{0}});
    const BufferOperation poison{0, pattern(std::nanf("")), std::nullopt};

    request.before_run = {poison, {0, pattern(5.0f), std::nullopt}};
    run_repeatedly(runner, request, 3);
    CHECK(runner.payload<float>(0) == Floats(4, 6.0f));

    request.before_run = {poison, {0, {}, 1}};
    run_repeatedly(runner, request, 3);
    CHECK(runner.payload<float>(0) == Floats{2, 3, 4, 5});
    CHECK(runner.payload<float>(1) == input);
}

TEST_CASE("two launches share a scratch buffer, and each has its time") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers({bytes_of(count_up(8)), bytes_of(Floats(8)), bytes_of(Floats(2))});
    auto request = one_launch("square", {8}, {4}, {BufferArgument{0}, BufferArgument{1}});
    request.launches.push_back({"sum_of_group",
                                {8},
                                {4},
                                {BufferArgument{1}, LocalArgument{4 * sizeof(float)}, BufferArgument{2}},
                                1,
                                std::nullopt});
    const ExecutedReply reply = run_repeatedly(runner, request, 3);
    CHECK(runner.payload<float>(2) == Floats{1 + 4 + 9 + 16, 25 + 36 + 49 + 64});
    REQUIRE(reply.launch_ms.size() == 2);
    CHECK(reply.launch_ms[0] > 0);
    CHECK(reply.launch_ms[1] > 0);
    CHECK(reply.launch_ms[0] + reply.launch_ms[1] <= reply.run_ms);
}

TEST_CASE("repeat and swap alternate two buffers, the next run starts unswapped") {
    RunnerProcess runner = ready_runner();
    const std::vector<int> ring = {10, 11, 12, 13, 14};
    runner.fill_buffers({bytes_of(ring), bytes_of(std::vector<int>(5)), bytes_of(std::vector<int>(5))});
    auto request = one_launch("shift", {5}, {}, {BufferArgument{0}, BufferArgument{1}, value(5)});
    request.launches[0].repeat = 3;
    request.launches[0].swap = {0, 1};
    // Bound to buffer 0, which after three swaps is buffer 1, the last one written.
    request.launches.push_back(
        {"shift", {5}, {}, {BufferArgument{0}, BufferArgument{2}, value(5)}, 1, std::nullopt});
    runner.execute(request);
    CHECK(runner.payload<int>(1) == std::vector<int>{13, 14, 10, 11, 12});
    CHECK(runner.payload<int>(0) == std::vector<int>{12, 13, 14, 10, 11});
    CHECK(runner.payload<int>(2) == std::vector<int>{14, 10, 11, 12, 13});

    // Each run shifts the values that the run before left in buffer 0, by 2 in place and by 4 in
    // total.
    runner.fill_buffers({bytes_of(ring), bytes_of(std::vector<int>(5)), bytes_of(std::vector<int>(5))});
    run_repeatedly(runner, request, 1);
    CHECK(runner.payload<int>(2) == std::vector<int>{11, 12, 13, 14, 10});
}

TEST_CASE("launches may have three dimensions, and the driver may choose the work-group") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers({bytes_of(std::vector<unsigned>(4 * 3 * 2))});
    runner.execute(one_launch("numbers", {4, 3, 2}, {2, 3, 1}, {BufferArgument{0}}));
    const auto numbers = runner.payload<unsigned>(0);
    for (unsigned z = 0; z < 2; ++z)
        for (unsigned y = 0; y < 3; ++y)
            for (unsigned x = 0; x < 4; ++x)
                CHECK(numbers[(z * 3 + y) * 4 + x] == 32000 + 100 * z + 10 * y + x);
    runner.execute(one_launch("numbers", {24}, {}, {BufferArgument{0}}));
    CHECK(runner.payload<unsigned>(0)[23] % 1000 == 23);
}

TEST_CASE("every run is timed by the device's clock and by the wall clock") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers({bytes_of(Floats(1024))});
    const auto request = one_launch("add_one", {1024}, {64}, {BufferArgument{0}});
    for (const int more : {0, 1}) {
        const ExecutedReply reply = run_repeatedly(runner, request, more);
        CHECK(reply.run_ms > 0);
        CHECK(reply.wall_ms >= reply.run_ms);
        CHECK(reply.launch_ms == std::vector<double>{reply.run_ms});
    }
}

TEST_CASE("only what was executed with the present buffers can run again") {
    RunnerProcess runner = ready_runner();
    const auto refused = [&](const auto& request) {
        const RunnerReply reply = runner.ask(request);
        const auto* failed = std::get_if<FailedReply>(&reply);
        return failed != nullptr &&
               failed->describe().find("no launch has run with these buffers") != std::string::npos;
    };
    CHECK(refused(LaunchRequest{}));
    CHECK(refused(PrepareRequest{}));
    runner.fill_buffers({bytes_of(Floats(4))});
    runner.execute(one_launch("add_one", {4}, {}, {BufferArgument{0}}));
    runner.get<ExecutedReply>(LaunchRequest{});
    runner.fill_buffers({bytes_of(Floats(8))});
    CHECK(refused(LaunchRequest{}));
}

TEST_CASE("operations before every run also precede later ones; those before the first run happen once") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers({bytes_of(Floats(4))});
    auto request = one_launch("add_one", {4}, {}, {BufferArgument{0}});
    request.before_run = {{0, pattern(10.0f), std::nullopt}};
    run_repeatedly(runner, request, 3);
    CHECK(runner.payload<float>(0) == Floats(4, 11.0f));
    std::swap(request.before_first, request.before_run);
    run_repeatedly(runner, request, 3);
    CHECK(runner.payload<float>(0) == Floats(4, 14.0f));
}

TEST_CASE("a buffer of the same size stays with its content, others are made anew") {
    RunnerProcess runner = ready_runner();
    // Large enough that a new allocation is unlikely to contain the old data.
    const Floats ones(1 << 20, 1.0f);
    runner.fill_buffers({bytes_of(ones), bytes_of(Floats(4))});
    runner.get<AllocatedReply>(BuffersRequest{
        {{0, kGuardBytes, ones.size() * sizeof(float), kGuardBytes}, {1, kGuardBytes, 32, kGuardBytes}}});
    runner.shapes.pop_back();
    runner.execute(one_launch("add_one", {4}, {}, {BufferArgument{0}}));
    const Floats kept = runner.payload<float>(0);
    CHECK(kept.front() == 2);
    CHECK(kept.back() == 1);
    CHECK(is_untouched(runner.whole(0).last(kGuardBytes)));
}

TEST_CASE("a kernel with a required work-group size says so and runs with it") {
    RunnerProcess runner;
    const BuiltReply built = runner.build(kKernels);
    const auto function = std::find_if(built.functions.begin(), built.functions.end(),
                                       [](const FunctionInfo& f) { return f.name == "needs_eight"; });
    REQUIRE(function != built.functions.end());
    CHECK(function->required_local == std::vector<std::uint64_t>{8, 1, 1});
    CHECK(function->info.work_group_size > 0);
    runner.fill_buffers({bytes_of(Floats(16))});
    runner.execute(one_launch("needs_eight", {16}, {8}, {BufferArgument{0}}));
    CHECK(runner.payload<float>(0) == Floats(16, 8.0f));
}

TEST_CASE("inputs from the arena replace the payload before a run, and leave the guard zones as they were") {
    RunnerProcess runner = ready_runner();
    runner.fill_buffers({bytes_of(Floats{1, 2}), bytes_of(Floats(2))});
    auto request =
        one_launch("scale", {2}, {}, {BufferArgument{0}, BufferArgument{1}, value(2.0f), value(2), value(0)});
    const auto put = [&](const Floats& input) {
        const auto place = runner.whole(0);
        std::ranges::copy(bytes_of(input), place.begin() + kGuardBytes);
        return Transfer{0, kGuardBytes};
    };
    runner.execute(request);
    CHECK(runner.payload<float>(1) == Floats{2, 4});
    runner.get<PreparedReply>(PrepareRequest{{put({5, 6})}});
    runner.get<ExecutedReply>(LaunchRequest{});
    runner.read_back();
    CHECK(runner.payload<float>(1) == Floats{10, 12});
    CHECK(runner.payload<float>(0) == Floats{5, 6});
    CHECK(is_untouched(runner.whole(0).first(kGuardBytes)));
    CHECK(is_untouched(runner.whole(0).last(kGuardBytes)));
}

// End to end: both matrix multiplications from source to results.

namespace {

constexpr const char* kNaive = R"(
kernel void naive(global const float* A, global const float* B, global float* C, int M, int N, int K) {
    int col = get_global_id(0);
    int row = get_global_id(1);
    if (row >= M || col >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
})";

constexpr const char* kTiled = R"(
kernel void tiled(global const float* A, global const float* B, global float* C, int M, int N, int K) {
    local float a[TILE][TILE];
    local float b[TILE][TILE];
    int lx = get_local_id(0), ly = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[ly][lx] = row < M && k0 + lx < K ? A[row * K + k0 + lx] : 0;
        b[ly][lx] = k0 + ly < K && col < N ? B[(k0 + ly) * N + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) sum += a[ly][k] * b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < M && col < N) C[row * N + col] = sum;
})";

constexpr int kM = 33, kN = 20, kK = 17;

std::vector<float> small_integers(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>((i * 7 + i / 5) % 9) - 4;
    return values;
}

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> c(kM * kN, 0.0f);
    for (std::size_t row = 0; row < kM; ++row)
        for (std::size_t col = 0; col < kN; ++col)
            for (std::size_t k = 0; k < kK; ++k) c[row * kN + col] += a[row * kK + k] * b[k * kN + col];
    return c;
}

}  // namespace

TEST_CASE("a naive and a barrier kernel multiply matrices of an awkward shape") {
    const auto a = small_integers(kM * kK);
    const auto b = small_integers(kK * kN);
    struct {
        const char* source;
        const char* name;
    } kernels[] = {{kNaive, "naive"}, {kTiled, "tiled"}};
    for (const auto& kernel : kernels) {
        CAPTURE(kernel.name);
        RunnerProcess runner;
        REQUIRE(runner.build(kernel.source, {}, "-DTILE=8").accepted);
        CHECK(runner.stages == std::vector<std::string>{"compile"});
        runner.fill_buffers({bytes_of(a), bytes_of(b), bytes_of(std::vector<float>(kM * kN, -1.0f))});
        auto request = one_launch(
            kernel.name, {24, 40}, {8, 8},
            {BufferArgument{0}, BufferArgument{1}, BufferArgument{2}, value(kM), value(kN), value(kK)});
        const ExecutedReply reply = runner.execute(request);
        CHECK(runner.stages == std::vector<std::string>{"first launch", "launch"});
        CHECK(runner.payload<float>(2) == product(a, b));
        CHECK(runner.payload<float>(0) == a);
        CHECK(reply.run_ms > 0);
        CHECK(reply.wall_ms >= reply.run_ms);
        CHECK(reply.launch_ms == std::vector<double>{reply.run_ms});
    }
}

TEST_CASE("a sampled run tells where in the kernel's code its threads were") {
    RunnerProcess runner;
    const BuiltReply built = runner.build(
        "kernel void spin(global float* x) {\n"
        "    float a = x[get_global_id(0)];\n"
        "    for (int i = 0; i < 200000; ++i) a = a * 0.999f + 0.001f;\n"
        "    x[get_global_id(0)] = a;\n"
        "}\n");
    REQUIRE_MESSAGE(built.accepted, built.log);
    runner.fill_buffers({bytes_of(count_up(1024))});
    ExecuteRequest request = one_launch("spin", {1024}, {16}, {BufferArgument{0}});
    CHECK(runner.execute(request).samples.empty());
    request.is_sampled = true;
    const ExecutedReply reply = runner.execute(request);
    CHECK(reply.samples.size() <= kMostCodePlaces);
    CHECK(std::ranges::any_of(reply.samples,
                              [](const CodePlace& place) { return place.library.ends_with("/spin.so"); }));
}
