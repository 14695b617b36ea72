// SPDX-License-Identifier: Apache-2.0
// Meaning of a runner's death, by the stage it was in.
#include "judge/processes/failure.hpp"

#include <doctest/doctest.h>
#include <signal.h>

#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

Death death_in(const char* stage, int signal, std::optional<FaultNote> fault = {}) {
    return {stage, ExitStatus{std::nullopt, signal}, std::move(fault), ""};
}

FaultNote fault_at(std::optional<std::uint32_t> buffer) {
    FaultNote note;
    note.buffer = buffer;
    return note;
}

}  // namespace

TEST_CASE("a death before the kernel runs is the compiler's, also at the first launch") {
    for (const char* stage : {kCompileStage, kFirstLaunchStage})
        for (const int signal : {SIGSEGV, SIGABRT}) {
            CAPTURE(stage);
            const Failure failure = explain_death(death_in(stage, signal));
            CHECK(failure.verdict == Verdict::CompilerCrashed);
            CHECK(has(failure.reason, "compiler"));
            CHECK(failure.evidence.signal == signal_name(signal));
        }
}

TEST_CASE("a death while the kernel runs is the kernel's, and so is a fault that the runner tells of") {
    CHECK(explain_death(death_in(kLaunchStage, SIGSEGV)).verdict == Verdict::KernelCrashed);
    for (const std::optional<std::uint32_t> buffer : {std::optional(2u), std::optional<std::uint32_t>()})
        CHECK(explain_death(death_in(kFirstLaunchStage, SIGSEGV, fault_at(buffer))).verdict ==
              Verdict::KernelCrashed);
}

TEST_CASE("memory taken before the kernel runs is the compiler's") {
    for (const Resource of : {Resource::Memory, Resource::Processes, Resource::Files}) {
        const Excess excess{of, 1 << 20};
        CHECK(explain_excess({kFirstLaunchStage, {}, {}, ""}, excess).verdict == Verdict::CompilerCrashed);
        CHECK(explain_excess({kLaunchStage, {}, {}, ""}, excess).verdict == Verdict::KernelCrashed);
    }
}

TEST_CASE("damage that the runner noticed is the kernel's, with what was found") {
    const Failure failure = explain_damage({kLaunchStage, {}, {}, ""}, "file descriptor 3 is gone");
    CHECK(failure.verdict == Verdict::KernelCrashed);
    CHECK(has(failure.reason, "closed or damaged what its process needs (file descriptor 3 is gone)"));
}

TEST_CASE("a process that ended itself or met a trap is not blamed on an index") {
    const Failure exit = explain_death({kLaunchStage, ExitStatus{0, 0}, {}, ""});
    CHECK(exit.verdict == Verdict::KernelCrashed);
    CHECK(has(exit.reason, "the kernel ended its own process (exit code 0)"));
    for (const int signal : {SIGILL, SIGTRAP}) {
        const Failure trap = explain_death(death_in(kLaunchStage, signal));
        CHECK(trap.verdict == Verdict::KernelCrashed);
        CHECK(has(trap.reason, "an instruction that this CPU does not have, or a trap"));
        CHECK_FALSE(has(trap.reason, "index"));
    }
    for (const int signal : {SIGSYS, SIGFPE, SIGTERM})
        CHECK_FALSE(has(explain_death(death_in(kLaunchStage, signal)).reason, "index"));
    CHECK(has(explain_death(death_in(kLaunchStage, SIGSEGV)).reason, "index"));
}

TEST_CASE("memory ran out only where the system says so") {
    Death death = death_in(kLaunchStage, SIGKILL);
    CHECK_FALSE(has(explain_death(death).reason, "memory"));
    death.ran_out_of_memory = true;
    CHECK(has(explain_death(death).reason, "memory ran out"));
    CHECK(explain_death(death).verdict == Verdict::Skipped);
}

TEST_CASE("every timeout names its remedy") {
    for (const char* stage : {"", kCompileStage, kFirstLaunchStage, kLaunchStage}) {
        CAPTURE(stage);
        CHECK(has(explain_timeout({stage, {}, {}, ""}, 1).reason, "a longer time limit"));
    }
}

TEST_CASE("memory of further processes is attributed to them") {
    const Death death{kLaunchStage, {}, {}, ""};
    CHECK(has(explain_excess(death, {Resource::Memory, 1 << 20, true}).reason, "started further processes"));
    CHECK_FALSE(has(explain_excess(death, {Resource::Memory, 1 << 20, false}).reason, "started"));
}
