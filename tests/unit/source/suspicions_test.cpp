// SPDX-License-Identifier: Apache-2.0
// Suspicions in their common forms, and correct code that looks like them.
#include "source/suspicions.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "base/text.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

std::vector<Finding> find_in(const std::string& text, std::vector<std::string> launched = {},
                             const std::string& options = "") {
    const Reading reading = read_source({.text = text, .options = options});
    REQUIRE_MESSAGE(reading.program, reading.failure);
    if (launched.empty())
        for (const source::Function& function : reading.program->functions)
            if (function.kernel) launched.emplace_back(function.name);
    return source::find_suspicions(*reading.program, launched);
}

/// Each line with a comment `// barrier N` must hold a barrier that is suspected because of line N, each with
/// `// recursion` a call that closes a circle, each with `// stray` a ; that ends a loop, and no other line
/// anything.
void expect_marked(const std::string& text, const std::string& options = "") {
    std::vector<std::string> expected;
    const std::vector<std::string> lines = split_lines(text);
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (const std::size_t mark = lines[i].find("// "); mark != std::string::npos)
            expected.push_back(std::to_string(i + 1) + ": " + lines[i].substr(mark + 3));
    std::vector<std::string> found;
    for (const Finding& one : find_in(text, {}, options))
        found.push_back(one.place.substr(0, one.place.find(':')) + ": " +
                        (one.code == FindingCode::Recursion ? "recursion"
                         : one.code == FindingCode::StraySemicolon
                             ? "stray"
                             : "barrier " + std::to_string(static_cast<int>(one.number("line")))));
    CHECK(join(found, "\n") == join(expected, "\n"));
}

TEST_CASE("a barrier under a condition on the work-item's id is suspected") {
    expect_marked(R"(
__kernel void k(__global int* x, int n) {
    int i = get_global_id(0), l, m = n;
    l = i % 32;
    if (i < n) barrier(CLK_LOCAL_MEM_FENCE);  // barrier 5
    if (n > 3) {
        if (2 * l + 1 > min(l, n)) {
            x[i] = 1;
        } else {
            for (int k = 0; k < n; ++k)
                work_group_barrier(CLK_LOCAL_MEM_FENCE);  // barrier 7
        }
    }
    switch (l) {
        case 1: barrier(CLK_LOCAL_MEM_FENCE);  // barrier 14
    }
    i % 2 ? barrier(CLK_LOCAL_MEM_FENCE) : (void)0;  // barrier 17
    if (m > 0) barrier(CLK_LOCAL_MEM_FENCE);
})",
                  "-cl-std=CL2.0");
}

TEST_CASE("a barrier after a return under such a condition is suspected") {
    expect_marked(R"(
__kernel void early(__global int* x, int n) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) >= n) {
        x[0] = 1;
        return;
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // barrier 4
}
__kernel void of_all(__global int* x, int n) {
    if (n == 0) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) > 3) return;
    x[get_local_id(0)] = 1;
})");
}

TEST_CASE("what may be the same for a whole group is not suspected") {
    expect_marked(R"(
int is_edge(int i) { return i == 0; }
__kernel void k(__global int* x, __local int* t, int n, int mask) {
    const int i = get_global_id(0), group = i / 64, first = i - (int)get_local_id(0);
    if (group < n) barrier(CLK_LOCAL_MEM_FENCE);
    if (first < n) barrier(CLK_LOCAL_MEM_FENCE);
    if ((i >> 6) < n && (i & mask) != 0) barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) == 0 || get_local_size(0) > 3) barrier(CLK_LOCAL_MEM_FENCE);
    if (x[i] > 0) barrier(CLK_LOCAL_MEM_FENCE);
    if (t[0]) barrier(CLK_LOCAL_MEM_FENCE);
    if (work_group_any(i < n)) barrier(CLK_LOCAL_MEM_FENCE);
    if (is_edge(i)) barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s /= 2) {
        if (i < s) t[i] += t[i + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int e = get_local_id(0); e < 1024; e += 64) barrier(CLK_LOCAL_MEM_FENCE);
    int again = get_local_id(0);
    t[again] = 0;
    for (again = 0; again < n; ++again)
        if (again > 0) barrier(CLK_LOCAL_MEM_FENCE);
}
__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void alone(int n) {
    if (get_global_id(0) < n) barrier(CLK_LOCAL_MEM_FENCE);
})",
                  "-cl-std=CL3.0");
}

TEST_CASE(
    "a ; that ends a loop is found where the loop then does nothing, or what follows looks like its body") {
    expect_marked(R"(
__kernel void k(__global int* x, int n) {
    int k, sum = 0;
    for (k = 0; k < n; ++k);  // stray
        sum += x[k];
    for (k = n; n - 1 != k; k--); sum += x[k];  // stray
    for (int i = 0; i < n; i += 16);  // stray
    {
        sum += x[0];
    }
    while (sum < n);  // stray
        sum += n;
    x[0] = sum;
})");
}

