// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/page_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "judge/build/source_hints.hpp"
#include "source/read.hpp"

using namespace kwb;

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
