#include <doctest/doctest.h>

#include <algorithm>

#include "catalog/expression.hpp"

namespace kwb {
namespace {

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

}  // namespace
}  // namespace kwb
