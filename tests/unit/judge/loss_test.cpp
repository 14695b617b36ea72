// What a runner's death means, by the stage it was in.
#include "judge/loss.hpp"

#include <doctest/doctest.h>
#include <signal.h>

using namespace kwb;

namespace {

Death death_in(const char* stage, int signal, std::optional<FaultNote> fault = {}) {
    return {stage, ExitStatus{std::nullopt, signal}, std::move(fault), ""};
}

FaultNote fault_at(std::optional<std::uint32_t> buffer) {
    FaultNote note;
    note.buffer = buffer;
    return note;
}

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a death before the kernel runs is the compiler's, also at the first launch") {
    for (const char* stage : {kCompileStage, kFirstLaunchStage})
        for (const int signal : {SIGSEGV, SIGABRT}) {
            CAPTURE(stage);
            const Loss loss = explain_death(death_in(stage, signal));
            CHECK(loss.verdict == Verdict::CompilerCrashed);
            CHECK(has(loss.reason, "compiler"));
            CHECK(loss.evidence.signal == signal_name(signal));
        }
    CHECK(explain_death(death_in(kFirstLaunchStage, SIGSEGV, fault_at(std::nullopt))).verdict ==
          Verdict::CompilerCrashed);
}

TEST_CASE("a death while the kernel runs is the kernel's, and so is a fault at one of its buffers") {
    CHECK(explain_death(death_in(kLaunchStage, SIGSEGV)).verdict == Verdict::KernelCrashed);
    CHECK(explain_death(death_in(kFirstLaunchStage, SIGSEGV, fault_at(2))).verdict == Verdict::KernelCrashed);
}

TEST_CASE("memory taken before the kernel runs is the compiler's") {
    CHECK(explain_memory({kFirstLaunchStage, {}, {}, ""}, 1 << 20).verdict == Verdict::CompilerCrashed);
    CHECK(explain_memory({kLaunchStage, {}, {}, ""}, 1 << 20).verdict == Verdict::KernelCrashed);
}

TEST_CASE("damage that the runner noticed is the kernel's, with what was found") {
    const Loss loss = explain_damage({kLaunchStage, {}, {}, ""}, "file descriptor 3 is gone");
    CHECK(loss.verdict == Verdict::KernelCrashed);
    CHECK(has(loss.reason, "closed or damaged what its process needs (file descriptor 3 is gone)"));
}
