// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <signal.h>
#include <algorithm>

#include "judge/build/source_hints.hpp"
#include "judge/processes/failure.hpp"
#include "judge/verify/page_check.hpp"
#include "judge/verify/stray_access.hpp"
#include "sample.hpp"
#include "source/read.hpp"
#include "support/words.hpp"

// --- build/failure.hpp ---

// Meaning of a runner's death, by the stage it was in.

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

// --- stray accesses ---

namespace {

const Layout& layout() {
    static const Layout layout =
        make_layout(matmul(256, 256, 256), {}, small_device(), {Placement::Kind::RightAligned});
    return layout;
}

/// A crash at `offset` bytes from the start of buffer 0, which is A.
Failure death(std::int64_t offset, FaultNote::Access access = FaultNote::Access::Read) {
    FaultNote fault;
    fault.access = access;
    fault.buffer = 0;
    fault.offset = offset;
    fault.address = 0x7f0000000000u + static_cast<std::uint64_t>(offset);
    return {Verdict::KernelCrashed, "the kernel crashed", {"launch", "SIGSEGV", {}, {}, {}}, fault};
}

Failure death_at(std::uint64_t address) {
    Failure failure = death(0);
    failure.fault->buffer.reset();
    failure.fault->address = address;
    return failure;
}

}  // namespace

