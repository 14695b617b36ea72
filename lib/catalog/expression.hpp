// SPDX-License-Identifier: Apache-2.0
// Expressions in kernel files: a subset of Python's arithmetic and boolean expressions, with exact,
// overflow-checked numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/syntax.hpp"
#include "catalog/value.hpp"

namespace kwb {

/// The names that an expression may use, e.g. TILE, M, device.max_work_group_size.
class Scope {
public:
    void set(std::string name, Value value) { values_.insert_or_assign(std::move(name), std::move(value)); }

    /// @return  nullptr for an unknown name
    const Value* find(std::string_view name) const;

    std::vector<std::string> names() const;

private:
    std::map<std::string, Value, std::less<>> values_;
};

/// A parsed expression: `+ - * / // % **`, comparisons (chained, `in`, `not in`), `and or not`, parentheses,
/// lists (also written as tuples), strings, whole and decimal numbers, True, False, names with dots, and the
/// functions of value.hpp. The semantics are Python's, except that `/` and decimals produce exact fractions,
/// and evaluation fails if a numerator or denominator exceeds 64 bits. Cheap to copy.
class Expression {
public:
    /// @throws ExpressionError with the column; also if the text is longer or nested more deeply than
    ///          syntax.hpp allows
    static Expression parse(std::string_view text);

    /// @throws ExpressionError with the column: unknown name (suggests the most similar ones), overflow,
    ///          division by zero, operands of the wrong kind
    /// Operands skipped by `and`, `or` or a chained comparison are not evaluated.
    Value evaluate(const Scope& scope) const;

    /// @throws ExpressionError like evaluate(), and if the value is not a whole number
    std::int64_t evaluate_whole(const Scope& scope) const;

    /// @throws ExpressionError like evaluate(), and if the value is not a whole number of at least 0
    std::uint64_t evaluate_count(const Scope& scope) const;

    /// @throws ExpressionError like evaluate(), and if the value is not a number
    Number evaluate_number(const Scope& scope) const;

    /// @throws ExpressionError like evaluate(), and if the value is neither True nor False
    bool evaluate_truth(const Scope& scope) const;

    /// The distinct names in the expression, in order of first occurrence.
    std::vector<std::string> names() const;

    /// @throws ExpressionError for the first name that is not in `known`, even in an operand that evaluation
    ///          would skip
    void require_names(const std::vector<std::string>& known) const;

    const std::string& text() const { return text_; }

private:
    Expression(std::string text, std::shared_ptr<const SyntaxNode> root)
        : text_(std::move(text)), root_(std::move(root)) {}

    std::string text_;
    std::shared_ptr<const SyntaxNode> root_;
};

}  // namespace kwb
