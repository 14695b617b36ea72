// The real pass: no honest sum exceeds its bound, and the bound is not generous without need.
#include <doctest/doctest.h>

#include <algorithm>

#include "judge/reference/error_bounds.hpp"
#include "sample.hpp"
#include "sums.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("no way of summing in float exceeds the bound, for many lengths and seeds") {
    for (const std::int64_t k : {1, 2, 3, 5, 16, 31, 100, 513, 2003, 8192})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            CAPTURE(k);
            CAPTURE(seed);
            const Pass2D made = make_pass(matmul(3, 3, k), Pass::Real, seed);
            for (std::int64_t row = 0; row < 3; ++row)
                for (std::int64_t column = 0; column < 3; ++column) {
                    const auto i = static_cast<std::size_t>(row * 3 + column);
                    const auto bound = static_cast<double>(made.c().bound[i]);
                    for (const float sum : all_sums(terms_of(made, 3, k, row, column), seed))
                        REQUIRE(std::fabs(sum - made.c().expected[i]) <= bound);
                }
        }
}

TEST_CASE("a single product may use its whole bound: thousands of them at K = 1 stay within") {
    const Pass2D made = make_pass(matmul(100, 100, 1), Pass::Real, 8);
    double worst = 0;
    for (std::int64_t row = 0; row < 100; ++row)
        for (std::int64_t column = 0; column < 100; ++column) {
            const auto i = static_cast<std::size_t>(row * 100 + column);
            const float got = naive_sum(terms_of(made, 100, 1, row, column));
            worst = std::max(worst,
                             std::fabs(got - made.c().expected[i]) / static_cast<double>(made.c().bound[i]));
        }
    CHECK(worst <= 1);
    CHECK(worst > 0.9);
}

TEST_CASE("the bound is gamma_K |A||B|, a little above and never below") {
    for (const std::int64_t k : {1, 7, 64, 4096}) {
        CAPTURE(k);
        const Pass2D made = make_pass(matmul(2, 2, k), Pass::Real, 17);
        for (std::int64_t row = 0; row < 2; ++row)
            for (std::int64_t column = 0; column < 2; ++column) {
                long double magnitude = 0;
                for (const auto& [a, b] : terms_of(made, 2, k, row, column))
                    magnitude += std::fabs(static_cast<long double>(a) * b);
                const double theory = gamma_bound(static_cast<double>(k)) * static_cast<double>(magnitude);
                const auto bound =
                    static_cast<double>(made.c().bound[static_cast<std::size_t>(row * 2 + column)]);
                CHECK(bound >= theory);
                CHECK(bound <= theory * 1.001);
            }
    }
}

TEST_CASE("bounds are above zero and finite everywhere") {
    const Pass2D made = make_pass(matmul(40, 40, 3), Pass::Real, 2);
    for (const float bound : made.c().bound) {
        REQUIRE(bound > 0);
        REQUIRE(std::isfinite(bound));
    }
}
