// SPDX-License-Identifier: Apache-2.0
#include "catalog/expression.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "catalog/value.hpp"

namespace kwb {
namespace {

using Kind = SyntaxNode::Kind;

std::string quoted(const std::string& op) {
    return "`" + op + "`";
}

/// as_number(), without the cost of naming the operator for a message that is not needed.
Number operand(const Value& value, const std::string& op) {
    const Number* number = value.number();
    return number != nullptr ? *number : as_number(value, quoted(op));
}

/// Add the column to any ValueError that `compute` throws.
template <typename Compute>
auto placed(std::uint32_t column, const Compute& compute) {
    try {
        return compute();
    } catch (const ValueError& error) {
        throw ExpressionError(column, error.what());
    }
}

/// "unknown name `M`. Known names: K and N.", or, if there is a similar name: "… Did you mean TILE?"
/// @param known  the names in scope
std::string describe_unknown_name(std::string_view name, std::vector<std::string> known) {
    known.insert(known.end(), {"True", "False"});
    const std::string finding = fmt::format("unknown name `{}`.", name);
    if (const std::string near = did_you_mean(name, known); !near.empty()) return finding + near;
    constexpr std::size_t kMostListed = 16;
    std::vector<std::string> listed;
    bool of_device = false;
    for (const std::string& one : known) {
        of_device = of_device || one.starts_with("device.");
        const bool is_plain = one != "True" && one != "False" && !one.starts_with("device.");
        if (is_plain && listed.size() < kMostListed) listed.push_back(one);
    }
    if (of_device) listed.push_back("the device's properties (device.compute_units …)");
    return listed.empty() ? finding + " Write a number."
                          : fmt::format("{} Known {}: {}.", finding, listed.size() == 1 ? "name" : "names",
                                        enumerate(listed));
}

/// Evaluates a tree. The recursion depth is limited by kMostExpressionDepth.
class Evaluator {
public:
    explicit Evaluator(const Scope& scope) : scope_(scope) {}

    Value evaluate(const SyntaxNode& node) const {
        switch (node.kind) {
            case Kind::Literal:
                return node.value;
            case Kind::Name:
                return look_up(node);
            case Kind::List:
                return evaluate_all(node.children);
            case Kind::Call: {
                const std::vector<Value> arguments = evaluate_all(node.children);
                return placed(node.column, [&] { return call_function(node.text, arguments); });
            }
            case Kind::Unary:
                return unary(node);
            case Kind::Comparison:
                return comparison(node);
            case Kind::Chain:
                return chain(node);
        }
        throw ContractError("a kind of node that does not exist");
    }

private:
    std::vector<Value> evaluate_all(const std::vector<SyntaxNode>& nodes) const {
        std::vector<Value> values;
        values.reserve(nodes.size());
        for (const SyntaxNode& node : nodes) values.push_back(evaluate(node));
        return values;
    }

    Value look_up(const SyntaxNode& node) const {
        if (const Value* value = scope_.find(node.text)) return *value;
        throw ExpressionError(node.column, describe_unknown_name(node.text, scope_.names()));
    }

    Value unary(const SyntaxNode& node) const {
        const SyntaxNode::Sign& sign = node.operators.front();
        const Value operand = evaluate(node.children.front());
        if (sign.op == "not") return !operand.is_true();
        return placed(sign.column, [&] {
            const Number number = as_number(operand, quoted(sign.op));
            return Value(sign.op == "-" ? -number : number);
        });
    }

    Value chain(const SyntaxNode& node) const {
        Value left = evaluate(node.children.front());
        for (std::size_t i = 0; i < node.operators.size(); ++i) {
            const auto& [op, column] = node.operators[i];
            // As in Python, `and` and `or` return one of their operands, not True or False.
            if (op == "and" || op == "or") {
                if (left.is_true() == (op == "or")) return left;
                left = evaluate(node.children[i + 1]);
                continue;
            }
            const Value right = evaluate(node.children[i + 1]);
            left = placed(column, [&, &sign = op] { return Value(compute(sign, left, right)); });
        }
        return left;
    }

