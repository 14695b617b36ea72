// SPDX-License-Identifier: Apache-2.0
#include "experiment/own_words.hpp"

#include <doctest/doctest.h>

#include <string>

#include "base/error.hpp"

using namespace kwb;

namespace {

const OwnText kSaid = {"product", "A, B, C", "N, M", "8x8", "tile = 64", "TILE = 8", "C = 0"};

std::string refusal(const std::string& line) {
    try {
        (void)read_own_line(line, "/theirs/mine.cl", kSaid);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a line of options changes what it names") {
    const OwnLine read =
        read_own_line("--problem matmul:double -D T=double -D TILE=16 --local 16x16", "mine.cl", kSaid);
    CHECK(read.problem == "matmul:double");
    CHECK(read.text ==
          OwnText{"product", "A, B, C", "N, M", "16x16", "tile = 64", "T=double; TILE=16", "C = 0"});
    CHECK(read_own_line("", "mine.cl", kSaid).text == kSaid);
    CHECK(!read_own_line("--entry f", "mine.cl", kSaid).problem);
    CHECK(read_own_line("--build-options -cl-opt-disable", "mine.cl", kSaid).text.build_options ==
          "-cl-opt-disable");
}

TEST_CASE("a whole line says everything, and may name other kernels") {
    const OwnText wanted = {"", "ab=[alpha, 1],xv=X", "", "", "", "OP='max'", ""};
    for (const char* line : {"kwb check mine.cl --args \"ab=[alpha, 1],xv=X\" -D \"OP='max'\"",
                             "$ kwb run matmul/naive ../mine.cl --args='ab=[alpha, 1],xv=X' -D OP=\\'max\\'",
                             "  kwb adopt --args \"ab=[alpha, 1],xv=X\" mine.cl -DOP=\"'max'\"  "}) {
        CAPTURE(line);
        const OwnLine read = read_own_line(line, "/theirs/mine.cl", kSaid);
        CHECK(!read.problem);
        CHECK(read.text == wanted);
    }
    CHECK(read_own_line("kwb check mine.cl", "mine.cl", kSaid).text == OwnText{});
}

TEST_CASE("the problem is a shipped one, or a file that declares one") {
    CHECK(read_own_line("--problem matmul:float", "mine.cl", {}).problem == "matmul");
    CHECK(read_own_line("--problem smooth.cl", "mine.cl", {}).problem == "smooth.cl");
}

TEST_CASE("a wrong word is told with its place") {
    CHECK(refusal("--local 16x16 --lokal 8") ==
          "column 15, at '--lokal': only options that describe a kernel can be used here: --problem, "
          "--entry, --args, --global, --local, -D, --local-arg, --init and --build-options. Did you mean "
          "--local or --global?");
    CHECK(refusal("kwb run mine.cl --rounds 3 --local 8")
              .starts_with("column 17, at '--rounds': only options"));
    CHECK(refusal("-D A=1 --local").starts_with("column 8, at '--local': an option takes one value"));
    CHECK(refusal("--entry f --entry g").find("an option takes one value") != std::string::npos);
    CHECK(refusal("-D A=1 -D 2=3").starts_with("column 11, at '2=3': -D 2=3: give NAME=VALUE"));
    CHECK(refusal("--problem matmull --local 8")
              .starts_with("column 11, at 'matmull': unknown problem 'matmull'"));
    CHECK(refusal("--global 'N, (M'").starts_with("column 10, at 'N, (M': --global '(M'"));
    CHECK(refusal("--local 0x8 -D A").starts_with("column 9, at '0x8': "));
    CHECK(refusal("--local 8 --args \"M,N") == "column 18, at '\"M,N': this quote is not closed");
    CHECK(refusal("kwb check other.cl --local 8") ==
          "column 11, at 'other.cl': the line does not name mine.cl, which these options are for");
    CHECK(refusal("kwb devices") ==
          "column 5, at 'devices': the command must be one of run, check, sweep, show, adopt or xray");
    CHECK(refusal("kwb") ==
          "column 1, at 'kwb': a command and the kernel's options must follow, e.g. kwb run mine.cl --local "
          "64");
}
