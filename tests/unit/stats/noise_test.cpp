// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "simulate.hpp"
#include "stats/noise.hpp"

namespace kwb::stats {
namespace {

using test::share_of;
using test::Simulator;
using Series = std::vector<double>;

// --- stats/noise.hpp ---

std::vector<NoiseKind> kinds(const Series& series) {
    std::vector<NoiseKind> result;
    for (const auto& warning : find_noise(series)) result.push_back(warning.kind);
    return result;
}

bool warns(const Series& series, NoiseKind kind) {
    const auto found = kinds(series);
    return std::ranges::find(found, kind) != found.end();
}

NoiseWarning only_warning(const Series& series) {
    const auto found = find_noise(series);
    REQUIRE(found.size() == 1);
    return found.front();
}

TEST_CASE("nothing measured gives no warning") {
    CHECK(find_noise({}).empty());
}

TEST_CASE("a quiet series gives no warning") {
    CHECK(find_noise(Series{1.00, 1.01, 0.99, 1.02, 1.00, 0.98, 1.01}).empty());
    CHECK(find_noise(Series(50, 2.5)).empty());
}

TEST_CASE("too few rounds for an interval only cause a warning about their number") {
    CHECK(find_noise(Series{17000}).empty());
    CHECK(find_noise(Series{5, 1, 1, 1, 2}).empty());
}

TEST_CASE("a slow first round is named, with how slow it was, and not called drift or noise as well") {
    const NoiseWarning found = only_warning({1.5, 1.00, 1.01, 0.99, 1.00, 1.01});
    CHECK(found.kind == NoiseKind::SlowFirst);
    CHECK(found.ratio == doctest::Approx(1.5));
    CHECK_FALSE(warns({1.0, 1.0, 1.0, 1.5, 1.0, 1.0, 1.0}, NoiseKind::SlowFirst));
    CHECK_FALSE(warns({1.2, 1.1, 1.0, 1.03, 1.05, 1.02, 1.01}, NoiseKind::SlowFirst));
    CHECK_FALSE(warns({1.5, 1.4, 1.0, 1.0, 1.0, 1.0, 1.0}, NoiseKind::SlowFirst));
}

TEST_CASE("a drift is told with direction and size") {
    Series rising;
    for (int i = 0; i < 12; ++i) rising.push_back(1 + 0.02 * i);
    CHECK(only_warning(rising).kind == NoiseKind::Drifting);
    CHECK(only_warning(rising).share == doctest::Approx(0.155).epsilon(0.01));
    std::ranges::reverse(rising);
    CHECK(only_warning(rising).share == doctest::Approx(-0.134).epsilon(0.01));
}

TEST_CASE("a drift of less than 5 % is not worth a warning, however regular") {
    Series rising;
    for (int i = 0; i < 100; ++i) rising.push_back(1 + 0.0004 * i);
    CHECK(find_noise(rising).empty());
}

TEST_CASE("two speeds in random order are told with share and ratio") {
    const NoiseWarning found = only_warning({1, 1.2, 1.2, 1, 1, 1, 1.2, 1, 1.2, 1});
    CHECK(found.kind == NoiseKind::Bimodal);
    CHECK(found.share == doctest::Approx(0.4));
    CHECK(found.ratio == doctest::Approx(1.2));
}

TEST_CASE("wide scatter is told with its size, and so is an interval that few outliers widen") {
    const NoiseWarning wide = only_warning({1, 1.3, 0.8, 1.1, 0.7, 1.2, 0.9, 1.0});
    CHECK(wide.kind == NoiseKind::Noisy);
    CHECK(wide.share == doctest::Approx(0.15));
    CHECK(!wide.few_far);
    const NoiseWarning outlier = only_warning({1, 1, 1, 1, 1.6, 1, 1});
    CHECK(outlier.kind == NoiseKind::Noisy);
    CHECK(outlier.share == doctest::Approx(0.3));
    CHECK(outlier.few_far);
}

TEST_CASE("times that are negative or no numbers are a bug") {
    CHECK_THROWS_AS(find_noise(Series{1, -1}), ContractError);
    CHECK_THROWS_AS(find_noise(Series{1, std::nan("")}), ContractError);
}

TEST_CASE("the unit of the times does not matter") {
    Simulator simulate(51);
    for (int i = 0; i < 300; ++i) {
        auto series = simulate.quiet(6 + static_cast<std::size_t>(i) % 30, 0.001 * i);
        const auto before = kinds(series);
        for (double& x : series) x *= 1024;
        CHECK(kinds(series) == before);
    }
}

TEST_CASE("clean series stay without any warning in at least 97 %") {
    Simulator simulate(52);
    for (const std::size_t n : {6u, 9u, 10u, 14u, 21u, 32u, 48u})
        for (const double deviation : {0.005, 0.02, 0.03}) {
            CAPTURE(n);
            CAPTURE(deviation);
            CHECK(share_of(1000, [&] { return find_noise(simulate.quiet(n, deviation)).empty(); }) >= 0.97);
            CHECK(share_of(1000, [&] {
                      const auto skewed = [&](std::size_t) { return 1 + deviation * simulate.exponential(); };
                      return find_noise(Simulator::series(n, skewed)).empty();
                  }) >= 0.97);
        }
}

TEST_CASE("planted faults are named in at least 95 %") {
    Simulator simulate(53);
    const auto named = [&](std::size_t n, NoiseKind kind, auto plant) {
        return share_of(500, [&] { return warns(Simulator::series(n, plant), kind); });
    };
    const auto noise = [&] { return std::exp(0.02 * simulate.normal()); };

    // A step or a wave may be classified as either kind of drift, and the advice is the same.
    const auto changing = [&](std::size_t n, auto plant) {
        return share_of(500, [&] {
            const auto series = Simulator::series(n, plant);
            return warns(series, NoiseKind::Drifting) || warns(series, NoiseKind::Wandering);
        });
    };

    SUBCASE("a steady slow-down of 20 %") {
        CHECK(named(14, NoiseKind::Drifting, [&](std::size_t i) {
                  return noise() * (1 + 0.2 * static_cast<double>(i) / 13);
              }) >= 0.95);
    }
    SUBCASE("a step of 15 % in the middle") {
        CHECK(changing(20, [&](std::size_t i) { return noise() * (i < 10 ? 1 : 1.15); }) >= 0.95);
    }
    SUBCASE("a slow wave of 10 % up and down") {
        const auto wave = [&](std::size_t i) {
            return noise() * (1 + 0.1 * std::sin(0.314 * static_cast<double>(i)));
        };
        CHECK(changing(40, wave) >= 0.95);
        CHECK(named(40, NoiseKind::Wandering, wave) >= 0.8);
    }
    SUBCASE("two speeds 30 % apart, in random order") {
        const auto two_speeds = [&](std::size_t) { return noise() * (simulate.chance(0.4) ? 1.3 : 1); };
        CHECK(named(32, NoiseKind::Bimodal, two_speeds) >= 0.95);
    }
    SUBCASE("scatter of 20 %") {
        CHECK(named(21, NoiseKind::Noisy, [&](std::size_t) { return std::exp(0.2 * simulate.normal()); }) >=
              0.95);
    }
    SUBCASE("a first round 1.4 times as long") {
        CHECK(named(9, NoiseKind::SlowFirst, [&](std::size_t i) { return noise() * (i == 0 ? 1.4 : 1); }) >=
              0.95);
    }
}

// --- trend ---

TEST_CASE("Mann-Kendall of five rising values: S = 10, variance 50/3") {
    CHECK(trend_z(Series{1, 2, 3, 4, 5}) == doctest::Approx(9 / std::sqrt(50.0 / 3)));
    CHECK(trend_z(Series{5, 4, 3, 2, 1}) == doctest::Approx(-9 / std::sqrt(50.0 / 3)));
}

TEST_CASE("Mann-Kendall takes ties out of the variance: 1 1 2 has S = 2, variance 48/18") {
    CHECK(trend_z(Series{1, 1, 2}) == doctest::Approx(1 / std::sqrt(48.0 / 18)));
}

TEST_CASE("Bartels of five rising values: ratio 0.4, variance 0.53") {
    CHECK(neighbour_z(Series{10, 20, 30, 40, 50}) == doctest::Approx(1.6 / std::sqrt(0.53)));
}

TEST_CASE("degenerate series score 0") {
    for (const Series& series : {Series{}, Series{1}, Series{1, 2}, Series{4, 4, 4, 4}}) {
        CHECK(trend_z(series) == 0);
        CHECK(neighbour_z(series) == 0);
    }
}

TEST_CASE("over all orders of six values Bartels' score has mean 0 and variance 1 exactly") {
    Series order = {1, 2, 3, 4, 5, 6};
    double sum = 0;
    double squares = 0;
    int count = 0;
    do {
        const double z = neighbour_z(order);
        sum += z;
        squares += z * z;
        ++count;
    } while (std::ranges::next_permutation(order).found);
    REQUIRE(count == 720);
    CHECK(sum / count == doctest::Approx(0).scale(1));
    CHECK(squares / count == doctest::Approx(1));
}

TEST_CASE("alternating values are the opposite of alike") {
    CHECK(neighbour_z(Series{1, 9, 2, 8, 3, 7, 4, 6}) < -2);
}

TEST_CASE("on independent samples the 1 % point is passed in at most 1.5 %") {
    Simulator simulate(31);
    for (const std::size_t n : {6u, 10u, 20u, 40u}) {
        CAPTURE(n);
        CHECK(share_of(3000, [&] { return std::abs(trend_z(simulate.quiet(n, 1))) >= 2.576; }) <= 0.015);
        CHECK(share_of(3000, [&] { return std::abs(neighbour_z(simulate.quiet(n, 1))) >= 2.576; }) <= 0.015);
    }
}

// --- groups ---

TEST_CASE("two clear groups are found with their medians and shares, in any order") {
    const auto groups = find_two_groups(Series{5, 1, 5.1, 1.1, 0.9, 5, 1, 4.9, 1, 1.05});
    REQUIRE(groups);
    CHECK(groups->low == 1);
    CHECK(groups->high == 5);
    CHECK(groups->high_share == doctest::Approx(0.4));
    CHECK(groups->separation > 40);
}

TEST_CASE("two exact values are infinitely far apart, and one value is no two groups") {
    const auto groups = find_two_groups(Series{1, 1, 1, 1, 1, 2, 2, 2, 2, 2});
    REQUIRE(groups);
    CHECK(groups->separation == std::numeric_limits<double>::infinity());
    CHECK_FALSE(find_two_groups(Series(20, 3.0)));
}

TEST_CASE("fewer than ten samples and fewer than three outliers are no two groups") {
    CHECK_FALSE(find_two_groups(Series{1, 1, 1, 1, 2, 2, 2, 2, 2}));
    CHECK_FALSE(find_two_groups(Series{1, 1.01, 1.02, 1.03, 1, 1.01, 1.02, 1.03, 1.04, 2, 2.1}));
}

TEST_CASE("samples with a single hump are split in at most 2 %") {
    Simulator simulate(41);
    for (const std::size_t n : {10u, 14u, 21u, 32u, 60u, 150u}) {
        CAPTURE(n);
        const auto alarms = [&](auto draw) {
            return share_of(1500, [&] { return find_two_groups(Simulator::series(n, draw)).has_value(); });
        };
        CHECK(alarms([&](std::size_t) { return simulate.normal(); }) <= 0.02);
        CHECK(alarms([&](std::size_t) { return simulate.uniform(); }) <= 0.02);
        CHECK(alarms([&](std::size_t) { return simulate.exponential(); }) <= 0.02);
    }
}

TEST_CASE("groups ten deviations apart are found in at least 95 % from 20 samples on") {
    Simulator simulate(42);
    for (const std::size_t n : {20u, 32u, 60u}) {
        CAPTURE(n);
        const double found = share_of(500, [&] {
            const auto draw = [&](std::size_t) {
                return simulate.normal() + (simulate.chance(0.4) ? 10 : 0);
            };
            return find_two_groups(Simulator::series(n, draw)).has_value();
        });
        CHECK(found >= 0.95);
    }
}

}  // namespace
}  // namespace kwb::stats
