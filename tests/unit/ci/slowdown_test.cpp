// SPDX-License-Identifier: Apache-2.0
#include "ci/slowdown.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace kwb;
using Answer = Slowdown::Answer;

TEST_CASE("a slower kernel is found by all rounds together, though no measurement alone is clear") {
    const std::vector<double> now_ms = {1.00, 1.05, 1.08, 1.12, 1.14, 1.16, 1.18, 1.20, 1.25, 1.30};
    const std::vector<double> before_ms(now_ms.size(), 1.0);
    Slowdown slowdown(1.1);
    CHECK(slowdown.add(now_ms, before_ms) == Answer::NotYet);
    CHECK(slowdown.ratio()->interval->low == 1.05);
    Answer answer = Answer::NotYet;
    for (int i = 0; i < 10 && answer == Answer::NotYet; ++i) answer = slowdown.add(now_ms, before_ms);
    CHECK(answer == Answer::Slower);
    CHECK(slowdown.ratio()->ratio == doctest::Approx(1.15));
    CHECK(slowdown.ratio()->interval->low == 1.12);
}

TEST_CASE("one measurement is not enough to call a kernel slower, whatever it shows") {
    Slowdown slowdown(1.1);
    const std::vector<double> slow(20, 3.0), fast(20, 1.0);
    CHECK(slowdown.add(slow, fast) == Answer::NotYet);
    CHECK(slowdown.ratio()->ratio == 3);
    SUBCASE("the second agrees") {
        CHECK(slowdown.add(slow, fast) == Answer::Slower);
    }
    SUBCASE("the second, shorter one does not") {
        CHECK(slowdown.add(std::vector<double>(6, 1.0), std::vector<double>(6, 1.0)) == Answer::NotYet);
    }
    SUBCASE("the second, longer one does not") {
        CHECK(slowdown.add(std::vector<double>(60, 1.0), std::vector<double>(60, 1.0)) == Answer::NotSlower);
    }
}

TEST_CASE("a kernel within the limit needs one measurement") {
    Slowdown slowdown(1.1);
    const std::vector<double> now_ms = {0.94, 0.97, 0.99, 1.01, 1.03, 1.06};
    CHECK(slowdown.add(now_ms, std::vector<double>(now_ms.size(), 1.0)) == Answer::NotSlower);
}

TEST_CASE("too few rounds, or times of 0 ms, say nothing") {
    Slowdown slowdown(1.1);
    CHECK(slowdown.add({}, {}) == Answer::NotYet);
    CHECK_FALSE(slowdown.ratio());
    const std::vector<double> zero(6, 0.0), one(6, 1.0);
    CHECK(slowdown.add(zero, one) == Answer::NotYet);
    CHECK_FALSE(slowdown.ratio());
    const std::vector<double> five(5, 1.0);
    CHECK(slowdown.add(five, five) == Answer::NotYet);
    CHECK_FALSE(slowdown.ratio()->interval);
    CHECK(slowdown.add(five, one) == Answer::NotSlower);  // ten rounds by now
}
