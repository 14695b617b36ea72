// SPDX-License-Identifier: Apache-2.0
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
#include "stats/interval.hpp"

namespace kwb::stats {
namespace {

using test::share_of;
using test::Simulator;

// --- stats/interval.hpp ---

/// Probability that [k-th smallest, k-th largest] of n samples contains the median, summed term by term.
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

TEST_CASE("the bound of a mean is the upper end of Student's interval") {
    // t(0.975) is 4.303 with 2 degrees of freedom and 12.706 with 1.
    CHECK(mean_bound(std::vector{1.0, 2.0, 3.0}) ==
          doctest::Approx(2 + 4.303 / std::sqrt(3.0)).epsilon(1e-4));
    CHECK(mean_bound(std::vector{3.0, 1.0}) == doctest::Approx(2 + 12.706).epsilon(1e-4));
    CHECK(mean_bound(std::vector{0.5, 0.5, 0.5}) == 0.5);
    CHECK_THROWS_AS(mean_bound(std::vector{1.0}), ContractError);
}

TEST_CASE("ranks of the 95 % interval agree with the published sign-test table") {
    const std::vector<std::pair<std::size_t, std::size_t>> table = {{6, 1},  {8, 1},   {9, 2},   {11, 2},
                                                                    {12, 3}, {15, 4},  {17, 5},  {20, 6},
                                                                    {25, 8}, {30, 10}, {40, 14}, {100, 40}};
    for (const auto& [n, k] : table) {
        const auto& shown_n = n;
        CAPTURE(shown_n);
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

        for (double& x : samples) x *= 4;  // a power of two, so there is no rounding
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
    for (const Case& at : cases)
        for (const std::size_t n : {6u, 7u, 9u, 10u, 12u, 15u, 17u, 20u, 25u, 32u, 40u}) {
            CAPTURE(at.name);
            CAPTURE(n);
            Simulator simulate(100 + n);
            const double covered = share_of(4000, [&] {
                const auto samples = Simulator::series(n, [&](std::size_t) { return at.draw(simulate); });
                return median_interval(samples)->contains(at.truth);
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

// --- comparison ---

using Series = std::vector<double>;

/// Two contestants that alternate in random order on a machine whose speed drifts.
struct Machine {
    Simulator& simulate;
    double step = 0.03;   ///< relative step of the random walk between two turns
    double noise = 0.01;  ///< relative noise of one turn
    double level = 1;

    double turn(double work) {
        level *= std::exp(step * simulate.normal());
        return work * level * std::exp(noise * simulate.normal());
    }

    /// @return  times of the baseline (work 1) and the contestant (work `work`), round by round
    std::pair<Series, Series> alternate(std::size_t rounds, double work = 1) {
        std::pair<Series, Series> result;
        for (std::size_t i = 0; i < rounds; ++i) {
            const bool baseline_first = simulate.chance(0.5);
            if (baseline_first) result.first.push_back(turn(1));
            result.second.push_back(turn(work));
            if (!baseline_first) result.first.push_back(turn(1));
        }
        return result;
    }

    /// All turns of one contestant, then all turns of the other.
    std::pair<Series, Series> one_after_the_other(std::size_t rounds) {
        const auto series = [&] { return Simulator::series(rounds, [&](std::size_t) { return turn(1); }); };
        Series baseline = series();
        return {std::move(baseline), series()};
    }
};

/// The method that the paired comparison replaces: are the confidence intervals of the two medians disjoint?
bool separate_medians_differ(const Series& a, const Series& b) {
    const auto in_a = median_interval(a);
    const auto in_b = median_interval(b);
    return in_a->high < in_b->low || in_b->high < in_a->low;
}

TEST_CASE("ratio says how many times as fast the contestant is, round by round") {
    const auto result = compare_paired(Series{10, 20, 30, 40, 50, 60}, Series{5, 5, 10, 10, 10, 10});
    REQUIRE(result);
    CHECK(result->ratio == 4);  // median of 2 4 3 4 5 6
    CHECK(result->interval == Interval{2, 6});
    CHECK(result->rounds == 6);
    CHECK(result->differs());
}

TEST_CASE("an interval that holds or touches 1 shows no difference") {
    CHECK_FALSE(compare_paired(Series{1, 2, 2, 2, 2, 2}, Series{1, 1, 1, 1, 1, 1})->differs());
    CHECK_FALSE(compare_paired(Series{1, 1, 1, 2, 2, 2}, Series{2, 2, 2, 1, 1, 1})->differs());
    CHECK(compare_paired(Series{1, 1, 1, 1, 1, 1}, Series{2, 2, 2, 2, 2, 2})->differs());
}

TEST_CASE("a missing interval shows no difference, however large the ratio") {
    const auto result = compare_paired(Series{9, 9, 9, 9, 9}, Series{1, 1, 1, 1, 1});
    REQUIRE(result);
    CHECK(result->ratio == 9);
    CHECK_FALSE(result->interval);
    CHECK_FALSE(result->differs());
}

TEST_CASE("only rounds that both contestants have are compared") {
    const auto result = compare_paired(Series{2, 2, 2, 100}, Series{1, 1, 1});
    REQUIRE(result);
    CHECK(result->ratio == 2);
    CHECK(result->rounds == 3);
    CHECK_FALSE(compare_paired(Series{}, Series{1}));
    CHECK_FALSE(compare_paired(Series{1}, Series{}));
}

TEST_CASE("a round of 0 ms cannot be compared, a negative or infinite one is a bug") {
    CHECK_FALSE(compare_paired(Series{1, 0}, Series{1, 1}));
    CHECK_FALSE(compare_paired(Series{1, 1}, Series{0, 1}));
    CHECK_THROWS_AS(compare_paired(Series{-1}, Series{1}), ContractError);
    CHECK_THROWS_AS(compare_paired(Series{1}, Series{HUGE_VAL}), ContractError);
}

TEST_CASE("swapping the contestants inverts the interval, and a common scale changes nothing") {
    Simulator simulate(21);
    for (const std::size_t n : {7u, 9u, 15u, 33u}) {
        const auto a = simulate.quiet(n, 0.1);
        const auto b = simulate.quiet(n, 0.1);
        const auto forth = compare_paired(a, b);
        const auto back = compare_paired(b, a);
        CHECK(forth->ratio == doctest::Approx(1 / back->ratio));
        CHECK(forth->interval->low == doctest::Approx(1 / back->interval->high));
        CHECK(forth->interval->high == doctest::Approx(1 / back->interval->low));

        const auto scaled = [](Series series) {
            for (double& x : series) x *= 8;
            return series;
        };
        CHECK(compare_paired(scaled(a), scaled(b))->interval == forth->interval);
    }
}

TEST_CASE("a drift that both contestants share leaves no trace in their ratio") {
    Series baseline;
    Series contestant;
    for (int i = 0; i < 12; ++i) {
        const double level = std::exp2(i);  // a power of two, so there is no rounding
        baseline.push_back(3 * level);
        contestant.push_back(2 * level);
    }
    const auto result = compare_paired(baseline, contestant);
    CHECK(result->ratio == 1.5);
    CHECK(result->interval == Interval{1.5, 1.5});
}

TEST_CASE("A/A on a wandering machine: pairs raise a false alarm in at most 5 %, blocks in most runs") {
    Simulator simulate(22);
    for (const std::size_t rounds : {6u, 12u, 20u, 40u}) {
        CAPTURE(rounds);
        const double paired = share_of(2000, [&] {
            const auto [a, b] = Machine{simulate}.alternate(rounds);
            return compare_paired(a, b)->differs();
        });
        CHECK(paired <= 0.05);
    }
    const double in_blocks = share_of(1000, [&] {
        const auto [a, b] = Machine{simulate}.one_after_the_other(20);
        return separate_medians_differ(a, b);
    });
    CHECK(in_blocks > 0.5);
}

TEST_CASE("pairs see a difference of 6 % through a drift in which separate medians do not") {
    Simulator simulate(23);
    double paired = 0;
    const double separate = share_of(1000, [&] {
        const auto [a, b] = Machine{simulate}.alternate(32, 1 / 1.06);
        paired += compare_paired(a, b)->differs() ? 0.001 : 0;
        return separate_medians_differ(a, b);
    });
    CHECK(paired > 0.95);
    CHECK(separate < 0.3);
}

TEST_CASE(
    "A/A that may stop as soon as the interval is within 2 % still raises a false alarm in at most 5 %") {
    Simulator simulate(24);
    constexpr std::size_t kBudgetRounds = 200;
    for (const double noise : {0.01, 0.02, 0.03, 0.055}) {  // for the ratio 1.4 times as much
        CAPTURE(noise);
        const double alarms = share_of(2500, [&] {
            Series a;
            Series b;
            while (true) {
                a.push_back(std::exp(noise * simulate.normal()));
                b.push_back(std::exp(noise * simulate.normal()));
                if (!is_stop_round(a.size()) && a.size() < kBudgetRounds) continue;
                const auto result = compare_paired(a, b);
                if (a.size() >= kBudgetRounds || narrower_than(*result->interval, result->ratio, 0.02))
                    return result->differs();
            }
        });
        CHECK(alarms <= 0.05);
    }
}

TEST_CASE("intervals of ratios cover the true ratio in at least 94 % of the runs") {
    Simulator simulate(25);
    for (const std::size_t rounds : {6u, 9u, 14u, 32u}) {
        CAPTURE(rounds);
        const double covered = share_of(2000, [&] {
            const auto [a, b] = Machine{simulate}.alternate(rounds, 0.5);
            return compare_paired(a, b)->interval->contains(2);
        });
        CHECK(covered >= 0.94);
    }
}

}  // namespace
}  // namespace kwb::stats
