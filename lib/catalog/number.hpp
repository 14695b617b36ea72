// Exact numbers for expressions: fractions of overflow-checked 64-bit integers. boost::rational would save
// about 25 lines, but Debian 12's version (1.74) recurses infinitely in C++20 when compared with an int.
#pragma once

#include <compare>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kwb {

/// An operation that has no result: overflow, division by zero, operands of the wrong kind. The message names
/// the operands; the expression evaluator adds the column.
class ValueError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A fraction in lowest terms; a whole number has denominator 1. Every operation is exact or throws
/// ValueError: if the numerator or denominator of the result exceeds 64 bits, or on division by zero.
class Number {
public:
    Number(std::int64_t whole = 0) : numerator_(whole) {}  // NOLINT: a whole number is a number

    /// Parse "12", "0x1F", "1.5", ".5" or "2e-3"; no sign.
    /// @throws ValueError if malformed or too large
    static Number parse(std::string_view digits);

    std::int64_t numerator() const { return numerator_; }
    std::int64_t denominator() const { return denominator_; }  ///< at least 1
    bool is_whole() const { return denominator_ == 1; }
    double to_double() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }

    friend Number operator+(Number a, Number b);
    friend Number operator-(Number a, Number b);
    friend Number operator*(Number a, Number b);
    friend Number operator/(Number a, Number b);
    friend Number operator-(Number a);

    /// The largest whole number not greater than a / b, like Python's `//`.
    friend Number floor_divide(Number a, Number b);

    /// a - b * (a // b): has the sign of b, like Python's `%`.
    friend Number modulo(Number a, Number b);

    /// @param exponent  a whole number, possibly negative; 0 ** 0 is 1, as in Python
    friend Number power(Number base, Number exponent);

    friend std::strong_ordering operator<=>(Number a, Number b);
    friend bool operator==(Number, Number) = default;

private:
    Number(std::int64_t numerator, std::int64_t denominator)
        : numerator_(numerator), denominator_(denominator) {}

    std::int64_t numerator_ = 0;
    std::int64_t denominator_ = 1;
};

/// The smallest whole number not less than a / b.
Number ceil_divide(Number a, Number b);

/// The exponent e with 2 ** e == x. @throws ValueError unless x is a power of two (1/4 is one)
Number log2_exactly(Number x);

/// "12" or "3/4"
std::string to_string(Number number);

}  // namespace kwb
