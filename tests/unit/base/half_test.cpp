#include "base/half.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

using kwb::Half;

namespace {

double value_of_half(unsigned bits) {
    return static_cast<double>(Half::from_bits(static_cast<std::uint16_t>(bits)));
}

unsigned half_bits_of(double value) {
    return Half(value).bits();
}

}  // namespace

TEST_CASE("halves have the values that IEEE 754 gives them") {
    CHECK(value_of_half(0x0000) == 0);
    CHECK(std::signbit(value_of_half(0x8000)));
    CHECK(value_of_half(0x3c00) == 1);
    CHECK(value_of_half(0xc000) == -2);
    CHECK(value_of_half(0x3555) == 0x1.554p-2);
    CHECK(value_of_half(0x0001) == 0x1p-24);
    CHECK(value_of_half(0x03ff) == 0x1.ff8p-15);
    CHECK(value_of_half(0x0400) == 0x1p-14);
    CHECK(value_of_half(0x7bff) == 65504);
    CHECK(value_of_half(0x7c00) == INFINITY);
    CHECK(value_of_half(0xfc00) == -INFINITY);
    CHECK(std::isnan(value_of_half(0x7c01)));
    CHECK(std::isnan(value_of_half(0xffff)));
}

TEST_CASE("every half comes back as itself from the number that it is") {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const double value = value_of_half(bits);
        if (std::isnan(value))
            CHECK(std::isnan(static_cast<double>(Half(value))));
        else
            CHECK(half_bits_of(value) == bits);
    }
}

TEST_CASE("between two halves the nearer one is taken, and the even one in the middle") {
    for (unsigned bits = 0; bits < 0x7c00; ++bits) {
        const double low = value_of_half(bits);
        const double high = bits == 0x7bff ? 65536 : value_of_half(bits + 1);  // infinity stands for 2^16
        const double middle = (low + high) / 2;
        CHECK(half_bits_of(std::nextafter(middle, 0)) == bits);
        CHECK(half_bits_of(middle) == bits + (bits & 1));
        CHECK(half_bits_of(std::nextafter(middle, INFINITY)) == bits + 1);
        CHECK(half_bits_of(-middle) == ((bits + (bits & 1)) | 0x8000));
    }
}

TEST_CASE("a number is rounded to a half once, not by way of a float") {
    // As float it is 1 + 2^-11, which is halfway and goes down to the even 1.
    CHECK(half_bits_of(1 + 0x1p-11 + 0x1p-40) == 0x3c01);
    CHECK(half_bits_of(std::int64_t{2049}) == half_bits_of(2048));
    CHECK(half_bits_of(1e300) == 0x7c00);
    CHECK(half_bits_of(-0x1p-1074) == 0x8000);
}

#if defined(__aarch64__) || (defined(__x86_64__) && defined(__FLT16_MAX__))
#ifdef __aarch64__
using OwnHalf = __fp16;  // g++ 12 knows _Float16 there in C alone
#else
using OwnHalf = _Float16;
#endif

TEST_CASE("halves agree with the compiler's own on all patterns and on random numbers") {
    const auto own_bits = [](auto value) {
        const auto half = static_cast<OwnHalf>(value);
        std::uint16_t bits = 0;
        std::memcpy(&bits, &half, sizeof bits);
        return bits;
    };
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const auto pattern = static_cast<std::uint16_t>(bits);
        OwnHalf half;
        std::memcpy(&half, &pattern, sizeof half);
        const auto expected = static_cast<double>(half);
        const double got = value_of_half(bits);
        CHECK((got == expected || (std::isnan(got) && std::isnan(expected))));
    }
    std::mt19937_64 random(1);
    std::uint64_t differences = 0;
    for (int i = 0; i < 2'000'000; ++i) {
        // Of all exponents, and twice as often of those that a half can hold.
        const std::uint64_t bits = random();
        const std::uint64_t near = (bits & 0x800fffffffffffff) | (std::uint64_t{1023 - 26} + bits % 44) << 52;
        const double value = std::bit_cast<double>(i % 3 == 0 ? bits : near);
        const auto narrow = static_cast<float>(value);
        if (std::isnan(value)) continue;
        differences += half_bits_of(value) != own_bits(value);
        differences += half_bits_of(static_cast<double>(narrow)) != own_bits(narrow);
    }
    CHECK(differences == 0);
}
#endif
