#include "judge/verify/traced_source.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace kwb;

namespace {

constexpr const char* kCall = " kwb_note_work_item();";

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

}  // namespace

TEST_CASE("every statement of a function is preceded by a call") {
    CHECK(add_trace_calls("kernel void f(global int* a) { int i = get_global_id(0); a[i] = 1; }") ==
          "kernel void f(global int* a) { kwb_note_work_item(); int i = get_global_id(0); "
          "kwb_note_work_item(); a[i] = 1; kwb_note_work_item(); }");
}

TEST_CASE("the statement behind a barrier and the one behind a loop are preceded by a call") {
    const std::string traced =
        add_trace_calls("void f() { for (int i = 0; i < 9; ++i) { x(); barrier(1); y(); } z(); }");
    CHECK(traced.find("barrier(1); kwb_note_work_item(); y();") != std::string::npos);
    CHECK(traced.find("} kwb_note_work_item(); z();") != std::string::npos);
    CHECK(traced.find("for (int i = 0; i < 9; ++i) { kwb_note_work_item(); x();") != std::string::npos);
}

TEST_CASE("else and the while of a do stay with what they belong to") {
    for (const char* text :
         {"void f() { if (a) b(); else c(); }", "void f() { if (a) { b(); } else { c(); } }",
          "void f() { if (a) b(); /* why */ else c(); }", "void f() { do { b(); } while (c); }",
          "void f() { do b(); while (c); }", "void f() { switch (a) { case 1: b(); case 2: c(); } }"}) {
        CAPTURE(text);
        const std::string traced = add_trace_calls(text);
        CHECK(without_calls(traced) == text);
        CHECK(traced.find("; kwb_note_work_item(); else") == std::string::npos);
        CHECK(traced.find("} kwb_note_work_item(); else") == std::string::npos);
        CHECK(traced.find("kwb_note_work_item(); while") == std::string::npos);
        CHECK(traced.find("kwb_note_work_item(); /* why */ else") == std::string::npos);
        CHECK(count_calls(traced) > 0);
    }
}

TEST_CASE("nothing is put into structs, initialisers, loop heads, macros, comments and strings") {
    for (const char* text : {"struct s { int a; int b; };", "constant int t[] = {1, 2, 3};",
                             "typedef enum { A, B } e;", "#define F(x) { x; \\\n  x; }\nint a;",
                             "// { a; b; }\n/* { a; } */", "# define G { a; } /* { b;\n c; */"}) {
        CAPTURE(text);
        CHECK(add_trace_calls(text) == text);
    }
    CHECK(count_calls(add_trace_calls("void f() { int t[] = {1, 2}; }")) == 2);
    CHECK(count_calls(add_trace_calls("void f() { for (a; b; c) d(); }")) == 2);
    CHECK(count_calls(add_trace_calls("void f() { printf(\"{;};\\\"\"); char c = ';'; }")) == 3);
}

TEST_CASE("text that is no program comes through, with nothing but calls added") {
    for (const char* text : {"", "}", "}}}{{{;;;", "\"", "'", "/*", "//", "#", "# \\", "/", "a \\",
                             "void f() {", "((((;;;;", "void f() { \"\n; }", "é {;}", "do {"}) {
        CAPTURE(text);
        const std::string traced = add_trace_calls(text);
        CHECK(without_calls(traced) == text);
    }
}

TEST_CASE("the lines of the source keep their numbers") {
    const std::string text = "kernel void f()\n{\n  a();\n  b();\n}\n";
    const std::string traced = add_trace_calls(text);
    CHECK(std::count(traced.begin(), traced.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
    CHECK(trace_prelude().ends_with("#line 1\n"));
    CHECK(trace_prelude().find("0x5b0000000000UL") != std::string::npos);
}