    static Number compute(const std::string& op, const Value& left, const Value& right) {
        const Number a = operand(left, op);
        const Number b = operand(right, op);
        if (op == "+") return a + b;
        if (op == "-") return a - b;
        if (op == "*") return a * b;
        if (op == "/") return a / b;
        if (op == "//") return floor_divide(a, b);
        if (op == "%") return modulo(a, b);
        return power(a, b);
    }

    Value comparison(const SyntaxNode& node) const {
        Value left = evaluate(node.children.front());
        for (std::size_t i = 0; i < node.operators.size(); ++i) {
            const auto& [op, column] = node.operators[i];
            Value right = evaluate(node.children[i + 1]);
            if (!placed(column, [&, &sign = op] { return holds(sign, left, right); })) return false;
            left = std::move(right);
        }
        return true;
    }

    static bool holds(const std::string& op, const Value& left, const Value& right) {
        if (op == "==") return left == right;
        if (op == "!=") return !(left == right);
        if (op == "in") return contains(op, right, left);
        if (op == "not in") return !contains(op, right, left);
        const Number *a = left.number(), *b = right.number();
        const std::strong_ordering order =
            a != nullptr && b != nullptr ? *a <=> *b : compare(left, right, quoted(op));
        if (op == "<") return order < 0;
        if (op == "<=") return order <= 0;
        if (op == ">") return order > 0;
        return order >= 0;
    }

    static bool contains(const std::string& op, const Value& container, const Value& item) {
        const Value::List* list = container.list();
        if (!list)
            throw ValueError(fmt::format("{} needs a list on its right, got {}, {}", quoted(op),
                                         container.kind(), to_string(container)));
        return std::find(list->begin(), list->end(), item) != list->end();
    }

    const Scope& scope_;
};

void collect_names(const SyntaxNode& node, std::vector<std::string>& names) {
    if (node.kind == Kind::Name && std::find(names.begin(), names.end(), node.text) == names.end())
        names.push_back(node.text);
    for (const SyntaxNode& child : node.children) collect_names(child, names);
}

void require_known(const SyntaxNode& node, const std::vector<std::string>& known) {
    if (node.kind == Kind::Name && std::find(known.begin(), known.end(), node.text) == known.end())
        throw ExpressionError(node.column, describe_unknown_name(node.text, known));
    for (const SyntaxNode& child : node.children) require_known(child, known);
}

}  // namespace

const Value* Scope::find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
}

std::vector<std::string> Scope::names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : values_) names.push_back(name);
    return names;
}

Expression Expression::parse(std::string_view text) {
    return {std::string(text), std::make_shared<const SyntaxNode>(parse_syntax(text))};
}

Value Expression::evaluate(const Scope& scope) const {
    return Evaluator(scope).evaluate(*root_);
}

Number Expression::evaluate_number(const Scope& scope) const {
    const Value value = evaluate(scope);
    if (const Number* number = value.number()) return *number;
    throw ExpressionError(
        root_->column, fmt::format("expected a number, but this is {}, {}", value.kind(), to_string(value)));
}

std::int64_t Expression::evaluate_whole(const Scope& scope) const {
    const Number number = evaluate_number(scope);
    if (number.is_whole()) return number.numerator();
    throw ExpressionError(
        root_->column,
        fmt::format("expected a whole number, but this is {} (`//` and ceil_div round)", to_string(number)));
}

std::uint64_t Expression::evaluate_count(const Scope& scope) const {
    const std::int64_t whole = evaluate_whole(scope);
    if (whole >= 0) return static_cast<std::uint64_t>(whole);
    throw ExpressionError(root_->column, fmt::format("a count cannot be negative, but this is {}", whole));
}

bool Expression::evaluate_truth(const Scope& scope) const {
    const Value value = evaluate(scope);
    if (const bool* truth = value.truth()) return *truth;
    throw ExpressionError(
        root_->column, fmt::format("expected True or False, but this is {}, {} (compare it with something)",
                                   value.kind(), to_string(value)));
}

std::vector<std::string> Expression::names() const {
    std::vector<std::string> names;
    collect_names(*root_, names);
    return names;
}

void Expression::require_names(const std::vector<std::string>& known) const {
    require_known(*root_, known);
}

}  // namespace kwb
