// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <sstream>

#include "device/runner/kernels.hpp"
#include "device/runner/runner_process.hpp"
#include "support/patience.hpp"

using namespace kwb;
using namespace kwb::test;

// Life and death of a runner.

namespace {

/// Send an execute request with one launch on a small buffer, without waiting for the reply.
void start_launch(RunnerProcess& runner, const char* kernel) {
    const BuiltReply built = runner.build(kKernels);
    REQUIRE_MESSAGE(built.accepted, built.log);
    runner.fill_buffers({bytes_of(std::vector<float>(4))});
    runner.start(one_launch(kernel, {1}, {1}, {BufferArgument{0}}));
}

}  // namespace

TEST_CASE("what a kernel prints is captured beside the conversation, before the reply") {
    RunnerProcess runner;
    REQUIRE(runner.build(kKernels).accepted);
    runner.fill_buffers({bytes_of(std::vector<float>{42})});
    runner.execute(one_launch("talk", {1}, {1}, {BufferArgument{0}}));
    CHECK(runner.output("the first is 42\n").find("the first is 42\n") != std::string::npos);
    runner.execute(one_launch("add_one", {1}, {1}, {BufferArgument{0}}));
    CHECK(runner.payload<float>(0)[0] == 43);
}

TEST_CASE("a kernel that kills the runner leaves the stages, and the fault as its last message") {
    RunnerProcess runner;
    start_launch(runner, "write_to_null");
    const Death death = runner.wait_for_death();
    CHECK(death.stages == std::vector<std::string>{"first launch", "launch"});
    CHECK(death.faults.size() == 1);
    CHECK(death.fault_is_last);
    CHECK(death.status == "SIGSEGV");
}

TEST_CASE("the runner ends at once, and well, when its stdin closes") {
    RunnerProcess runner;
    REQUIRE(runner.build(kKernels).accepted);
    runner.child.channel().close_write();
    const auto status = runner.child.wait(deadline_after_ms(kPatienceMs));
    REQUIRE(status);
    CHECK(status->code == 0);
}

TEST_CASE("a message that is no request ends the runner with a sentence") {
    RunnerProcess runner;
    SUBCASE("an unknown type") {
        runner.child.channel().send(Json{{"type", "dance"}});
    }
    SUBCASE("a wrong field") {
        runner.child.channel().send(Json{{"type", "open"}, {"index", "first"}});
    }
    SUBCASE("no type") {
        runner.child.channel().send(Json{{"index", 0}});
    }
    const auto status = runner.child.wait(deadline_after_ms(kPatienceMs));
    REQUIRE(status);
    CHECK(status->code == 2);
    CHECK(runner.output("\n").find("kwb-judge") != std::string::npos);
}

TEST_CASE("a runner amid an endless kernel dies with its parent") {
    Pipe to_test = make_pipe();
    Pipe to_parent = make_pipe();
    const pid_t parent = ::fork();
    if (parent == 0) {
        // Otherwise this process would not notice the end of the test.
        to_test.read.reset();
        to_parent.write.reset();
        RunnerProcess runner;
        start_launch(runner, "endless");
        const auto note = runner.next_message();
        const pid_t pid = note && note->type == "stage" ? runner.child.pid() : -1;
        char go = 0;
        if (::write(to_test.write.get(), &pid, sizeof(pid)) != sizeof(pid)) ::_exit(1);
        if (::read(to_parent.read.get(), &go, 1) != 1) ::_exit(1);
        ::_exit(0);
    }
    to_test.write.reset();
    to_parent.read.reset();
    pid_t runner = -1;
    REQUIRE(::read(to_test.read.get(), &runner, sizeof(runner)) == sizeof(runner));
    REQUIRE(runner > 0);
    const Fd runner_end(static_cast<int>(::syscall(SYS_pidfd_open, runner, 0)));
    REQUIRE(runner_end);
    pollfd ended{runner_end.get(), POLLIN, 0};
    CHECK(::poll(&ended, 1, 0) == 0);
    REQUIRE(::write(to_parent.write.get(), "!", 1) == 1);
    CHECK(::poll(&ended, 1, kPatienceMs) == 1);
    ::waitpid(parent, nullptr, 0);
}

TEST_CASE("started by hand in a terminal the runner explains itself") {
    const Fd terminal(::posix_openpt(O_RDWR | O_NOCTTY));
    REQUIRE(terminal);
    REQUIRE(::grantpt(terminal.get()) == 0);
    REQUIRE(::unlockpt(terminal.get()) == 0);
    const Fd inner(::open(::ptsname(terminal.get()), O_RDWR | O_NOCTTY));
    Pipe output = make_pipe();
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::dup2(inner.get(), 0);
        ::dup2(output.write.get(), 2);
        ::execl(KWB_RUNNER_PROGRAM, "kwb-runner", static_cast<char*>(nullptr));
        ::_exit(127);
    }
    output.write.reset();
    std::array<char, 512> text{};
    CHECK(::read(output.read.get(), text.data(), text.size() - 1) > 0);
    CHECK(std::string(text.data()).find("kwb run") != std::string::npos);
    int status = 0;
    ::waitpid(pid, &status, 0);
    CHECK(WEXITSTATUS(status) == 2);
}

// A driver that compiles in the first launch is distinguished from a running kernel.

namespace {

/// CPU time of the runner, seconds. Source: proc(5), /proc/PID/stat.
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

/// The stages reported until the runner has used kEnough_s of CPU time without reporting another one.
std::vector<std::string> stages_of_long_work(RunnerProcess& runner) {
    constexpr double kEnough_s = 2;
    std::vector<std::string> stages;
    Channel& channel = runner.child.channel();
    for (double end_s = used_s(runner) + kEnough_s; used_s(runner) < end_s && !channel.closed();) {
        while (const std::optional<Message> message = channel.take()) {  // one read may deliver two
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
