#include "catalog/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace kwb {
namespace {

// Wide enough for the sum of two products of 64-bit integers (below 2^127).
__extension__ using Wide = __int128;

Wide magnitude(Wide x) {
    return x < 0 ? -x : x;
}

Wide greatest_common_divisor(Wide a, Wide b) {
    while (b != 0) {
        const Wide rest = a % b;
        a = b;
        b = rest;
    }
    return magnitude(a);
}

struct Fraction {
    std::int64_t numerator;
    std::int64_t denominator;
};

/// Reduce to lowest terms and check the range; `operation` describes the computation for the error message.
template <typename Describe>
Fraction reduced(Wide numerator, Wide denominator, const Describe& operation) {
    if (denominator == 0) throw ValueError(fmt::format("division by zero in {}", operation()));
    const Wide divisor = greatest_common_divisor(numerator, denominator) * (denominator < 0 ? -1 : 1);
    numerator /= divisor;
    denominator /= divisor;
    constexpr Wide kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
    if (numerator < kLeast || numerator > kMost || denominator > kMost)
        throw ValueError(fmt::format("{} does not fit into 64 bits", operation()));
    return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

Wide floor_quotient(Wide a, Wide b) {
    const Wide quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

auto describe(Number a, const char* symbol, Number b) {
    return [=] { return fmt::format("{} {} {}", to_string(a), symbol, to_string(b)); };
}

}  // namespace

Number operator+(Number a, Number b) {
    const Wide numerator = Wide{a.numerator_} * b.denominator_ + Wide{b.numerator_} * a.denominator_;
    const Fraction sum = reduced(numerator, Wide{a.denominator_} * b.denominator_, describe(a, "+", b));
    return {sum.numerator, sum.denominator};
}

Number operator-(Number a, Number b) {
    const Wide numerator = Wide{a.numerator_} * b.denominator_ - Wide{b.numerator_} * a.denominator_;
    const Fraction rest = reduced(numerator, Wide{a.denominator_} * b.denominator_, describe(a, "-", b));
    return {rest.numerator, rest.denominator};
}

Number operator*(Number a, Number b) {
    const Fraction product = reduced(Wide{a.numerator_} * b.numerator_, Wide{a.denominator_} * b.denominator_,
                                     describe(a, "*", b));
    return {product.numerator, product.denominator};
}

Number operator/(Number a, Number b) {
    const Fraction quotient = reduced(Wide{a.numerator_} * b.denominator_,
                                      Wide{a.denominator_} * b.numerator_, describe(a, "/", b));
    return {quotient.numerator, quotient.denominator};
}

Number operator-(Number a) {
    return Number(0) - a;
}

Number floor_divide(Number a, Number b) {
    const auto operation = describe(a, "//", b);
    if (b.numerator_ == 0) throw ValueError(fmt::format("division by zero in {}", operation()));
    const Wide quotient =
        floor_quotient(Wide{a.numerator_} * b.denominator_, Wide{a.denominator_} * b.numerator_);
    return Number(reduced(quotient, 1, operation).numerator);
}

Number modulo(Number a, Number b) {
    const auto operation = describe(a, "%", b);
    if (b.numerator_ == 0) throw ValueError(fmt::format("division by zero in {}", operation()));
    // Over the common denominator, this is an integer remainder.
    const Wide dividend = Wide{a.numerator_} * b.denominator_;
    const Wide divisor = Wide{b.numerator_} * a.denominator_;
    Wide rest = dividend % divisor;
    if (rest != 0 && (rest < 0) != (divisor < 0)) rest += divisor;
    const Fraction result = reduced(rest, Wide{a.denominator_} * b.denominator_, operation);
    return {result.numerator, result.denominator};
}

Number power(Number base, Number exponent) {
    if (!exponent.is_whole())
        throw ValueError(fmt::format("the exponent {} is not a whole number", to_string(exponent)));
    const auto operation = describe(base, "**", exponent);
    const std::int64_t signed_exponent = exponent.numerator();
    auto left = static_cast<std::uint64_t>(signed_exponent);
    if (signed_exponent < 0) {
        if (base == Number(0)) throw ValueError(fmt::format("division by zero in {}", operation()));
        left = 0 - left;
    }
    // Square and multiply: at most 64 steps; anything but 0, 1 and -1 overflows long before that.
    Number result(1);
    Number square = signed_exponent < 0 ? Number(1) / base : base;
    try {
        while (left != 0) {
            if (left & 1u) result = result * square;
            left >>= 1u;
            if (left != 0) square = square * square;
        }
    } catch (const ValueError&) {
        throw ValueError(fmt::format("{} does not fit into 64 bits", operation()));
    }
    return result;
}

std::strong_ordering operator<=>(Number a, Number b) {
    const Wide left = Wide{a.numerator_} * b.denominator_;
    const Wide right = Wide{b.numerator_} * a.denominator_;
    return left < right   ? std::strong_ordering::less
           : left > right ? std::strong_ordering::greater
                          : std::strong_ordering::equal;
}

Number ceil_divide(Number a, Number b) {
    return -floor_divide(-a, b);
}

Number log2_exactly(Number x) {
    const auto n = static_cast<std::uint64_t>(x.numerator());
    const auto d = static_cast<std::uint64_t>(x.denominator());
    // x is in lowest terms, so if x is a power of two, one of the two is 1.
    if (x > Number(0) && std::has_single_bit(n) && std::has_single_bit(d))
        return Number(std::countr_zero(n) - std::countr_zero(d));
    throw ValueError(fmt::format("log2({}) is not a whole number; give log2 a power of two", to_string(x)));
}

Number Number::parse(std::string_view digits) {
    const auto too_large = [&] { return ValueError(fmt::format("{} does not fit into 64 bits", digits)); };
    constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();

    if (digits.starts_with("0x") || digits.starts_with("0X")) {
        Wide value = 0;
        for (const char c : digits.substr(2)) {
            value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
            if (value > kMost) throw too_large();
        }
        return Number(static_cast<std::int64_t>(value));
    }

    // Read all digits as one whole number, which is then scaled by a power of ten.
    const std::size_t exponent_at = std::min(digits.find_first_of("eE"), digits.size());
    std::string mantissa(digits.substr(0, exponent_at));
    const std::size_t point = mantissa.find('.');
    std::int64_t scale = 0;
    if (point != std::string::npos) {
        mantissa.erase(point, 1);
        for (scale = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(mantissa.size());
             scale < 0 && mantissa.ends_with('0'); ++scale)
            mantissa.pop_back();
    }
    Wide value = 0;
    for (const char c : mantissa) {
        value = value * 10 + (c - '0');
        if (value > kMost) throw too_large();
    }
    const bool plain = point == std::string::npos && exponent_at == digits.size();
    if (plain && digits.size() > 1 && digits.front() == '0')
        throw ValueError(fmt::format("{} starts with 0; leave the 0 out", digits));
    if (value == 0) return Number(0);

    if (exponent_at < digits.size()) {
        constexpr std::int64_t kBeyondAnything = 100000;
        std::int64_t exponent = 0;
        for (const char c : digits.substr(exponent_at + 1))
            if (c >= '0' && c <= '9') exponent = std::min(exponent * 10 + (c - '0'), kBeyondAnything);
        scale += digits[exponent_at + 1] == '-' ? -exponent : exponent;
    }
    try {
        return Number(static_cast<std::int64_t>(value)) * power(Number(10), Number(scale));
    } catch (const ValueError&) {
        throw too_large();
    }
}

std::string to_string(Number number) {
    if (number.is_whole()) return fmt::format("{}", number.numerator());
    return fmt::format("{}/{}", number.numerator(), number.denominator());
}

}  // namespace kwb
