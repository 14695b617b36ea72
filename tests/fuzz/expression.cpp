// SPDX-License-Identifier: Apache-2.0
// Expressions: any text is either parsed and evaluated, or rejected with a column inside it.
#include "catalog/expression.hpp"

#include <limits>

#include "properties.hpp"

namespace kwb::fuzz {
namespace {

/// Names as in a kernel file, with values at the limits of 64 bits.
Scope make_scope() {
    Scope scope;
    scope.set("TILE", 16);
    scope.set("M", 1003);
    scope.set("N", std::numeric_limits<std::int64_t>::max());
    scope.set("K", std::numeric_limits<std::int64_t>::min());
    scope.set("T", true);
    scope.set("kind", "cpu");
    scope.set("device.max_work_item_sizes", Value::List{4096, 4096, 1});
    scope.set("third", Number(1) / Number(3));
    return scope;
}

void check_column(const ExpressionError& error, std::string_view text) {
    must(error.column() >= 1 && error.column() <= text.size() + 1, "the column lies within the expression");
    must(!error.message().empty(), "an error says what is wrong");
}

/// The specialised forms of evaluate() give the same value.
void check_forms(const Expression& expression, const Scope& scope, const Value& value) {
    const std::string shown = to_string(value);
    must(!shown.empty(), "a value can be shown");
    must(value == value, "a value equals itself");
    must(to_string(expression.evaluate(scope)) == shown, "evaluating twice gives the same");
    const Number* number = value.number();
    try {
        const std::int64_t whole = expression.evaluate_whole(scope);
        must(number != nullptr && number->is_whole() && number->numerator() == whole,
             "evaluate_whole() takes whole numbers only");
    } catch (const ExpressionError&) {
        must(number == nullptr || !number->is_whole(), "evaluate_whole() takes every whole number");
    }
    try {
        const bool truth = expression.evaluate_truth(scope);
        must(value.truth() != nullptr && *value.truth() == truth, "evaluate_truth() takes truth values only");
    } catch (const ExpressionError&) {
        must(value.truth() == nullptr, "evaluate_truth() takes every truth value");
    }
}

void try_text(std::string_view text) {
    static const Scope scope = make_scope();
    try {
        const Expression expression = Expression::parse(text);
        must(text.size() <= kMostExpressionBytes, "what is too long is refused");
        must(expression.text() == text, "an expression keeps its text");
        for (const std::string& name : expression.names())
            must(text.find(name) != std::string_view::npos, "a name comes from the text");
        const Value value = expression.evaluate(scope);
        check_forms(expression, scope, value);
        // Parentheses do not change the value, unless the expression gets too long or too deep.
        if (text.size() < kMostExpressionBytes / 2) {
            try {
                const Expression wrapped = Expression::parse("(" + std::string(text) + ")");
                must(wrapped.evaluate(scope) == value, "parentheses around an expression keep its value");
            } catch (const ExpressionError& error) {
                must(error.message().find("deep") != std::string::npos, "parentheses may only be too deep");
            }
        }
    } catch (const ExpressionError& error) {
        check_column(error, text);
    }
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kwb::fuzz::try_text(kwb::fuzz::as_text(data, size));
    return 0;
}
