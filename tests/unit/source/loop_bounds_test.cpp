// SPDX-License-Identifier: Apache-2.0
// Loops that run for their bound, and what they access.
#include "source/loop_bounds.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/text.hpp"
#include "model/xray_words.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

/// "k <= K: 3:9 3:16", for each loop.
std::vector<std::string> loops_in(const std::string& body) {
    const Reading reading = read_source(
        {.text = "#define SIZE 16\n__kernel void f(__global float* A, __global float* B, int N, int K) {\n" +
                 body + "\n}\n"});
    REQUIRE_MESSAGE(reading.program, reading.failure);
    std::vector<std::string> words;
    for (const source::InclusiveLoop& loop : source::find_inclusive_loops(*reading.program)) {
        std::string& text = words.emplace_back(loop.condition + " / " + loop.instead + ":");
        for (const XrayPlace& access : loop.accesses) text += " " + place_text(access);
    }
    return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("a loop from 0 that ends after its bound is found, with the accesses whose index it counts") {
    CHECK(loops_in("for (int k = 0; k <= K; ++k) A[k * N] = B[N] + B[k];") ==
          Words{"k <= K / k < K: 3:30 3:48"});
    CHECK(loops_in("int k; for (k = 0; K >= k; k++) { if (N) A[2] = A[k + 1]; }") ==
          Words{"K >= k / K > k: 3:49"});
    CHECK(loops_in("float t[SIZE]; for (int k = 0; k <= SIZE; k++)\nt[k] = 0;") ==
          Words{"k <= SIZE / k < SIZE: 4:1"});
    CHECK(loops_in("float t[4][4]; for (int k = 0; k <= 4; k++)\nt[k][0] = 0;") ==
          Words{"k <= 4 / k < 4: 4:1"});
    CHECK(loops_in("for (int i = 0; i < N; ++i)\nfor (int k = 0; k <= N; ++k)\nA[k] = i;") ==
          Words{"k <= N / k < N: 5:1"});
}

TEST_CASE("a loop that ends before its bound, or whose bound may be the last index, is none") {
    for (const char* body :
         {"for (int k = 0; k < K; ++k) A[k] = 0;", "for (int k = 0; k <= K - 1; ++k) A[k] = 0;",
          "for (int k = 1; k <= K; ++k) A[k] = 0;", "for (int k = K; k >= 0; --k) A[k] = 0;",
          "for (int k = 0; k <= K; k += 2) A[k] = 0;", "for (int k = 0; k <= K; ++k) A[N] = k;",
          "for (int k = -K; k <= K; ++k) A[k] = 0;", "for (int k = 0; k <= 1; ++k) A[N + k] = 0;"}) {
        CAPTURE(body);
        CHECK(loops_in(body).empty());
    }
}

}  // namespace kwb
