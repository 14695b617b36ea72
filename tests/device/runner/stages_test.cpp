// A driver that compiles at the first launch is told from a kernel that runs.
#include <doctest/doctest.h>
#include <poll.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "device/runner/runner_process.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// Processor time that the runner has used, in seconds: proc(5), /proc/PID/stat.
double used_s(const RunnerProcess& runner) {
    std::ifstream file("/proc/" + std::to_string(runner.child.pid()) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field) fields >> skipped;
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

RunnerProcess started(const std::string& source) {
    RunnerProcess runner;
    const BuiltReply built = runner.build(source);
    REQUIRE_MESSAGE(built.accepted, built.log);
    runner.fill_buffers({bytes_of(std::vector<float>(64))});
    runner.start(one_launch("mine", {64}, {64}, {BufferArgument{0}}));
    return runner;
}

/// All stages until the runner has used some seconds more for what it is at.
std::vector<std::string> stages_of_long_work(RunnerProcess& runner) {
    constexpr double kEnough_s = 2;
    std::vector<std::string> stages;
    Channel& channel = runner.child.channel();
    for (double end_s = used_s(runner) + kEnough_s; used_s(runner) < end_s && !channel.closed();) {
        while (const std::optional<Message> message = channel.take()) {  // two may come with one read
            stages.push_back(message->json.value("stage", "none"));
            end_s = used_s(runner) + kEnough_s;
        }
        pollfd ready{channel.read_fd(), POLLIN, 0};
        if (::poll(&ready, 1, 50) > 0) channel.read_available();
    }
    return stages;
}

using Stages = std::vector<std::string>;

}  // namespace

TEST_CASE("a loop unrolled beyond all measure stays in the first launch, where it is compiled") {
    RunnerProcess runner = started(R"(
kernel void mine(global float* out) {
    float x = out[get_global_id(0)];
    #pragma unroll
    for (int i = 0; i < 200000; ++i) x = x * 1.0001f + sin(x) * i;
    out[get_global_id(0)] = x;
})");
    CHECK(stages_of_long_work(runner) == Stages{"first launch"});
}

TEST_CASE("a kernel that never ends is in its launch, also the first time") {
    RunnerProcess runner = started(R"(
kernel void mine(global volatile float* out) { while (out[0] < 1e30f) out[1] += 1; })");
    CHECK(stages_of_long_work(runner) == Stages{"first launch", "launch"});
}

TEST_CASE("a second launch of the same shape compiles nothing, one of another shape may") {
    RunnerProcess runner;
    REQUIRE(runner.build("kernel void mine(global float* out) { out[get_global_id(0)] = 1; }").accepted);
    runner.fill_buffers({bytes_of(std::vector<float>(64))});
    const auto request = one_launch("mine", {64}, {64}, {BufferArgument{0}});
    runner.execute(request);
    CHECK(runner.stages == Stages{"first launch", "launch"});
    runner.execute(request);
    CHECK(runner.stages == Stages{"launch"});
    runner.execute(one_launch("mine", {64}, {32}, {BufferArgument{0}}));
    CHECK(runner.stages == Stages{"first launch", "launch"});
}
