// SPDX-License-Identifier: Apache-2.0
// Which changes of a source a fingerprint ignores, with the real compiler.
#include "source/fingerprint.hpp"

#include <doctest/doctest.h>

#include <string>

#include "source/read.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::source;
using namespace kwb::test;

namespace {

const std::string kSource =
    "#define T 16\n"
    "float product(float x, float y) { return x * y; }\n"
    "__kernel void k(__global const float* A, __global float* B, int n) {\n"
    "    int i = get_global_id(0);\n"
    "    float sum = 0;\n"
    "    float scale = 2;\n"
    "    for (int j = 0; j < T; ++j) {\n"
    "        sum += product(A[i * T + j], scale);\n"
    "        scale = scale + 1;\n"
    "    }\n"
    "    if (i < n) B[i] = sum;\n"
    "}\n";

Fingerprint print_of(const std::string& source) {
    const Reading reading = read_source({source});
    REQUIRE_MESSAGE(reading.program, reading.failure);
    const auto print = fingerprint_of(*reading.program);
    REQUIRE(print.has_value());
    return *print;
}

enum class Alike { No, InAnyOrder, ButForNames };

Alike compare(const std::string& source) {
    const Fingerprint a = print_of(kSource), b = print_of(source);
    if (a.ordered == b.ordered) {
        CHECK(a.unordered == b.unordered);
        CHECK(a.statements == b.statements);
        return Alike::ButForNames;
    }
    return a.unordered == b.unordered ? Alike::InAnyOrder : Alike::No;
}

}  // namespace

TEST_CASE("names, formatting, comments, macros, braces and joined declarations do not matter") {
    CHECK(compare(
              replaced(replaced(replaced(kSource, "float product", "float times"), "+= product", "+= times"),
                       "void k(", "void my(")) == Alike::ButForNames);
    CHECK(compare(replaced(replaced(replaced(kSource, "float sum", "float total"), "sum +=", "total +="),
                           "= sum", "= total")) == Alike::ButForNames);
    CHECK(compare(replaced(replaced(replaced(kSource, "#define T 16\n", "/* mine */"), "j < T", "j<16"),
                           "i * T", "(i*0x10)")) == Alike::ButForNames);
    CHECK(compare(replaced(kSource, "if (i < n) B[i] = sum;", "if (i < n) { B[i] = sum; }")) ==
          Alike::ButForNames);
    CHECK(compare(replaced(kSource, "sum = 0;\n    float scale", "sum = 0, scale")) == Alike::ButForNames);
}

TEST_CASE("moved statements and functions are the same in another order") {
    const std::string declared = replaced(kSource, "    float scale = 2;\n", "");
    CHECK(compare(replaced(declared, "    int i =", "    float scale = 2;\n    int i =")) ==
          Alike::InAnyOrder);
    const std::string line = "        scale = scale + 1;\n";
    CHECK(compare(replaced(replaced(kSource, line, ""), "        sum +=", line + "        sum +=")) ==
          Alike::InAnyOrder);
}

TEST_CASE("another operation, number, type, variable or place is another source") {
    CHECK(compare(replaced(kSource, "scale + 1", "scale - 1")) == Alike::No);
    CHECK(compare(replaced(kSource, "scale = 2", "scale = 3")) == Alike::No);
    CHECK(compare(replaced(kSource, "float scale", "double scale")) == Alike::No);
    CHECK(compare(replaced(kSource, "B[i] = sum", "B[i] = scale")) == Alike::No);
    CHECK(compare(replaced(kSource, "x * y", "x + y")) == Alike::No);
    const std::string line = "        scale = scale + 1;\n";
    CHECK(compare(replaced(replaced(kSource, line, ""), "    if (i", line + "    if (i")) == Alike::No);
}

TEST_CASE("statements of a given text do not count as own ones") {
    const Fingerprint given = print_of(kSource);
    CHECK(given.statements.size() == 10);
    CHECK(count_own_statements(given, {}) == 10);
    CHECK(count_own_statements(given, given.statements) == 0);
    const Fingerprint filled = print_of(replaced(kSource, "B[i] = sum;", "B[i] = sum + scale;"));
    CHECK(count_own_statements(filled, given.statements) == 1);
    CHECK(count_own_statements(print_of(replaced(kSource, "float sum", "float total_sum, sum")),
                               given.statements) == 1);
}

TEST_CASE("a function that cannot be read has no fingerprint") {
    const Reading reading = read_source({"__kernel void k(__global int* a) { a[0] = b; }\n"});
    if (reading.program) CHECK_FALSE(fingerprint_of(*reading.program).has_value());
    CHECK_FALSE(fingerprint_of(Program{}).has_value());
}
