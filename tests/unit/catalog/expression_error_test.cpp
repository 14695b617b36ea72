#include <doctest/doctest.h>

#include <random>
#include <string>

#include "catalog/expression.hpp"

namespace kwb {
namespace {

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
         "nothing here is named `Q`. There are N, TILE and what the device tells (device.compute_units …)."},
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
    CHECK_THROWS_WITH_AS(Expression::parse("1" + repeated("+1", 2100)), doctest::Contains("4096 is the most"),
                         ExpressionError);
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

}  // namespace
}  // namespace kwb
