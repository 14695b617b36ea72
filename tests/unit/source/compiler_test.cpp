// SPDX-License-Identifier: Apache-2.0
// Handling of hostile sources and of a broken or missing compiler.
#include "source/compiler.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <thread>

#include "source/builder.hpp"
#include "source/read.hpp"
#include "support/patience.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::source;
namespace fs = std::filesystem;

namespace {

CompilerAnswer ask(const std::string& text, const ReadingLimits& limits = {}) {
    const auto compiler = find_compiler();
    REQUIRE(compiler);
    return read_syntax_tree(*compiler, {text}, limits);
}

/// A shell script used in place of the compiler.
class Script {
public:
    explicit Script(const std::string& body) { write(body); }
    /// Replaces the file, so that a running one is not changed.
    void write(const std::string& body) const {
        const fs::path next = path_.string() + ".next";
        std::ofstream(next) << "#!/bin/sh\n" << body << '\n';
        fs::permissions(next, fs::perms::owner_all);
        fs::rename(next, path_);
    }
    std::string path() const { return path_.string(); }

private:
    test::TempFolder folder_;
    fs::path path_ = folder_.write("bin/clang", "");
};

bool failed(const CompilerAnswer& answer, const char* words) {
    CAPTURE(answer.failure);
    return answer.failure.find(words) != std::string::npos;
}

void wait_for_child() {
    const auto has_child = [] {
        for (const fs::directory_entry& thread : fs::directory_iterator("/proc/self/task"))
            if (std::string pid; std::ifstream(thread.path() / "children") >> pid) return true;
        return false;
    };
    while (!has_child()) std::this_thread::yield();
}

}  // namespace

TEST_CASE("without clang a message names the package") {
    ::setenv("KWB_CLANG", "/nowhere/clang", 1);
    CHECK(!find_compiler());
    const Reading reading = read_source({"__kernel void k(void) {}"});
    ::unsetenv("KWB_CLANG");
    CHECK(!reading.program);
    CHECK(reading.failure.find("clang-15") != std::string::npos);
    CHECK(reading.failure.find("clang-18") != std::string::npos);
}