TEST_CASE("a loop that is meant to be empty is not suspected") {
    expect_marked(R"(
__kernel void k(__global int* x, int n) {
    int k, m = n, tile;
    for (; m > 1; m /= 2);
    for (tile = 1; tile < n; tile *= 2);
    for (k = 0; k < n && x[k] != m; ++k);
    for (k = 0; x[k] != m; ++k); x[1] = k;
    for (k = 0; k < n; ++k)
        ;
    for (k = 0; k < n; ++k) {
    }
        x[2] = k;
    while (m--);
    while (atomic_xchg(x, 1) == 1);
    do m++; while (m < n);
        x[3] = m + tile;
})");
}

TEST_CASE("recursion is found, direct and through others, once for each circle") {
    expect_marked(R"(
int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }  // recursion
int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : odd(n - 1); }  // recursion
__kernel void k(__global int* x) { x[0] = fact(4) + odd(3) + odd(5); })");
    CHECK(find_in(
              "int f(int n) { return n < 2 ? 1 : f(n - 1); } __kernel void k(__global int* x) { *x = f(4); }")
              .front()
              .subject == "f");
}

TEST_CASE(
    "a variable that gets its values from itself alone is found, one that anything else may set is not") {
    const auto subjects = [](const std::string& body) {
        std::string all;
        for (const Finding& one : find_in("void set(float* p) { *p = 1; }\n"
                                          "__kernel void k(__global float* x, int n) {\n" +
                                          body + "\n}")) {
            CHECK(one.code == FindingCode::UnsetVariable);
            all += one.subject + "@" + one.place + " ";
        }
        return all;
    };
    CHECK(subjects("float s, t; int c;\nfor (int i = 0; i < n; ++i) {\ns += x[i];\nt = fma(x[i], x[i], "
                   "t);\nc++;\n}\n"
                   "x[0] = s + t + c;") == "s@5:1 t@6:1 c@7:1 ");
    CHECK(subjects("float a, b, c, d[4]; float4 e; int i;\n"
                   "for (i = 0; i < n; ++i) {\n"
                   "if (i == 0) a = x[i]; else a += x[i];\n"
                   "b = i == 0 ? x[i] : b + x[i];\n"
                   "e.x = i; e.yzw = 0; e += 1; d[0] = 0; d[0] += 1;\n}\n"
                   "set(&c); c += 1;\nx[0] = a + b + c + e.x + d[0];") == "");
}

TEST_CASE("only what the launched kernels reach is read") {
    const std::string text =
        "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }\n"
        "int once_more(int n) { return fact(n); }\n"
        "__kernel void used(__global int* x) { x[0] = once_more(4); }\n"
        "__kernel void other(int n) { if (get_local_id(0) < n) barrier(1); }\n";
    CHECK(find_in(text).size() == 2);
    REQUIRE(find_in(text, {"used"}).size() == 1);
    CHECK(find_in(text, {"used"}).front().code == FindingCode::Recursion);
    REQUIRE(find_in(text, {"other"}).size() == 1);
    CHECK(find_in(text, {"other"}).front().code == FindingCode::SuspectBarrier);
    CHECK(find_in(text, {"of_a_macro"}).empty());
}

TEST_CASE("no more than twenty suspicions, in the order of lines") {
    std::string text = "__kernel void k(__global int* x) {\n";
    for (int i = 0; i < 40; ++i) text += "if (get_local_id(0)) barrier(1);\n";
    const std::vector<Finding> found = find_in(text + "}");
    REQUIRE(found.size() == 20);
    for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(found[i].place.starts_with(std::to_string(i + 2) + ":"));
}

TEST_CASE("a long chain of assignments does not take long") {
    std::string text = "__kernel void f(__global float* A, int n) { int a0 = get_local_id(0);\n";
    for (int i = 1; i < 1'000; ++i)
        text += "int a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " * 2;\n";
    CHECK(find_in(text + "if (a999 < n) barrier(1); }").size() == 1);
}

TEST_CASE("no shipped kernel is suspected, but those that are wrong on purpose") {
    int kernels = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(KWB_SHIPPED_KERNELS)) {
        if (entry.path().extension() != ".cl") continue;
        const std::string text = read_file(entry.path());
        if (text.find("[expect]") != std::string::npos || text.find("[[expect]]") != std::string::npos)
            continue;
        const Reading reading = read_source({.text = text});
        if (!reading.program) continue;
        std::vector<std::string> launched;
        for (const source::Function& function : reading.program->functions)
            if (function.kernel) launched.emplace_back(function.name);
        CAPTURE(entry.path().string());
        CHECK(source::find_suspicions(*reading.program, launched).empty());
        ++kernels;
    }
    CHECK(kernels >= 2);
}

TEST_CASE("a function with an error is not suspected: the tree lacks what the compiler did not understand") {
    const std::string sum = "    sum += x[0];\n    x[1] = sum;\n}\n";
    const std::string begin = "__kernel void k(__global float* x) {\n    float sum;\n";
    CHECK(find_in(begin + sum).size() == 1);
    CHECK(find_in(begin + "    gone(&sum);\n" + sum).empty());
}

}  // namespace
}  // namespace kwb
