#include "stats/interval.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "simulate.hpp"

namespace kwb::stats {
namespace {

using test::share_of;
using test::Simulator;

/// How often [k-th smallest, k-th largest] of n samples holds the median, summed term by term.
double coverage(std::size_t n, std::size_t k) {
    double term = std::pow(0.5, static_cast<double>(n));
    double tail = 0;
    for (std::size_t i = 0; i < k; ++i) {
        tail += term;
        term *= static_cast<double>(n - i) / static_cast<double>(i + 1);
    }
    return 1 - 2 * tail;
}

TEST_CASE("median of an odd sample is its middle value, in any order") {
    CHECK(median(std::vector{3.0}) == 3);
    CHECK(median(std::vector{9.0, 1.0, 5.0}) == 5);
}

TEST_CASE("median of an even sample averages the middle two") {
    CHECK(median(std::vector{1.0, 2.0}) == 1.5);
    CHECK(median(std::vector{40.0, 10.0, 30.0, 20.0}) == 25);
}

TEST_CASE("median refuses no samples and samples that are no numbers") {
    CHECK_THROWS_AS(median({}), ContractError);
    CHECK_THROWS_AS(median(std::vector{1.0, std::nan("")}), ContractError);
    CHECK_THROWS_AS(median_interval(std::vector{1.0, HUGE_VAL}), ContractError);
}

TEST_CASE("ranks of the 95 % interval agree with the published sign-test table") {
    const std::vector<std::pair<std::size_t, std::size_t>> table = {{6, 1},  {8, 1},   {9, 2},   {11, 2},
                                                                    {12, 3}, {15, 4},  {17, 5},  {20, 6},
                                                                    {25, 8}, {30, 10}, {40, 14}, {100, 40}};
    for (const auto& [n, k] : table) {
        CAPTURE(n);
        CHECK(median_rank(n) == k);
    }
}

TEST_CASE("fewer than six samples have no 95 % interval") {
    for (std::size_t n = 0; n < 6; ++n) CHECK_FALSE(median_interval(std::vector<double>(n, 1.0)));
    CHECK(median_interval(std::vector<double>(6, 1.0)) == Interval{1, 1});
    CHECK_MESSAGE(median_rank(5, 0.9375) == 1, "a confidence that is met exactly counts as met");
}

TEST_CASE("ranks are the narrowest whose coverage, summed term by term, suffices") {
    for (const double confidence : {0.5, 0.9, 0.95, 0.9675, 0.99})
        for (std::size_t n = 1; n <= 300; ++n) {
            CAPTURE(n);
            CAPTURE(confidence);
            const auto k = median_rank(n, confidence);
            if (k) CHECK(coverage(n, *k) >= confidence - 1e-9);
            const std::size_t narrower = k.value_or(0) + 1;
            if (2 * narrower <= n + 1) CHECK(coverage(n, narrower) < confidence);
        }
}

TEST_CASE("a confidence of 0 or 1 is refused") {
    CHECK_THROWS_AS(median_rank(10, 0), ContractError);
    CHECK_THROWS_AS(median_rank(10, 1), ContractError);
}

TEST_CASE("interval of ten samples runs from the second smallest to the second largest") {
    const std::vector<double> samples = {7, 3, 10, 1, 9, 2, 8, 4, 6, 5};
    CHECK(median_interval(samples) == Interval{2, 9});
}

TEST_CASE("interval holds the median, ignores order and follows scale") {
    Simulator simulate(11);
    std::mt19937_64 shuffler(12);
    for (std::size_t n = 6; n <= 60; ++n) {
        auto samples = simulate.quiet(n, 0.3);
        const auto interval = median_interval(samples);
        const double centre = median(samples);
        REQUIRE(interval);
        CHECK(interval->low <= centre);
        CHECK(centre <= interval->high);

        std::ranges::shuffle(samples, shuffler);
        CHECK(median_interval(samples) == interval);
        CHECK(median(samples) == centre);

        for (double& x : samples) x *= 4;  // a power of two, so that nothing is rounded
        CHECK(median_interval(samples) == Interval{4 * interval->low, 4 * interval->high});
        CHECK(median(samples) == 4 * centre);
    }
}

TEST_CASE("a higher confidence never gives a narrower interval") {
    Simulator simulate(13);
    for (std::size_t n = 8; n <= 40; ++n) {
        const auto samples = simulate.quiet(n, 0.1);
        const auto usual = median_interval(samples, 0.95);
        const auto surer = median_interval(samples, 0.99);
        REQUIRE(usual);
        REQUIRE(surer);
        CHECK(surer->low <= usual->low);
        CHECK(surer->high >= usual->high);
    }
}

TEST_CASE("95 % intervals of independent samples cover the true median in at least 94 % of 4000 trials") {
    const double exponential_median = std::log(2.0);
    struct Case {
        const char* name;
        double truth;
        std::function<double(Simulator&)> draw;
    };
    const std::vector<Case> cases = {
        {"normal", 10, [](Simulator& s) { return 10 + s.normal(); }},
        {"lognormal", 1, [](Simulator& s) { return std::exp(s.normal()); }},
        {"exponential", exponential_median, [](Simulator& s) { return s.exponential(); }},
    };
    for (const auto& [name, truth, draw] : cases)
        for (const std::size_t n : {6u, 7u, 9u, 10u, 12u, 15u, 17u, 20u, 25u, 32u, 40u}) {
            CAPTURE(name);
            CAPTURE(n);
            Simulator simulate(100 + n);
            const double covered = share_of(4000, [&] {
                const auto samples = Simulator::series(n, [&](std::size_t) { return draw(simulate); });
                return median_interval(samples)->contains(truth);
            });
            CHECK(covered >= 0.94);
        }
}

TEST_CASE("an interval is narrow if half its width is within the share of the centre") {
    CHECK(narrower_than({99, 101}, 100, 0.0101));
    CHECK_FALSE(narrower_than({99, 101}, 100, 0.0099));
    CHECK(narrower_than({4.95, 5.05}, 5, 0.02));
    CHECK(narrower_than({0, 0}, 0, 0.02));
    CHECK_FALSE(narrower_than({0, 1}, 0, 0.02));
}

TEST_CASE("stopping for narrowness is considered at 6 rounds and then after half as many again") {
    std::vector<std::size_t> looks;
    for (std::size_t n = 0; n <= 110; ++n)
        if (is_stop_round(n)) looks.push_back(n);
    CHECK(looks == std::vector<std::size_t>{6, 9, 14, 21, 32, 48, 72, 108});
}

}  // namespace
}  // namespace kwb::stats
