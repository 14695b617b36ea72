#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "simulate.hpp"
#include "stats/patterns.hpp"

namespace kwb::stats {
namespace {

using test::share_of;
using test::Simulator;
using Series = std::vector<double>;

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

TEST_CASE("series of which nothing can be said score 0") {
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

}  // namespace
}  // namespace kwb::stats
