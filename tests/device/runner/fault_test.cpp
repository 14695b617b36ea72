// SPDX-License-Identifier: Apache-2.0
// Faults outside all buffers, signals that are not faults, and the work-item that a trace reports.
#include <doctest/doctest.h>

#include <csignal>

#include "device/runner/runner_process.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

constexpr const char* kFaulty = R"(
kernel void nothing(global float* out) { out[0] = 1; }

kernel void read_null(global float* out) {
    global const float* nowhere = (global const float*)(ulong)(out[0] == 1e30f);
    out[1] = *nowhere;
}

kernel void write_null(global float* out) {
    global float* nowhere = (global float*)(ulong)(out[0] == 1e30f);
    *nowhere = 1;
}

// The buffer starts at a multiple of 16 bytes: this does not.
kernel void misaligned(global float* out) {
    global volatile float4* where = (global volatile float4*)(out + 1 + (out[0] == 1e30f));
    *where = (float4)(1, 2, 3, 4) + *where;
}

kernel void endless(global volatile float* out) {
    while (out[0] < 1e30f) out[1] += 1;
}

// The work-groups wait for each other, not for ever, and then fault all at once.
kernel void both(global volatile int* out) {
    atomic_inc(out);
    for (long i = 0; i < 2000000 && *out < 2; ++i) out[4] = i;
    out[1000000000 + get_group_id(0)] = 1;
}

// What a traced build does, and then a fault of work-item (6, 3, 1).
kernel void traced(global float* out, int at) {
    volatile __global ulong* record = (volatile __global ulong*)0x5b0000000000UL;
    for (int d = 0; d < 3; ++d) record[1 + d] = get_global_id(d);
    record[0] = 1;
    if (get_global_id(0) == 6 && get_global_id(1) == 3 && get_global_id(2) == 1) out[at] = 1;
}

kernel void one_beyond(global float* out, int at) { out[at] = 1; }

#ifdef __x86_64__
// The compiler of PoCL 6 dies of assembly in a kernel function.
__attribute__((noinline)) long call(long number, long a, long b) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b) : "rcx", "r11", "memory");
    return result;
}

// signal to ourselves, by number of the system call
kernel void raise(global float* out, long number, long signal) {
    call(number, call(39, 0, 0), signal);
    for (volatile int i = 0; out[0] < 1e30f; ++i) out[1] += 1;
}
#endif
)";

constexpr std::size_t kFloats = 12;

RunnerProcess faulty_runner(Confined confined = Confined::No, bool trace = false,
                            NamedList<std::string> environment = {}) {
    RunnerProcess runner(std::move(environment), confined);
    const BuiltReply built = runner.build(kFaulty);
    REQUIRE_MESSAGE(built.accepted, built.log);
    runner.fill_buffers({bytes_of(std::vector<float>(kFloats))}, Placement::RightAligned, trace);
    return runner;
}

ExecuteRequest once(const std::string& kernel, std::vector<Argument> more = {}) {
    more.insert(more.begin(), BufferArgument{0});
    return one_launch(kernel, {1}, {1}, std::move(more));
}

constexpr Confined kBoth[] = {Confined::No, Confined::Yes};

}  // namespace

TEST_CASE("a NULL pointer is told as address 0, which is known") {
    for (const Confined confined : kBoth)
        for (const bool is_write : {false, true}) {
            CAPTURE(is_write);
            RunnerProcess runner = faulty_runner(confined);
            const Death death = runner.die(once(is_write ? "write_null" : "read_null"));
            CHECK(death.status == "SIGSEGV");
            REQUIRE(death.faults.size() == 1);
            const FaultNote& fault = death.faults[0];
            CHECK(fault.access == (is_write ? FaultNote::Access::Write : FaultNote::Access::Read));
            CHECK(fault.address == 0);
            CHECK(!fault.address_unknown);
            CHECK(!fault.buffer);
        }
}

