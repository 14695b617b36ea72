#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "simulate.hpp"
#include "stats/interval.hpp"

namespace kwb::stats {
namespace {

using test::share_of;
using test::Simulator;
using Series = std::vector<double>;

/// Two contestants taking turns in random order on a machine whose speed wanders.
struct Machine {
    Simulator& simulate;
    double step = 0.03;   ///< of the random walk between two turns, as a share
    double noise = 0.01;  ///< of a turn, as a share
    double level = 1;

    double turn(double work) {
        level *= std::exp(step * simulate.normal());
        return work * level * std::exp(noise * simulate.normal());
    }

    /// @return  the rounds of baseline and contestant, one with work 1, one with `work`
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

    /// All of one contestant's turns, then all of the other's.
    std::pair<Series, Series> one_after_the_other(std::size_t rounds) {
        const auto series = [&] { return Simulator::series(rounds, [&](std::size_t) { return turn(1); }); };
        Series baseline = series();
        return {std::move(baseline), series()};
    }
};

/// What the paired comparison replaces: do the intervals of the two medians lie apart?
bool separate_medians_differ(const Series& a, const Series& b) {
    const auto in_a = median_interval(a);
    const auto in_b = median_interval(b);
    return in_a->high < in_b->low || in_b->high < in_a->low;
}

TEST_CASE("ratio says how many times as fast the contestant is, round by round") {
    const auto result = compare_paired(Series{10, 20, 30, 40, 50, 60}, Series{5, 5, 10, 10, 10, 10});
    REQUIRE(result);
    CHECK(result->ratio == 4);  // of 2 4 3 4 5 6
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
        const double level = std::exp2(i);  // a power of two, so that nothing is rounded
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
    for (const double noise : {0.01, 0.02, 0.03, 0.055}) {  // of the ratio 1.4 times as much
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