TEST_CASE("a fault beside a buffer is out of bounds and names access, element and distance") {
    const Failure failure = explain_fault(death(65536 * 4), layout());
    CHECK(failure.verdict == Verdict::OutOfBounds);
    CHECK(failure.reason == "read element 65536 of A (valid 0 … 65535), one past the end");
    CHECK(failure.evidence.buffer == "A");
    CHECK(failure.evidence.access == "read");
    CHECK(failure.evidence.element == 65536);
    CHECK(failure.evidence.signal == "SIGSEGV");

    CHECK(explain_fault(death(-4, FaultNote::Access::Write), layout()).reason ==
          "wrote element -1 of A (valid 0 … 65535), one before the first");
    CHECK(explain_fault(death(-4, FaultNote::Access::Unknown), layout()).reason ==
          "read or wrote element -1 of A (valid 0 … 65535), one before the first");
    CHECK(has(explain_fault(death(65536 * 4 + 4'000'000'000), layout()).reason, "1000000001 past the end"));
}

TEST_CASE("any byte of an element stands for it, on both sides") {
    CHECK(find_stray_access(death(65536 * 4 + 3), layout())->element == 65536);
    CHECK(find_stray_access(death(65536 * 4 + 4), layout())->element == 65537);
    CHECK(find_stray_access(death(-1), layout())->element == -1);
    CHECK(find_stray_access(death(-4), layout())->element == -1);
    CHECK(find_stray_access(death(-5), layout())->element == -2);
}

TEST_CASE("an impossible fault note blames no buffer") {
    CHECK(!find_stray_access(death(0), layout()));
    CHECK(!find_stray_access(death(65535 * 4), layout()));
    Failure unknown_buffer = death(-4);
    unknown_buffer.fault->buffer = 99;
    CHECK(!find_stray_access(unknown_buffer, layout()));
    Failure no_note = death(-4);
    no_note.fault.reset();
    CHECK(!find_stray_access(no_note, layout()));
    CHECK(explain_fault(no_note, layout()).reason == "the kernel crashed");
}

TEST_CASE("a fault near no buffer stays a crash, with its address and the usual causes") {
    const Failure far = explain_fault(death_at(0x123456789000), layout());
    CHECK(far.verdict == Verdict::KernelCrashed);
    CHECK(has(far.reason, "0x123456789000"));
    CHECK(has(far.reason, "barrier"));

    const Failure null = explain_fault(death_at(8), layout());
    CHECK(null.verdict == Verdict::KernelCrashed);
    CHECK(has(null.reason, "NULL pointer (address 0x8)"));

    Failure vector = death_at(0);
    vector.fault->address_unknown = true;
    CHECK(is_of_unknown_address(vector));
    CHECK(has(explain_fault(vector, layout()).reason, "misaligned vector"));
}

TEST_CASE("a crash of the compiler is not the kernel's fault") {
    Failure failure = death_at(0x1000000);
    failure.verdict = Verdict::CompilerCrashed;
    CHECK(explain_fault(failure, layout()).reason == failure.reason);
    CHECK(!is_of_unknown_address(failure));
}

TEST_CASE("a work-item is told by its global ids") {
    CHECK(describe_work_item({64, 0}) == "by work-item (64, 0)");
}

// --- traced sources ---

namespace {

constexpr const char* kCall = "kwb_note_work_item(); ";

std::string without_calls(std::string text) {
    for (std::size_t at; (at = text.find(kCall)) != std::string::npos;)
        text.erase(at, std::string(kCall).size());
    return text;
}

std::size_t count_calls(const std::string& text) {
    std::size_t calls = 0;
    for (std::size_t at = 0; (at = text.find(kCall, at)) != std::string::npos; ++at) ++calls;
    return calls;
}

KernelPlan trace(const std::string& text, const NamedList<std::string>& includes = {}) {
    KernelPlan plan;
    plan.source_text = text;
    plan.includes = includes;
    const Reading reading = read_source(source_text_of(plan));
    REQUIRE_MESSAGE(reading.program, reading.failure);
    return add_trace_calls(plan, *reading.program);
}

/// The traced text without the prelude.
std::string traced(const std::string& text) {
    const KernelPlan plan = trace(text);
    REQUIRE(plan.source_text.starts_with(trace_prelude()));
    return plan.source_text.substr(trace_prelude().size());
}

/// Functions that the tests' statements call.
const std::string kCalled = "void b(void); void c(void); int d(void);\n";

}  // namespace

TEST_CASE("every statement of a block is preceded by a call") {
    CHECK(traced("kernel void f(global int* a) { int i = get_global_id(0); a[i] = 1; }") ==
          "kernel void f(global int* a) { kwb_note_work_item(); int i = get_global_id(0); "
          "kwb_note_work_item(); a[i] = 1; }");
}

TEST_CASE("the statement after a barrier and the one after a loop are preceded by a call") {
    const std::string text =
        traced(kCalled + "void f() { for (int i = 0; i < 9; ++i) { b(); barrier(1); c(); } d(); }");
    CHECK(text.find("barrier(1); kwb_note_work_item(); c();") != std::string::npos);
    CHECK(text.find("} kwb_note_work_item(); d();") != std::string::npos);
    CHECK(text.find("for (int i = 0; i < 9; ++i) { kwb_note_work_item(); b();") != std::string::npos);
}

TEST_CASE("else, the while of a do, and labels stay with what they belong to") {
    for (const char* body :
         {"if (a) b(); else c();", "if (a) { b(); } else { c(); }", "if (a) b(); /* why */ else c();",
          "do { b(); } while (d());", "do b(); while (d());",
          "switch (a) { case 1: b(); case 2: c(); default:; }", "goto end; end: b();"}) {
        CAPTURE(body);
        const std::string source = kCalled + "void f(int a) { " + body + " }";
        const std::string text = traced(source);
        CHECK(without_calls(text) == source);
        CHECK(count_calls(text) > 0);
        // The instrumented source still compiles.
        const Reading again = read_source({"void kwb_note_work_item(void);\n" + text});
        REQUIRE(again.program);
        CHECK(again.program->faults.empty());
    }
}

TEST_CASE("nothing is put into structs, initialisers, loop heads, macros, comments and strings") {
    for (const char* text : {"struct s { int a; int b; };", "constant int t[] = {1, 2, 3};",
                             "typedef enum { A, B } e;", "#define F(x) { x; \\\n  x; }\nint a(void);",
                             "// { a; b; }\n/* { a; } */", "# define G { a; } /* { b;\n c; */"}) {
        CAPTURE(text);
        CHECK(traced(text) == text);
    }
    CHECK(count_calls(traced("void f() { int t[] = {1, 2}; }")) == 1);
    CHECK(count_calls(traced(kCalled + "void f(int a) { for (a = 0; d(); ++a) d(); }")) == 1);
    CHECK(count_calls(traced("void f() { printf(\"{;};\\\"\"); char c = ';'; }")) == 2);
    CHECK(count_calls(traced("#define G(x) { x; x; }\nvoid f(int a) { G(a = 1) }")) == 0);
}

TEST_CASE("text that is no program comes through, with nothing but calls added") {
    for (const char* text : {"", "}", "}}}{{{;;;", "\"", "'", "/*", "//", "#", "# \\", "/", "a \\",
                             "void f() {", "((((;;;;", "void f() { \"\n; }", "é {;}", "do {"}) {
        CAPTURE(text);
        CHECK(without_calls(traced(text)) == text);
    }
}

TEST_CASE("the lines of the source keep their numbers, in neighbours too") {
    const std::string text = kCalled + "#include \"n.h\"\nkernel void f()\n{\n  b();\n  c();\n}\n";
    const KernelPlan plan = trace(text, {{"n.h", "int g(void) {\n  int x = 1;\n  return x;\n}\n"}});
    const std::string main = plan.source_text.substr(trace_prelude().size());
    CHECK(std::count(main.begin(), main.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
    CHECK(*find_named(plan.includes, "n.h") ==
          "int g(void) {\n  kwb_note_work_item(); int x = 1;\n  kwb_note_work_item(); return x;\n}\n");
    CHECK(trace_prelude().ends_with("#line 1\n"));
    CHECK(trace_prelude().find("0x5b0000000000UL") != std::string::npos);
}
