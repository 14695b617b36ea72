// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "base/text.hpp"
#include "judge/build/build_log.hpp"
#include "judge/build/source_hints.hpp"
#include "source/read.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;

// --- judge/build/build_log.hpp ---

namespace {

KernelPlan plan_of(const std::string& file, const std::string& text) {
    KernelPlan plan;
    plan.file = file;
    plan.source_text = text;
    return plan;
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a message of clang has file, line, column, severity and words") {
    const auto found = parse_build_log(
        "my/kernel.cl:12:7: error: use of undeclared identifier 'foo'\n    foo = 3;\n    ^\n"
        "1 error generated.\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == Severity::Error);
    CHECK(found[0].file == "my/kernel.cl");
    CHECK(found[0].line == 12);
    CHECK(found[0].column == 7);
    CHECK(found[0].message == "use of undeclared identifier 'foo'");
}

TEST_CASE("errors, warnings, notes and fatal errors are told apart") {
    const auto found = parse_build_log(
        "a.cl:1:1: warning: unused variable 'x' [-Wunused-variable]\n"
        "a.cl:2:2: note: expanded from macro 'TILE'\n"
        "a.cl:3:3: fatal error: 'tile.h' file not found\n"
        "a.cl:4:4: error: expected ';'\n"
        "a.cl:5:5: remark: vectorized loop\n");
    REQUIRE(found.size() == 4);
    CHECK(found[0].severity == Severity::Warning);
    CHECK(found[1].severity == Severity::Note);
    CHECK(found[2].severity == Severity::Error);
    CHECK(found[2].message == "'tile.h' file not found");
    CHECK(found[3].severity == Severity::Error);
}

TEST_CASE("PoCL 3.1 puts the severity first; the same message in both forms is one") {
    const auto found = parse_build_log(
        "error: /tmp/k.cl:6:15: use of undeclared identifier 'y'\n"
        "error: a.cl:6:15: error: use of undeclared identifier 'y'\n"
        "a.cl:6:15: error: use of undeclared identifier 'y'\n");
    REQUIRE(!found.empty());
    int from_us = 0;
    for (const Diagnostic& d : found) {
        CHECK(d.line == 6);
        CHECK(d.column == 15);
        CHECK(d.message == "use of undeclared identifier 'y'");
        from_us += d.file == "a.cl" ? 1 : 0;
    }
    CHECK(from_us == 1);
}

TEST_CASE("clang's summary, glued to the last message by PoCL, takes no digit of the message along") {
    const auto last_message = [](const std::string& log) { return parse_build_log(log).back().message; };
    CHECK(last_message("a.cl:1:1: error: expected 2, have 11 error generated.") == "expected 2, have 1");
    CHECK(last_message("a.cl:1:1: error: expected expression1 error generated.") == "expected expression");
    CHECK(last_message("a.cl:1:1: error: x\na.cl:2:1: error: have 12 errors generated.") == "have 1");
    CHECK(last_message("a.cl:1:1: error: x\na.cl:2:1: error: have 222 errors generated.") == "have 22");
    CHECK(last_message("a.cl:1:1: warning: expression result unused1 warning generated.") ==
          "expression result unused");
    CHECK(last_message(
              "a.cl:1:1: error: x\na.cl:2:1: error: y\na.cl:3:1: warning: value 01 warning and 2 errors "
              "generated.") == "value 0");
    // the log has fewer messages than the summary counts
    CHECK(last_message("a.cl:1:1: error: no more than 322 warnings and 1 error generated.") ==
          "no more than 32");
    CHECK(last_message("a.cl:1:1: error: odd2 warnings and 15 errors generated.") == "odd");
}

TEST_CASE("a message that only ends like clang's summary stays whole") {
    for (const char* message : {"no code generated.", "errors generated.", "an error generated.",
                                "two errors generated.", "generated.", "2 errorss generated."}) {
        CAPTURE(message);
        const auto found = parse_build_log(std::string("a.cl:1:1: error: ") + message);
        REQUIRE(found.size() == 1);
        CHECK(found[0].message == message);
    }
}

TEST_CASE("lines may end as on Windows, and file names may hold blanks and colons") {
    const auto found = parse_build_log(
        "C:\\My kernels\\k.cl:3:9: error: expected expression\r\n"
        "odd:name:1.cl:10:2: warning: something\r\n");
    REQUIRE(found.size() == 2);
    CHECK(found[0].file == "C:\\My kernels\\k.cl");
    CHECK(found[0].message == "expected expression");
    CHECK(found[1].file == "odd:name:1.cl");
    CHECK(found[1].line == 10);
}

TEST_CASE("lines that only look like messages are none") {
    for (const char* line : {"", ":", "::", ":::", "a.cl:12: error: no column", "a.cl:x:1: error: no line",
                             "a.cl:1:2:", "a.cl:1:2: ", "a.cl:1:2: error:", "error: ", "error: error: ",
                             "a.cl:99999999999999999999:1: error: big", "a.cl:-1:1: error: negative", "3:4",
                             "12:34:56 some time", "a.cl:1:2: mistake: x", "\n\n\n"}) {
        CAPTURE(line);
        CHECK(parse_build_log(line).empty());
    }
}

TEST_CASE("junk of every kind is read without harm") {
    std::mt19937 random(7);
    const std::string alphabet("a:1:2: error: \n\r\t\0\xff\xc3^'%{}", 26);
    for (int round = 0; round < 500; ++round) {
        std::string log;
        for (int i = 0; i < 300; ++i) log += alphabet[random() % alphabet.size()];
        for (const Diagnostic& d : parse_build_log(log)) {
            CHECK(d.file.find('\n') == std::string::npos);
            describe_build_errors({d}, plan_of("a", log));
        }
    }
}

TEST_CASE("thousands of messages are cut to a few hundred, the first ones") {
    std::string log;
    for (int i = 1; i <= 5000; ++i)
        log += "k.cl:" + std::to_string(i) + ":1: error: message " + std::to_string(i) + "\n";
    log += std::string(1u << 20, ':') + "\n";
    const auto found = parse_build_log(log);
    REQUIRE(found.size() == 200);
    CHECK(found.front().line == 1);
    CHECK(found.back().line == 200);
}

TEST_CASE("the sentence gives place, words, the line with a caret, and how many more there are") {
    const KernelPlan plan = plan_of("k.cl", "int a;\nint x = ;\nint y = ;\n");
    const auto found = parse_build_log(
        "k.cl:1:1: warning: odd\nk.cl:2:9: error: expected expression\nk.cl:3:9: error: expected "
        "expression\n");
    const std::string sentence = describe_build_errors(found, plan);
    CHECK(mentions(sentence, "k.cl:2:9: expected expression"));
    CHECK(mentions(sentence, "int x = ;"));
    CHECK(mentions(sentence, "and 1 more error"));
    const auto lines = split_lines(sentence);
    REQUIRE(lines.size() == 4);
    const std::size_t caret = lines[2].find('^');
    REQUIRE(caret != std::string::npos);
    CHECK(lines[1][caret] == ';');  // the caret is below column 9 of "int x = ;"
}

TEST_CASE("a variable that is unknown because a ; ends its loop points at that ;") {
    KernelPlan plan;
    plan.file = "k.cl";
    plan.source_text =
        "kernel void k(global float* C, int N) {\n"
        "    for (int i = 0; i < N; ++i);  // the mistake\n"
        "        C[i] = 1;\n"
        "    C[j] = 2;\n"
        "}\n";
    const auto told = [&](std::uint32_t line, const std::string& name) {
        return describe_build_errors(
            {{Severity::Error, "k.cl", line, 11, "use of undeclared identifier '" + name + "'"}}, plan);
    };
    CHECK(mentions(told(3, "i"), "A ; ends the loop in line 2"));
    CHECK(!mentions(told(4, "j"), "ends the loop"));
    CHECK(!mentions(told(1, "i"), "ends the loop"));
    plan.source_text =
        "kernel void k(global float* C, int N) {\n"
        "    for (int i = 0; i < N; ++i) f(g(i));\n"
        "    C[i] = 1;\n"
        "}\n";
    CHECK(!mentions(told(3, "i"), "ends the loop"));  // a call is a body
}

TEST_CASE("a function that the device does not have is told with its extension or version") {
    const KernelPlan plan = plan_of("k.cl", "x\n");
    const auto sentence = [&](const std::string& message) {
        return describe_build_errors(parse_build_log("k.cl:1:1: error: " + message), plan);
    };
    CHECK(mentions(sentence("use of undeclared identifier 'sub_group_reduce_add'"),
                   "sub_group_reduce_add needs the extension cl_khr_subgroups"));
    CHECK(mentions(sentence("implicit declaration of function 'work_group_reduce_max' is invalid in OpenCL"),
                   "work_group_reduce_max needs OpenCL C 2.0"));
    CHECK(mentions(sentence("unknown type name 'atomic_int'"), "atomic_int needs OpenCL C 2.0"));
    CHECK(!mentions(sentence("use of undeclared identifier 'sub_group_sum'"), " needs "));
    const auto linked =
        find_missing_functions("Cannot find symbol _Z19sub_group_broadcastfj in kernel library", plan);
    REQUIRE(linked.size() == 1);
    CHECK(mentions(linked[0].message, "cl_khr_subgroups"));
    CHECK(!mentions(linked[0].message, "define"));
}

TEST_CASE("a function of OpenCL C has the name that the person wrote, and a remedy for an ambiguous call") {
    const auto found = parse_build_log(
        "k.cl:1:9: error: call to '_cl_pow' is ambiguous\n"
        "k.cl:2:9: error: no matching function for call to '_cl_fmin'\n");
    REQUIRE(found.size() == 2);
    CHECK(found[0].message == "call to 'pow' is ambiguous");
    CHECK(found[1].message == "no matching function for call to 'fmin'");
    const std::string words =
        describe_build_errors(found, plan_of("k.cl", "float f(float x) { return pow(x, 2.0); }"));
    CHECK(mentions(words, "its arguments here have several. Cast them to one type"));
    CHECK(!mentions(words, "_cl_"));
}

TEST_CASE("what the workbench does not support is named, with what to do instead") {
    const auto words_of = [](const std::string& message) {
        return describe_build_errors({{Severity::Error, "k.cl", 1, 1, message}}, plan_of("k.cl", ""));
    };
    for (const char* name : {"template", "class", "namespace"})
        CHECK(mentions(words_of("unknown type name '" + std::string(name) + "'"),
                       "C++ for OpenCL, which the workbench does not support: write OpenCL C"));
    for (const char* name : {"ndrange_t", "enqueue_kernel", "queue_t", "get_default_queue"})
        CHECK(mentions(words_of("use of undeclared identifier '" + std::string(name) + "'"),
                       "with [[launch]]"));
    for (const char* name : {"read_pipe", "write_pipe", "reserve_read_pipe", "reserve_id_t"})
        CHECK(mentions(words_of("use of undeclared identifier '" + std::string(name) + "'"),
                       "pass the data through a __global buffer"));
    CHECK(
        mentions(words_of("access qualifier can only be used for pipe and image type"), "a __global buffer"));
    CHECK(!mentions(words_of("use of undeclared identifier 'pipeline'"), "support"));
}

TEST_CASE("a type that OpenCL forbids as an argument has the one to use instead") {
    const auto words_of = [](const std::string& type) {
        return describe_build_errors(
            {{Severity::Error, "k.cl", 1, 1, type + " cannot be used as the type of a kernel parameter"}},
            plan_of("k.cl", ""));
    };
    CHECK(mentions(words_of("'__private size_t' (aka '__private unsigned long')"), "use ulong"));
    CHECK(mentions(words_of("'__private ptrdiff_t' (aka '__private long')"), "use long"));
    CHECK(mentions(words_of("'__private bool'"), "use int"));
    CHECK(mentions(words_of("'size_t' (aka 'unsigned int')"), "use ulong"));
    CHECK(!mentions(words_of("'__private S'"), "OpenCL forbids"));
}

TEST_CASE("an error in a neighbour shows the neighbour's line") {
    KernelPlan plan = plan_of("k.cl", "#include \"tile.h\"\n");
    plan.includes.push_back({"tile.h", "first\nsecond wrong\n"});
    for (const char* file : {"tile.h", "./tile.h", "/tmp/somewhere/tile.h"}) {
        CAPTURE(file);
        const std::string log = std::string(file) + ":2:8: error: unknown type name 'wrong'\n";
        CHECK(mentions(describe_build_errors(parse_build_log(log), plan), "second wrong"));
    }
}

TEST_CASE("a log without a place says so instead of inventing one") {
    CHECK(mentions(describe_build_errors(parse_build_log("ld: cannot find -lpocl"), plan_of("k.cl", "")),
                   "does not compile"));
    CHECK(mentions(describe_build_errors(parse_build_log("k.cl:1:1: warning: w\n"), plan_of("k.cl", "x")),
                   "does not compile"));
}

TEST_CASE("a place outside the file's text is told without a line of it") {
    const std::string sentence =
        describe_build_errors(parse_build_log("k.cl:400:3: error: expected '}'\nother.h:1:1: error: x\n"),
                              plan_of("k.cl", "one\n"));
    CHECK(mentions(sentence, "k.cl:400:3: expected '}'"));
    CHECK(mentions(sentence, "and 1 more error"));
}

// --- functions that nothing defines ---

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
    CHECK(has(found[0].message, "function exit is"));
    CHECK(has(found[0].message, "OpenCL C has no such function"));
    CHECK(has(found[0].message, "avoid it"));
}

TEST_CASE("several missing functions come once each in order of lines, clang's glued summary aside") {
    const auto found = find_missing_functions(
        "k.cl:2:1: warning: odd\nError(s) while linking: \nCannot find symbol second in kernel library\n"
        "Cannot find symbol first in kernel library\nCannot find symbol first in kernel library1 warning "
        "generated.\n",
        plan_of("int first(int); int second(int);\n__kernel void k(__global int* x) {\n  x[0] = first(1);\n"
                "  x[1] = second(first(2));\n}\n"));
    REQUIRE(found.size() == 2);
    CHECK(has(found[0].message, "function first is"));
    CHECK(found[0].line == 3);
    CHECK(found[0].column == 10);
    CHECK(has(found[1].message, "function second is"));
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
    CHECK(sentence.starts_with("k.cl: the function __divti3 is not defined:"));
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
        CHECK(has(found[0].message, "function dot_product is"));
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

// --- judge/build/source_hints.hpp ---

TEST_CASE("a verdict that a hint may explain refers to its line, others do not") {
    const std::vector<Hint> one = {{14, "a barrier that not all work-items reach"}};
    for (const Verdict verdict :
         {Verdict::KernelCrashed, Verdict::CompilerCrashed, Verdict::Timeout, Verdict::Wrong})
        CHECK(refer_to_hints(verdict, one) == ". See the hint at line 14");
    for (const Verdict verdict : {Verdict::Correct, Verdict::CompileError, Verdict::OutOfBounds,
                                  Verdict::Constraint, Verdict::Skipped})
        CHECK(refer_to_hints(verdict, one).empty());
    CHECK(refer_to_hints(Verdict::Wrong, {}).empty());
}

TEST_CASE("several hints are referred to by their lines, each once") {
    CHECK(refer_to_hints(Verdict::Wrong, {{3, "a"}, {9, "b"}, {9, "c"}}) ==
          ". See the hints at lines 3 and 9");
    CHECK(refer_to_hints(Verdict::Wrong, {{9, "b"}, {9, "c"}}) == ". See the hint at line 9");
}

TEST_CASE("what is suspicious to read is a hint only where X-ray has not observed it") {
    KernelPlan plan = plan_of(
        "int f(int n) { return n < 2 ? 1 : f(n - 1); }\n"
        "__kernel void k(__global int* x, int n) {\n"
        "    if (get_local_id(0) < n) barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    x[0] = f(n);\n"
        "}\n");
    plan.launches.emplace_back().kernel = "k";
    const auto lines = [&](const std::vector<XrayPlace>& barriers, const std::optional<XrayOutcome>& xray) {
        std::vector<std::uint32_t> hinted;
        const Reading reading = read_source(source_text_of(plan));
        REQUIRE(reading.program);
        for (const Hint& hint : hints_of(find_plan_suspicions(*reading.program, plan), barriers, xray)) {
            CHECK(!hint.sentence.empty());
            hinted.push_back(hint.line);
        }
        return hinted;
    };
    XrayOutcome outcome;
    CHECK(lines({}, {}) == std::vector<std::uint32_t>{1, 3});
    CHECK(lines({{"tile.h", 3, 30}, {"", 4, 1}}, outcome) == std::vector<std::uint32_t>{1, 3});
    CHECK(lines({{"", 3, 30}}, outcome) == std::vector<std::uint32_t>{1});
    outcome.undefined = {{.code = FindingCode::Recursion, .subject = "f"}};
    CHECK(lines({}, outcome) == std::vector<std::uint32_t>{3});
    plan.launches.front().kernel = "another";
    CHECK(lines({}, {}).empty());

    const std::vector<Finding> unset = {
        {.code = FindingCode::UnsetVariable, .subject = "sum", .place = "2:5"}};
    outcome.undefined = {{.code = FindingCode::UnsetVariable, .subject = "other"}};
    CHECK(hints_of(unset, {}, outcome).size() == 1);
    outcome.undefined.front().subject = "sum";
    CHECK(hints_of(unset, {}, outcome).empty());
}
