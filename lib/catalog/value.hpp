// SPDX-License-Identifier: Apache-2.0
// The values of expressions, and the functions that expressions can call.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kwb {

/// An operation that has no result: overflow, division by zero, operands of the wrong kind. The message names
/// the operands; the expression evaluator adds the column.
class ValueError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A fraction in lowest terms; a whole number has denominator 1. Every operation is exact or throws
/// ValueError: if the numerator or denominator of the result exceeds 64 bits, or on division by zero.
/// boost::rational would save about 25 lines, but Debian 12's version (1.74) recurses infinitely in C++20
/// when compared with an int.
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
    template <class Wide, class Describe>
    static Number reduced(Wide numerator, Wide denominator, const Describe& operation);
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

/// Numbers that fractions cannot express: C's "0x1.8p3" and "-0x0p+0", "nan", "inf" and "-inf".
/// @return  nullopt: another text
std::optional<double> parse_exact_float(std::string_view text);

/// The trimmed items of "[a, b]"; of another text, only itself.
std::vector<std::string> list_items(std::string_view text);

/// A number, boolean, string or list. Booleans count as 0 and 1 in arithmetic, as in Python.
class Value {
public:
    using List = std::vector<Value>;

    Value(Number number) : data_(number) {}                // NOLINT: implicit conversion is intended
    Value(std::int64_t whole) : data_(Number(whole)) {}    // NOLINT
    Value(int whole) : data_(Number(whole)) {}             // NOLINT
    Value(bool truth) : data_(truth) {}                    // NOLINT
    Value(std::string text) : data_(std::move(text)) {}    // NOLINT
    Value(const char* text) : data_(std::string(text)) {}  // NOLINT
    Value(List list) : data_(std::move(list)) {}           // NOLINT

    const Number* number() const { return std::get_if<Number>(&data_); }
    const bool* truth() const { return std::get_if<bool>(&data_); }
    const std::string* text() const { return std::get_if<std::string>(&data_); }
    const List* list() const { return std::get_if<List>(&data_); }

    /// Truth as in Python: false for 0, False, "" and [].
    bool is_true() const;

    /// "a number", "a list", …
    const char* kind() const;

private:
    std::variant<Number, bool, std::string, List> data_;
};

/// As Python prints it: 12, 3/4, True, "text", [1, 2]; long lists and strings are truncated.
std::string to_string(const Value& value);

/// As a macro is passed to the compiler: 12, 0.75, 1 for True, a string without quotes; empty for a list.
std::optional<std::string> macro_text_of(const Value& value);

/// Equality as in Python: values of different kinds are unequal, except that True equals 1.
bool operator==(const Value& a, const Value& b);

/// @param operation  the operator or function, for messages, e.g. "`+`"
/// @throws ValueError unless `value` is a number or a boolean
Number as_number(const Value& value, const std::string& operation);

/// Numbers are ordered by value, strings by their bytes.
/// @throws ValueError for anything else
std::strong_ordering compare(const Value& a, const Value& b, const std::string& operation);

/// @param arguments  the number of arguments
/// @return a sentence that describes the fault of this call; empty if it is valid
std::string find_call_fault(std::string_view name, std::size_t arguments);

/// @param name  together with the number of arguments, must pass find_call_fault()
/// @throws ValueError
Value call_function(std::string_view name, const std::vector<Value>& arguments);

}  // namespace kwb
