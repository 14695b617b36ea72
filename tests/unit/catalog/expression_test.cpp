#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>

#include "catalog/expression.hpp"
#include "catalog/value.hpp"

namespace kwb {
namespace {

// --- expression ---

struct Case {
    const char* text;
    const char* result;
};

/// What Python says; written by make_expression_golden.py.
constexpr Case kGolden[] = {
#include "expression_golden.inc"
};

Scope example_scope() {
    Scope scope;
    scope.set("N", 512);
    scope.set("M", 1000);
    scope.set("TILE", 16);
    scope.set("device.cores", 7);
    scope.set("odd", -3);
    scope.set("type", "float");
    return scope;
}

std::string result_of(std::string_view text) {
    return to_string(Expression::parse(text).evaluate(example_scope()));
}

TEST_CASE("four hundred random expressions have the value that Python gives them") {
    CHECK(std::size(kGolden) == 400);
    for (const Case& golden : kGolden) {
        CAPTURE(std::string(golden.text));
        CHECK(result_of(golden.text) == golden.result);
    }
}

TEST_CASE("operators bind as in Python") {
    const Case cases[] = {
        {"2 + 3 * 4", "14"},
        {"(2 + 3) * 4", "20"},
        {"10 - 4 - 3", "3"},
        {"100 / 10 / 4", "5/2"},
        {"2 ** 3 ** 2", "512"},
        {"-2 ** 2", "-4"},
        {"(-2) ** 2", "4"},
        {"2 ** -1", "1/2"},
        {"2 ** -2 ** 2", "1/16"},
        {"- - + -3", "-3"},
        {"1 - -1", "2"},
        {"-7 // 2", "-4"},
        {"-7 % 3", "2"},
        {"7 % -3", "-2"},
        {"7.5 // 2", "3"},
        {"7.5 % 2", "3/2"},
        {"1 / 3 + 1 / 6", "1/2"},
        {"not 1 == 2", "True"},
        {"not not 0", "False"},
        {"1 or 0 and 0", "1"},
        {"(1 or 0) and 0", "0"},
        {"0 or 5", "5"},
        {"2 and \"\"", "\"\""},
        {"1 < 2 < 3", "True"},
        {"1 < 3 < 2", "False"},
        {"3 > 2 == 2", "True"},
        {"(3 > 2) == 2", "False"},
        {"1 < 2 in [2, 3]", "True"},
        {"8 in [8, 16,]", "True"},
        {"8 not in []", "True"},
        {"[1, [2]] == [1, [2.0]]", "True"},
        {"'a' < \"b\"", "True"},
        {"'float' == type", "True"},
        {"1 == 'one'", "False"},
        {"type in ['half', \"float\"]", "True"},
        {"True + True", "2"},
        {"'it\\'s'", "\"it's\""},
        {"round_up(513, TILE)", "528"},
        {"round_up(512, TILE)", "512"},
        {"round_up(7, 2.5)", "15/2"},
        {"ceil_div(M, 256)", "4"},
        {"ceil_div(-7, 2)", "-3"},
        {"min([3, 1, 2])", "1"},
        {"max(1, 2.5, 2)", "5/2"},
        {"log2(N) * log2(0.25)", "-18"},
        {"abs(odd) * device.cores", "21"},
        {"0xFF // 16", "15"},
        {"  ( N )\t", "512"},
        {"N\n+ 1", "513"},
    };
    for (const Case& one : cases) {
        CAPTURE(std::string(one.text));
        CHECK(result_of(one.text) == one.result);
    }
}

TEST_CASE("names that begin like a word of the language are names") {
    Scope scope;
    for (const char* name : {"order", "android", "notes", "inner", "Truely", "min"}) scope.set(name, 1);
    CHECK(Expression::parse("order + android + notes + inner + Truely + min").evaluate_whole(scope) == 6);
    CHECK(Expression::parse("not notes in [inner]").evaluate(scope) == Value(false));
}

TEST_CASE("what `and`, `or` and a chain of comparisons skip is not evaluated") {
    CHECK(result_of("False and 1 / 0") == "False");
    CHECK(result_of("1 or missing") == "1");
    CHECK(result_of("2 < 1 < 1 / 0") == "False");
    CHECK_THROWS_AS(result_of("True and 1 / 0"), ExpressionError);
    CHECK_THROWS_AS(result_of("1 < 2 < 1 / 0"), ExpressionError);
}

TEST_CASE("an expression knows its text and its names, each once and in order") {
    const Expression expression = Expression::parse("max(TILE, M) * TILE in [device.cores, 'M2', local.x]");
    CHECK(expression.names() == std::vector<std::string>{"TILE", "M", "device.cores", "local.x"});
    const Expression copy = expression;
    CHECK(copy.text() == expression.text());
    CHECK(Expression::parse("1 + 2").names().empty());
}

TEST_CASE("results can be asked for as counts, whole numbers, numbers and truth values") {
    const Scope scope = example_scope();
    CHECK(Expression::parse("N * 2").evaluate_count(scope) == 1024);
    CHECK(Expression::parse("odd").evaluate_whole(scope) == -3);
    CHECK(Expression::parse("1 / 4").evaluate_number(scope).to_double() == 0.25);
    CHECK(Expression::parse("N > M").evaluate_truth(scope) == false);
    CHECK_THROWS_AS(Expression::parse("odd").evaluate_count(scope), ExpressionError);
    CHECK_THROWS_AS(Expression::parse("N / 3").evaluate_count(scope), ExpressionError);
    CHECK_THROWS_AS(Expression::parse("True").evaluate_count(scope), ExpressionError);
    CHECK_THROWS_AS(Expression::parse("[1]").evaluate_number(scope), ExpressionError);
    CHECK_THROWS_AS(Expression::parse("N % TILE").evaluate_truth(scope), ExpressionError);
}

// --- expression error ---

struct Fault {
    const char* text;
    std::uint32_t column;
    const char* message;  ///< a part of it
};

std::string repeated(std::string_view piece, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += piece;
    return out;
}

Value evaluate(std::string_view text) {
    Scope scope;
    scope.set("TILE", 16);
    scope.set("N", 512);
    scope.set("device.max_work_group_size", 256);
    return Expression::parse(text).evaluate(scope);
}

void check_fault(const Fault& fault) {
    CAPTURE(std::string(fault.text));
    try {
        evaluate(fault.text);
        FAIL("no error");
    } catch (const ExpressionError& error) {
        CAPTURE(std::string(error.what()));
        CHECK(error.column() == fault.column);
        CHECK(error.message().find(fault.message) != std::string::npos);
    }
}

TEST_CASE("what cannot be read is refused with its column and what was expected there") {
    const Fault faults[] = {
        {"", 1, "expected a value, found the end"},
        {"   ", 4, "expected a value, found the end"},
        {"1 +", 4, "expected a value, found the end"},
        {"1 + * 2", 5, "expected a value, found `*`"},
        {"1 2", 3, "expected an operator or the end, found `2`"},
        {"(1 + 2", 7, "expected `)`, found the end"},
        {"1 + 2)", 6, "expected an operator or the end, found `)`"},
        {"[1, 2", 6, "expected `]`"},
        {"[1,, 2]", 4, "expected `]`, found `,`"},
        {"min(1 2)", 7, "expected `)`, found `2`"},
        {"'abc", 5, "closing `'`"},
        {"\"a\\q\"", 4, "expected one of"},
        {"2x", 2, "expected the end of the number, found `x`"},
        {"1.2.3", 4, "expected the end of the number"},
        {"0x", 3, "hexadecimal digits"},
        {"TILE = 16", 6, "write `==` to compare"},
        {"TILE && N", 6, "write `and`"},
        {"TILE || N", 6, "write `or`"},
        {"!TILE", 1, "write `not`"},
        {"TILE ? 1 : 2", 6, "no `? :`"},
        {"2 ^ 3", 3, "write `**`"},
        {"1 if N else 2", 3, "found `if`"},
        {"not", 4, "expected a value"},
        {"1 not 2", 3, "found `not`"},
        {"and", 1, "found `and`"},
        {"N.", 2, "found `.`"},
        {"N[0]", 2, "found `[`"},
        {"lambda: 0", 7, "found `:`"},
        {"'\xC3\xA9' + $", 7, "found `$`"},
        {"N \xE2\x89\xA4 4", 3, "found `\xE2\x89\xA4`"},
        {"007", 1, "starts with 0"},
        {"1 + 9223372036854775808", 5, "64 bits"},
        {"1 + foo(2)", 5, "no function `foo`"},
        {"1 + celi_div(2, 3)", 5, "Did you mean ceil_div?"},
        {"round_up(2)", 1, "round_up(x, multiple), got 1 argument"},
        {"abs()", 1, "got 0 arguments"},
        {"__import__('os')", 1, "no function"},
    };
    for (const Fault& fault : faults) check_fault(fault);
}

TEST_CASE("what has no value is refused with the column of the operator, function or name") {
    const Fault faults[] = {
        {"1 + TIEL * 2", 5, "nothing here is named `TIEL`. Did you mean TILE?"},
        {"1 + Q", 5,
         "nothing here is named `Q`. There are N, TILE and the device's properties (device.compute_units "
         "…)."},
        {"N <= device.max_work_group_sise", 6, "Did you mean device.max_work_group_size?"},
        {"true or 1", 1, "Did you mean True"},
        {"2 + 8 / (4 - 4)", 7, "division by zero in 8 / 0"},
        {"8 // 0", 3, "division by zero"},
        {"8 % 0", 3, "division by zero"},
        {"0 ** -1", 3, "division by zero"},
        {"ceil_div(1, 0)", 1, "division by zero"},
        {"9223372036854775807 + 1", 21, "9223372036854775807 + 1 does not fit into 64 bits"},
        {"1 + 2 ** 64", 7, "2 ** 64 does not fit"},
        {"1 + 10 ** 9 ** 9", 8, "64 bits"},
        {"2 ** 0.5", 3, "not a whole number"},
        {"1 + 'a'", 3, "`+` needs a number, got a text, \"a\""},
        {"-[1]", 1, "`-` needs a number, got a list"},
        {"1 < 'a'", 3, "cannot put a number and a text in order"},
        {"[1] < [2]", 5, "cannot put"},
        {"1 in 2", 3, "needs a list on its right"},
        {"'a' in 'abc'", 5, "needs a list"},
        {"log2(12)", 1, "log2(12) is not a whole number; give"},
        {"round_up(3, 0)", 1, "multiple above 0"},
        {"min([])", 1, "empty list"},
        {"max(3)", 1, "at least two"},
        {"min(1, 'a')", 1, "cannot put"},
    };
    for (const Fault& fault : faults) check_fault(fault);
}

TEST_CASE("nesting bombs are refused before they can exhaust the stack") {
    for (const auto& bomb :
         {repeated("(", 2000), repeated("[", 2000), repeated("-", 4000), repeated("not ", 1000),
          repeated("min(", 1000), repeated("2**", 1300), repeated("(-", 1500), repeated("[-(", 1000)}) {
        CAPTURE(bomb.substr(0, 12));
        CHECK_THROWS_WITH_AS(Expression::parse(bomb + "1"), doctest::Contains("levels deep"),
                             ExpressionError);
    }
}

TEST_CASE("sensible nesting and long chains are taken") {
    CHECK(evaluate(repeated("(", 60) + "1" + repeated(")", 60)) == Value(1));
    CHECK(evaluate(repeated("-", 60) + "1") == Value(1));
    CHECK(evaluate("1" + repeated("+1", 2000)) == Value(2001));
    CHECK(evaluate("1" + repeated(" or 1", 800)) == Value(1));
    CHECK(evaluate("[" + repeated("1,", 2000) + "] == []") == Value(false));
}

TEST_CASE("an expression longer than the limit is refused") {
    CHECK_THROWS_WITH_AS(Expression::parse("1" + repeated("+1", 2100)),
                         doctest::Contains("at most 4096 are allowed"), ExpressionError);
}

TEST_CASE("junk is either read or refused, never anything else") {
    const std::string pieces[] = {
        "(",    ")",        "[",  "]",   ",",  "+",    "**",   "//",   "<",
        "==",   "!",        "'",  "\"",  "\\", " ",    "not ", " in ", " and ",
        "0x",   "1",        ".5", "9e9", "N",  "TILE", "min(", "\n",   std::string(1, '\0'),
        "\xff", "\xE2\x82", "."};
    std::mt19937 random(7);
    std::uniform_int_distribution<std::size_t> piece(0, std::size(pieces) - 1);
    std::uniform_int_distribution<int> length(0, 30);
    int read = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (int n = length(random); n > 0; --n) text += pieces[piece(random)];
        try {
            evaluate(text);
            ++read;
        } catch (const ExpressionError& error) {
            CHECK(error.column() >= 1);
            CHECK(error.column() <= text.size() + 1);
        }
    }
    CHECK(read > 50);
}

// --- number ---

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