TEST_CASE("a source that explodes in its compiler ends at a limit") {
    ReadingLimits limits;
    limits.milliseconds = test::kPatienceMs;
    limits.output_bytes = 4 << 20;
    ReadingLimits short_limits = limits;
    short_limits.milliseconds = 1500;  // for a milliard of statements, on any machine
    std::string bombs =
        "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(B(x)))\n"
        "__kernel void k(__global int* p) { C(p[0] = 1;) }\n";
    CHECK(!ask(bombs, short_limits).failure.empty());
    std::string deep = "__kernel void k(__global int* p) { p[0] = 1";
    for (int i = 0; i < 60'000; ++i) deep += "+1";
    CHECK(!ask(deep + "; }", limits).failure.empty());  // too deep, or too much to print
    CHECK(failed(ask(std::string((1 << 20) + 1, ' ')), "exceeds"));
}

TEST_CASE("a source reads no file but its neighbours") {
    for (const char* text : {"#include \"/etc/passwd\"\n", "#include \"../../etc/passwd\"\n"}) {
        const CompilerAnswer answer = ask(text + std::string("__kernel void k(void) {}"));
        CHECK(answer.messages.find("root:") == std::string::npos);
        CHECK(answer.messages.find("unknown type name") == std::string::npos);  // about its first word
    }
    const auto compiler = find_compiler();
    const CompilerAnswer answer = read_syntax_tree(
        *compiler, {"#include \"n.h\"\n__kernel void k(__global int* x) { x[0] = N; }",
                    {{"n.h", "#define N 1\n"}, {"../out.h", "#error\n"}, {"/tmp/out.h", "#error\n"}}});
    CHECK(answer.failure.empty());
    CHECK(answer.messages.empty());
    CHECK(!fs::exists(answer.folder));
}

TEST_CASE("a compiler that hangs, floods, crashes or prints nonsense is an error, and leaves no process") {
    ReadingLimits limits;
    limits.milliseconds = test::kPatienceMs;
    limits.output_bytes = 1 << 20;
    ReadingLimits short_limits = limits;
    short_limits.milliseconds = 500;
    const SourceText text{"__kernel void k(void) {}"};
    CHECK(failed(read_syntax_tree(Script("sleep 1000").path(), text, short_limits), "exceeded 0.5 s"));
    CHECK(failed(
        read_syntax_tree(Script("while :; do echo 0123456789012345678901234567890123456789; done").path(),
                         text, limits),
        "exceeds"));
    CHECK(
        failed(read_syntax_tree(Script("while :; do echo 01234567890123456789012345678901 >&2; done").path(),
                                text, limits),
               "too many errors"));
    CHECK(failed(read_syntax_tree(Script("kill -SEGV $$").path(), text, limits), "SIGSEGV"));
    CHECK(failed(read_syntax_tree(Script("exit 70").path(), text, limits), "exit code 70"));
    CHECK(failed(read_syntax_tree(Script("exit 0").path(), text, limits), "nothing"));
    CHECK(failed(read_syntax_tree("/nowhere/clang", text, limits), "clang"));
    CompilerAnswer answer = read_syntax_tree(
        Script("echo '{\"kind\": \"TranslationUnitDecl\", \"inner\": [{'").path(), text, limits);
    CHECK(answer.failure.empty());
    CHECK(!build_program(text, answer));
}

TEST_CASE("a reading that is stopped ends at once, and is not remembered") {
    const Script script("exec sleep 1000");
    ::setenv("KWB_CLANG", script.path().c_str(), 1);
    std::stop_source stop;
    stop.request_stop();
    const SourceText text{"__kernel void stopped(void) {}"};
    CHECK(read_source(text, stop.get_token()).failure == kStopped);
    CHECK(recall_source(text).failure.empty());
    ::unsetenv("KWB_CLANG");
}

TEST_CASE("callers that wait for the same source stop one by one") {
    const Script script("exec sleep 1000");
    ::setenv("KWB_CLANG", script.path().c_str(), 1);
    const SourceText text{"__kernel void shared(void) {}"};
    std::stop_source stop_first, stop_second;
    std::string of_first, of_second, of_third;
    std::thread first([&] { of_first = read_source(text, stop_first.get_token()).failure; });
    wait_for_child();
    std::thread second([&] { of_second = read_source(text, stop_second.get_token()).failure; });
    std::thread third([&] { of_third = read_source(text).failure; });
    stop_second.request_stop();
    second.join();
    CHECK(of_second == kStopped);

    script.write(":");  // for the third caller, which asks again
    stop_first.request_stop();
    first.join();
    third.join();
    CHECK(of_first == kStopped);
    CHECK(of_third == "the compiler printed nothing");
    ::unsetenv("KWB_CLANG");
}

TEST_CASE("any tree is survived: cut off anywhere, and with parts exchanged") {
    const SourceText text{
        "#define T 16\nstruct P { int a; };\n__kernel void k(__global float* x, int n) {\n"
        "    __local float t[T][T];\n    struct P p = {1};\n    for (int i = 0; i < n; ++i) t[i][0] += x[i] "
        "* 2;\n"
        "    switch (n) { case 1: x[0] = -p.a; break; default: ; }\n    do n--; while (n);\n    x[1] = n ? 1 "
        ": t[0][n++];\n}\n"};
    const auto compiler = find_compiler();
    REQUIRE(compiler);
    const CompilerAnswer answer = read_syntax_tree(*compiler, text);
    REQUIRE(build_program(text, answer));
    const std::size_t begin = answer.output.find("\"P\"");
    REQUIRE(begin != std::string::npos);
    for (std::size_t end = begin; end < answer.output.size(); end += 3001) {
        CompilerAnswer cut = answer;
        cut.output.resize(end);
        CHECK(!build_program(text, cut));
    }
    unsigned state = 1;
    for (int round = 0; round < 40; ++round) {
        CompilerAnswer other = answer;
        for (int i = 0; i < 20; ++i) {
            state = state * 1664525 + 1013904223;
            const std::size_t at = begin + state % (other.output.size() - begin);
            const std::size_t kind = other.output.find("Stmt\"", at);
            if (kind != std::string::npos) other.output[kind + state % 4] = 'x';
            const std::size_t inner = other.output.find("\"inner\"", at + 1);
            if (inner != std::string::npos && state % 3 == 0) other.output[inner + 1] = 'o';
            const std::size_t offset = other.output.find("\"offset\": ", at);
            if (offset != std::string::npos) other.output[offset + 10] = '9';
        }
        build_program(text, other);
    }
}
