#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "catalog/number.hpp"

namespace kwb {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

Number random_fraction(std::mt19937& random) {
    std::uniform_int_distribution<std::int64_t> numerator(-1000, 1000);
    std::uniform_int_distribution<std::int64_t> denominator(1, 60);
    return Number(numerator(random)) / Number(denominator(random));
}

TEST_CASE("fractions are kept in lowest terms with a positive denominator") {
    const Number x = Number(6) / Number(-4);
    CHECK(x.numerator() == -3);
    CHECK(x.denominator() == 2);
    CHECK((Number(8) / Number(4)).is_whole());
}

TEST_CASE(
    "quotient and remainder put the dividend together again, and the remainder has the divisor's sign") {
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        const Number a = random_fraction(random);
        const Number b = random_fraction(random);
        if (b == Number(0)) continue;
        const Number quotient = floor_divide(a, b);
        const Number rest = modulo(a, b);
        CHECK(quotient.is_whole());
        CHECK(quotient * b + rest == a);
        CHECK((rest == Number(0) || (rest < Number(0)) == (b < Number(0))));
        CHECK(a - b + b == a);
        CHECK(a / b * b == a);
        CHECK(ceil_divide(a, b) - quotient == Number(rest == Number(0) ? 0 : 1));
        CHECK((a < b) == (a - b < Number(0)));
    }
}

TEST_CASE("the ends of 64 bits are reached exactly and never passed") {
    CHECK(Number(kMost - 1) + Number(1) == Number(kMost));
    CHECK(Number(kLeast + 1) - Number(1) == Number(kLeast));
    CHECK_THROWS_AS(Number(kMost) + Number(1), ValueError);
    CHECK_THROWS_AS(Number(kLeast) - Number(1), ValueError);
    CHECK_THROWS_AS(-Number(kLeast), ValueError);
    CHECK_THROWS_AS(Number(kLeast) / Number(-1), ValueError);
    CHECK_THROWS_AS(floor_divide(Number(kLeast), Number(-1)), ValueError);
    CHECK(modulo(Number(kLeast), Number(-1)) == Number(0));
    CHECK_THROWS_AS(Number(kMost) * Number(2), ValueError);
    CHECK_THROWS_AS(Number(1) / Number(kMost) / Number(2), ValueError);
    CHECK(Number(kMost) / Number(kMost) == Number(1));
    CHECK(Number(1) / Number(kMost) < Number(1) / Number(kMost - 1));
}

TEST_CASE("powers are exact, also with negative exponents, and huge exponents end at once") {
    CHECK(power(Number(2), Number(62)) == Number(std::int64_t{1} << 62));
    CHECK(power(Number(-2), Number(63)) == Number(kLeast));
    CHECK(power(Number(2), Number(-3)) == Number(1) / Number(8));
    CHECK(power(Number(-1), Number(kMost)) == Number(-1));
    CHECK(power(Number(-1), Number(kLeast)) == Number(1));
    CHECK(power(Number(0), Number(0)) == Number(1));
    CHECK_THROWS_AS(power(Number(2), Number(63)), ValueError);
    CHECK_THROWS_AS(power(Number(3), Number(kMost)), ValueError);
    CHECK_THROWS_AS(power(Number(3), Number(kLeast)), ValueError);
    CHECK_THROWS_AS(power(Number(0), Number(-1)), ValueError);
    CHECK_THROWS_AS(power(Number(4), Number(1) / Number(2)), ValueError);
}

TEST_CASE("log2 undoes powers of two and refuses everything else") {
    for (int exponent = -62; exponent <= 62; ++exponent)
        CHECK(log2_exactly(power(Number(2), Number(exponent))) == Number(exponent));
    for (const Number x : {Number(0), Number(-4), Number(12), Number(4) / Number(3), Number(kLeast)})
        CHECK_THROWS_AS(log2_exactly(x), ValueError);
}

TEST_CASE("decimal digits are read as exact fractions") {
    CHECK(Number::parse("0.1") + Number::parse("0.2") == Number::parse("0.3"));
    CHECK(Number::parse("1.50000000000000000000000000000") == Number(3) / Number(2));
    CHECK(Number::parse("0.000") == Number(0));
    CHECK(Number::parse("0e999999999999") == Number(0));
    CHECK(Number::parse("25E-1") == Number(5) / Number(2));
    CHECK(Number::parse("1e18") == Number(1000000000000000000));
    CHECK(Number::parse("0x7fffffffffffffff") == Number(kMost));
    for (const char* text : {"9223372036854775808", "0x8000000000000000", "1e19", "1e-19",
                             "1e99999999999999999", "0.12345678901234567891", "007"})
        CHECK_THROWS_AS(Number::parse(text), ValueError);
}

}  // namespace
}  // namespace kwb
