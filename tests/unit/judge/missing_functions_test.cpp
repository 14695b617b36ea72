#include "judge/processes/missing_functions.hpp"

#include <doctest/doctest.h>

#include <string>

#include "judge/build/build_log.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

KernelPlan plan_of(const std::string& text) {
    KernelPlan plan;
    plan.file = "k.cl";
    plan.source_text = text;
    return plan;
}

const std::string kPocl = "Error(s) while linking: \nCannot find symbol exit in kernel library";

}  // namespace

TEST_CASE("a function that PoCL's linker misses is pointed at where it is first called") {
    const auto found = find_missing_functions(kPocl, plan_of("// exit(1)\n"
                                                             "void exit(int code);\n"
                                                             "__kernel void k(__global int* x) {\n"
                                                             "    int exits = 3;\n"
                                                             "    if (x[0]) exit(exits);\n"
                                                             "    exit(0);\n"
                                                             "}\n"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == Severity::Error);
    CHECK(found[0].file == "k.cl");
    CHECK(found[0].line == 5);
    CHECK(found[0].column == 15);
    CHECK(has(found[0].message, "function exit:"));
    CHECK(has(found[0].message, "OpenCL C has no such function"));
    CHECK(has(found[0].message, "do without it"));
}

TEST_CASE("several missing functions come once each in order of lines, clang's glued summary aside") {
    const auto found = find_missing_functions(
        "k.cl:2:1: warning: odd\nError(s) while linking: \nCannot find symbol second in kernel library\n"
        "Cannot find symbol first in kernel library\nCannot find symbol first in kernel library1 warning "
        "generated.\n",
        plan_of("int first(int); int second(int);\n__kernel void k(__global int* x) {\n  x[0] = first(1);\n"
                "  x[1] = second(first(2));\n}\n"));
    REQUIRE(found.size() == 2);
    CHECK(has(found[0].message, "function first:"));
    CHECK(found[0].line == 3);
    CHECK(found[0].column == 10);
    CHECK(has(found[1].message, "function second:"));
    CHECK(found[1].line == 4);
}

TEST_CASE("a call out of a macro is where the macro is used, one in a neighbour where it is included") {
    const std::string source =
        "#include \"t.h\"\n#define QUIT exit(0)\n__kernel void k(__global int* x) {\n  QUIT;\n}\n";
    const auto by_macro = find_missing_functions(kPocl, plan_of(source));
    REQUIRE(by_macro.size() == 1);
    CHECK(by_macro[0].line == 4);
    CHECK(by_macro[0].column == 1);
    KernelPlan plan = plan_of(source);
    plan.includes.push_back({"t.h", "\n\nvoid stop(void) { exit(1); }\n"});
    const auto by_include = find_missing_functions(kPocl, plan);
    REQUIRE(by_include.size() == 1);
    CHECK(by_include[0].line == 1);
}

TEST_CASE("a function whose call is not in the source is named without a place") {
    const auto found =
        find_missing_functions("ld.lld: error: undefined hidden symbol: __divti3\n>>> referenced",
                               plan_of("__kernel void k(__global int* x) {}\n"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].line == 0);
    const std::string sentence = describe_build_errors(found, plan_of(""));
    CHECK(sentence.starts_with("k.cl: nothing defines the function __divti3:"));
}

TEST_CASE("other linkers' words and names with their types are understood") {
    const KernelPlan plan = plan_of("__kernel void k(__global float* x) { x[0] = dot_product(x, 1); }\n");
    for (const char* log : {"ptxas fatal   : Unresolved extern function 'dot_product'",
                            "lld: error: undefined symbol: dot_product\n",
                            "Cannot find symbol _Z11dot_productPU3AS1fi in kernel library"}) {
        CAPTURE(log);
        const auto found = find_missing_functions(log, plan);
        REQUIRE(found.size() == 1);
        CHECK(found[0].line == 1);
        CHECK(found[0].column == 45);
        CHECK(has(found[0].message, "function dot_product:"));
    }
}

TEST_CASE("logs that name no missing function yield none, and junk does no harm") {
    const KernelPlan plan = plan_of("__kernel void k(__global int* x) { exit(0); }\n");
    for (const char* log : {"", "Cannot find symbol ", "Cannot find symbol \xff\xfe", "undefined symbol: '",
                            "k.cl:1:2: error: Cannot find symbol exit in kernel library",
                            "k.cl:1:2: error: use of undeclared identifier 'exit'"}) {
        CAPTURE(log);
        CHECK(find_missing_functions(log, plan).empty());
    }
    std::string flood;
    for (int i = 0; i < 5000; ++i)
        flood += "Cannot find symbol f" + std::to_string(i) + " in kernel library\n";
    CHECK(find_missing_functions(flood + "Cannot find symbol _Z99999999999999999999x", plan).size() == 1);
    CHECK(find_missing_functions("Cannot find symbol _Z9x in kernel library", plan).size() == 1);
}
