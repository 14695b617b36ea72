#include "judge/build/build_log.hpp"

#include <doctest/doctest.h>

#include <random>

#include "base/text.hpp"

using namespace kwb;

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
    // the log does not have as many as the summary counts
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
    CHECK(lines[1][caret] == ';');  // "int x = ;": column 9
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
