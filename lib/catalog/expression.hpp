// Expressions in kernel files: Python's arithmetic and boolean subset, exact and checked.
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

/// "nothing here is named `M`. There are K and N.", or with a name that is near: "… Did you mean TILE?"
/// @param known  the names of the scope
std::string describe_unknown_name(std::string_view name, std::vector<std::string> known);

/// A parsed expression: `+ - * / // % **`, comparisons (chained, `in`, `not in`), `and or not`,
/// parentheses, lists, texts, whole and decimal numbers, True, False, names with dots, and the functions
/// of value.hpp. Meaning as in Python, but `/` and decimals are exact fractions, and numerators and
/// denominators stay within 64 bits or the evaluation fails. Cheap to copy.
class Expression {
public:
    /// @throws ExpressionError with the column; also if longer or more deeply nested than syntax.hpp allows
    static Expression parse(std::string_view text);

    /// @throws ExpressionError with the column: unknown name (and the nearest known ones), overflow,
    ///         division by zero, operands of the wrong kind
    /// What `and`, `or` and a comparison's chain skip is not evaluated.
    Value evaluate(const Scope& scope) const;

    /// @throws ExpressionError as evaluate(), and for anything but a whole number
    std::int64_t evaluate_whole(const Scope& scope) const;

    /// @throws ExpressionError as evaluate(), and for anything but a whole number of at least 0
    std::uint64_t evaluate_count(const Scope& scope) const;

    /// @throws ExpressionError as evaluate(), and for anything but a number
    Number evaluate_number(const Scope& scope) const;

    /// @throws ExpressionError as evaluate(), and for anything but True and False
    bool evaluate_truth(const Scope& scope) const;

    /// Each name that the text uses, once, in the order of the text.
    std::vector<std::string> names() const;

    /// @throws ExpressionError for the first name that is none of `known`, also where it would be skipped
    void require_names(const std::vector<std::string>& known) const;

    const std::string& text() const { return text_; }

private:
    Expression(std::string text, std::shared_ptr<const SyntaxNode> root)
        : text_(std::move(text)), root_(std::move(root)) {}

    std::string text_;
    std::shared_ptr<const SyntaxNode> root_;
};

}  // namespace kwb
