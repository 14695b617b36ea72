#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "simulate.hpp"
#include "stats/patterns.hpp"

namespace kwb::stats {
namespace {

using test::share_of;
using test::Simulator;
using Series = std::vector<double>;

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
