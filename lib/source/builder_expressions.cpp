// SPDX-License-Identifier: Apache-2.0
// The part of Builder for expressions.
#include <algorithm>
#include <array>
#include <charconv>

#include "source/builder.hpp"

namespace kwb::source {
namespace {

constexpr std::array<std::string_view, 8> kTransparent{
    "ParenExpr",        "ConstantExpr",      "CompoundLiteralExpr", "AsTypeExpr",
    "ImplicitCastExpr", "ConvertVectorExpr", "OpaqueValueExpr",     "MaterializeTemporaryExpr"};

const Node& without_casts(const Node& node) {
    const Node* inner = &node;
    while ((inner->kind.ends_with("CastExpr") || inner->kind == "ParenExpr") && !inner->inner.empty())
        inner = &inner->inner.back();
    return *inner;
}

/// The value of an integer literal; -1 for any other expression.
std::int64_t number_in(const Node& argument) {
    const Node& number = without_casts(argument);
    std::int64_t value = -1;
    if (number.kind == "IntegerLiteral")
        std::from_chars(number.value.data(), number.value.data() + number.value.size(), value);
    return value;
}

}  // namespace

ExprId Builder::add(Expr expr) {
    program_.exprs.push_back(std::move(expr));
    return static_cast<ExprId>(program_.exprs.size() - 1);
}

ExprId Builder::optional_expression(const Node& node) {
    return node.kind.empty() ? kNone : expression(node);
}

ExprId Builder::expression(const Node& node) {
    const ExprId id = expression_by_kind(node);
    if (const std::string_view macro = files_.macro_of(node); id != kNone && !macro.empty())
        program_.exprs[static_cast<std::size_t>(id)].macro = macro;
    return id;
}

ExprId Builder::expression_by_kind(const Node& node) {
    const std::string_view kind = node.kind;
    if (std::ranges::find(kTransparent, kind) != kTransparent.end()) return expression(child(node, 0));
    if (kind == "CStyleCastExpr") return expression(child(node, node.inner.size() - 1));
    if (kind == "DeclRefExpr") return name(node);
    if (kind == "IntegerLiteral")
        return add({.kind = ExprKind::Number, .op = node.value, .place = place(node.begin)});
    if (kind == "FloatingLiteral") {
        const std::string_view value = strings_.keep(std::string(node.value) + "f");
        return add({.kind = ExprKind::Number, .op = value, .place = place(node.begin)});
    }
    if (kind == "BinaryOperator")
        return node.opcode == ","
                   ? list(node, ",")
                   : operation(node, node.opcode == "=" ? ExprKind::Assign : ExprKind::Binary, node.opcode);
    if (kind == "CompoundAssignOperator") return operation(node, ExprKind::Assign, node.opcode);
    if (kind == "ArraySubscriptExpr") return operation(node, ExprKind::Index, "");
    if (kind == "UnaryOperator") {
        if (node.opcode == "__extension__") return expression(child(node, 0));
        return add({.kind = node.postfix ? ExprKind::Postfix : ExprKind::Unary,
                    .op = node.opcode,
                    .place = place(node.begin),
                    .a = expression(child(node, 0))});
    }
    if (kind == "ConditionalOperator")
        return add({.kind = ExprKind::Choice,
                    .place = place(node.begin),
                    .a = expression(child(node, 0)),
                    .b = expression(child(node, 1)),
                    .c = expression(child(node, 2))});
    if (kind == "CallExpr") return call(node);
    if (kind == "MemberExpr" || kind == "ExtVectorElementExpr") {
        const std::string_view member =
            kind == "MemberExpr" ? node.name
                                 : strings_.keep(files_.text_between(node.end.spelling, node.end.spelling));
        return add({.kind = ExprKind::Member,
                    .op = member,
                    .place = place(node.begin),
                    .a = expression(child(node, 0))});
    }
    if (kind == "InitListExpr" || kind == "ShuffleVectorExpr") return list(node, "{");
    if (kind == "StringLiteral" || kind == "CharacterLiteral" || kind == "UnaryExprOrTypeTraitExpr" ||
        kind == "ImplicitValueInitExpr" || kind == "PredefinedExpr" || kind == "OffsetOfExpr")
        return add({.op = node.name.empty() ? node.value : node.name, .place = place(node.begin)});
    throw Unreadable{};  // blocks, statement expressions, errors
}

ExprId Builder::name(const Node& node) {
    const auto known = symbols_.find(node.target);
    return add({.kind = ExprKind::Name,
                .op = node.target_name,
                .place = place(node.begin),
                .symbol = known == symbols_.end() ? kNone : known->second});
}

ExprId Builder::operation(const Node& node, ExprKind kind, std::string_view op) {
    return add({.kind = kind,
                .op = op,
                .place = place(node.begin),
                .a = expression(child(node, 0)),
                .b = expression(child(node, 1))});
}

/// `a, b, c` becomes one list, however the operators are nested.
ExprId Builder::list(const Node& node, std::string_view op) {
    Expr made{.kind = ExprKind::List, .op = op, .place = place(node.begin)};
    for (const Node& part : node.inner) {
        const ExprId item = expression(part);
        const Expr& read = program_.expr(item);
        if (op == "," && read.kind == ExprKind::List && read.op == ",")
            made.items.insert(made.items.end(), read.items.begin(), read.items.end());
        else
            made.items.push_back(item);
    }
    return add(std::move(made));
}

ExprId Builder::call(const Node& node) {
    Expr made{.kind = ExprKind::Call};
    made.a = expression(child(node, 0));
    const Expr& callee = program_.expr(made.a);
    if (callee.kind != ExprKind::Name) throw Unreadable{};
    made.op = callee.op;
    made.place = callee.place;
    if (function_ != nullptr)
        function_->calls.push_back(
            {made.op, made.place, node.inner.size() > 1 ? number_in(node.inner[1]) : -1});
    for (std::size_t i = 1; i < node.inner.size(); ++i) made.items.push_back(expression(node.inner[i]));
    return add(std::move(made));
}

/// Records the calls and variables of a body that is not converted.
void Builder::note_unfollowed(const Node& node) {
    if (node.kind == "VarDecl") function_->variables.push_back(declare(node));
    if (node.kind == "CallExpr" && !node.inner.empty()) {
        const Node& callee = without_casts(node.inner.front());
        const Location& at = callee.begin.spelling;
        const std::string_view name =
            callee.kind == "DeclRefExpr" ? callee.target_name : strings_.keep(files_.text_between(at, at));
        function_->calls.push_back(
            {name, place(callee.begin), node.inner.size() > 1 ? number_in(node.inner[1]) : -1});
    }
    for (const Node& part : node.inner) note_unfollowed(part);
}

}  // namespace kwb::source