#ifdef __x86_64__
TEST_CASE("a misaligned vector is told as a fault of unknown address") {
    for (const Confined confined : kBoth) {
        RunnerProcess runner = faulty_runner(confined);
        const Death death = runner.die(once("misaligned"));
        CHECK(death.status == "SIGSEGV");
        REQUIRE(death.faults.size() == 1);
        const FaultNote& fault = death.faults[0];
        CHECK(fault.address_unknown);
        CHECK(fault.access == FaultNote::Access::Unknown);
        CHECK(!fault.buffer);
    }
}

TEST_CASE("a kernel that sends itself a signal dies of it, and no fault is told") {
    constexpr long kKill = 62;
    for (const Confined confined : kBoth)
        for (const int signal : {SIGSEGV, SIGBUS}) {
            CAPTURE(signal);
            RunnerProcess runner = faulty_runner(confined);
            const Death death = runner.die(once("raise", {value(kKill), value(long{signal})}));
            CHECK(death.status == signal_name(signal));
            CHECK(death.faults.empty());
        }
}
#endif

TEST_CASE("a signal from outside ends the runner, whether a kernel is at work or none") {
    for (const Confined confined : kBoth)
        for (const bool is_busy : {false, true})
            for (const int signal : {SIGSEGV, SIGBUS}) {
                CAPTURE(is_busy);
                CAPTURE(signal);
                RunnerProcess runner = faulty_runner(confined);
                runner.execute(once("nothing"));  // before this PoCL's compiler has its own handlers
                if (is_busy) {
                    runner.start(once("endless"));
                    while (runner.next_message().value().json["stage"] != "launch") {
                    }
                }
                REQUIRE(::kill(runner.child.pid(), signal) == 0);
                const Death death = runner.wait_for_death();
                CHECK(death.status == signal_name(signal));
                CHECK(death.faults.empty());
            }
}

TEST_CASE("threads that fault at once send one note") {
    for (const Confined confined : kBoth)
        for (int i = 0; i < 5; ++i) {
            RunnerProcess runner = faulty_runner(confined);
            const Death death = runner.die(one_launch("both", {4}, {1}, {BufferArgument{0}}));
            CHECK(death.status == "SIGSEGV");
            CHECK(death.fault_is_last);
            REQUIRE(death.faults.size() == 1);
            CHECK(death.faults[0].buffer == 0u);
            CHECK(death.faults[0].offset >= 4'000'000'000);
            CHECK(death.faults[0].offset < 4'000'000'016);
        }
}

TEST_CASE("the note names the work-item that a traced build noted last") {
    for (const Confined confined : kBoth) {
        RunnerProcess runner = faulty_runner(confined, /* trace = */ true, {{"POCL_MAX_PTHREAD_COUNT", "1"}});
        const Death death =
            runner.die(one_launch("traced", {8, 4, 2}, {4, 2, 1}, {BufferArgument{0}, value(int{kFloats})}));
        REQUIRE(death.faults.size() == 1);
        CHECK(death.faults[0].offset == kFloats * sizeof(float));
        CHECK(death.faults[0].work_item == std::vector<std::uint64_t>{6, 3, 1});
    }
}

TEST_CASE("a work-item of an earlier execution is not named, nor one of an untraced build") {
    RunnerProcess runner = faulty_runner(Confined::No, /* trace = */ true);
    runner.execute(one_launch("traced", {8, 4, 2}, {4, 2, 1}, {BufferArgument{0}, value(0)}));
    const Death death = runner.die(once("one_beyond", {value(int{kFloats})}));
    REQUIRE(death.faults.size() == 1);
    CHECK(!death.faults[0].work_item);
}

TEST_CASE("without the page for the trace a traced build faults at that page") {
    RunnerProcess runner = faulty_runner(Confined::No, /* trace = */ true);
    runner.fill_buffers({bytes_of(std::vector<float>(kFloats))}, Placement::RightAligned);
    const Death death = runner.die(one_launch("traced", {1}, {1}, {BufferArgument{0}, value(0)}));
    REQUIRE(death.faults.size() == 1);
    CHECK(death.faults[0].address / kPageBytes == kTraceAddress / kPageBytes);
    CHECK(!death.faults[0].work_item);
}
