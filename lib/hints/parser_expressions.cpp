// The parser's part for expressions.
#include <algorithm>
#include <array>

#include "hints/parser.hpp"
#include "hints/types.hpp"

namespace kwb::hints {
namespace {

int strength_of(std::string_view op) {
    static constexpr std::array<std::array<std::string_view, 4>, 10> kLevels{{{"||"},
                                                                              {"&&"},
                                                                              {"|"},
                                                                              {"^"},
                                                                              {"&"},
                                                                              {"==", "!="},
                                                                              {"<", ">", "<=", ">="},
                                                                              {"<<", ">>"},
                                                                              {"+", "-"},
                                                                              {"*", "/", "%"}}};
    for (std::size_t level = 0; level < kLevels.size(); ++level)
        for (std::string_view candidate : kLevels[level])
            if (!candidate.empty() && candidate == op) return static_cast<int>(level) + 1;
    return 0;
}

bool is_assignment(std::string_view op) {
    return op == "=" ||
           (op.size() >= 2 && op.back() == '=' && op != "==" && op != "!=" && op != "<=" && op != ">=");
}

constexpr int kMostExprLevels = 150;

}  // namespace

ExprId Parser::comma() {
    const std::int32_t start = at_;
    const ExprId first = assignment();
    if (!at(",")) return first;
    Expr list{.kind = ExprKind::List, .op = ",", .token = start};
    list.items.push_back(first);
    while (accept(",")) list.items.push_back(assignment());
    return add(std::move(list));
}

ExprId Parser::assignment() {
    if (level_ >= kMostExprLevels) throw Unreadable{};
    ++level_;
    ExprId left = choice();
    const Token* token = peek();
    if (token != nullptr && token->kind == TokenKind::Punctuator && is_assignment(token->text)) {
        const std::int32_t place = at_++;
        const ExprId right = assignment();
        mark_changed(left);
        left = add({.kind = ExprKind::Assign, .op = token->text, .a = left, .b = right, .token = place});
    }
    --level_;
    return left;
}

ExprId Parser::choice() {
    const ExprId condition = binary(1);
    if (!at("?")) return condition;
    const std::int32_t place = at_++;
    const ExprId yes = comma();
    expect(":");
    const ExprId no = assignment();
    return add({.kind = ExprKind::Choice, .a = condition, .b = yes, .c = no, .token = place});
}

ExprId Parser::binary(int lowest) {
    ExprId left = unary();
    while (const Token* token = peek()) {
        const int strength = token->kind == TokenKind::Punctuator ? strength_of(token->text) : 0;
        if (strength == 0 || strength < lowest) break;
        const std::int32_t place = at_++;
        const ExprId right = binary(strength + 1);
        left = add({.kind = ExprKind::Binary, .op = token->text, .a = left, .b = right, .token = place});
    }
    return left;
}

bool Parser::cast_begins() const {
    if (!at("(")) return false;
    const Token* first = peek(1);
    if (first == nullptr || !first->is_name()) return false;
    if (first->is("struct") || first->is("union") || is_qualifier(first->text)) return true;
    if (find(first->text) != kNone) return false;
    if (is_type(first->text)) return true;
    if (!at(")", 2) || program_.find_function(first->text) != nullptr) return false;
    const Token* behind = peek(3);
    return behind != nullptr && (behind->is_name() || behind->kind == TokenKind::Number);
}

ExprId Parser::unary() {
    if (level_ >= kMostExprLevels) throw Unreadable{};
    const Token* token = peek();
    if (token == nullptr) throw Unreadable{};
    if (cast_begins()) {
        at_ = partner_[static_cast<std::size_t>(at_)] + 1;
        if (at("{")) return initialiser();
        ++level_;
        const ExprId value = unary();  // a cast changes nothing that the analyses look at
        --level_;
        return value;
    }
    if (token->is("sizeof")) {
        const std::int32_t place = at_++;
        if (at("("))
            at_ = partner_[static_cast<std::size_t>(at_)] + 1;
        else
            unary();
        return add({.kind = ExprKind::Other, .op = "sizeof", .token = place});
    }
    static constexpr std::array<std::string_view, 8> kOperators{"+", "-", "!", "~", "*", "&", "++", "--"};
    if (token->kind == TokenKind::Punctuator &&
        std::find(kOperators.begin(), kOperators.end(), token->text) != kOperators.end()) {
        const std::int32_t place = at_++;
        ++level_;
        const ExprId value = unary();
        --level_;
        if (token->is("++") || token->is("--") || token->is("&")) mark_changed(value);
        return add({.kind = ExprKind::Unary, .op = token->text, .a = value, .token = place});
    }
    return postfix();
}

ExprId Parser::postfix() {
    ExprId value = primary();
    while (const Token* token = peek()) {
        const std::int32_t place = at_;
        if (accept("[")) {
            const ExprId index = comma();
            expect("]");
            value = add({.kind = ExprKind::Index, .a = value, .b = index, .token = place});
        } else if (accept("(")) {
            Expr call{.kind = ExprKind::Call,
                      .op = program_.expr(value).op,
                      .a = value,
                      .token = program_.expr(value).token};
            if (program_.expr(value).kind != ExprKind::Name) throw Unreadable{};
            while (!at(")")) {
                call.items.push_back(assignment());
                if (!accept(",")) break;
            }
            expect(")");
            value = add(std::move(call));
        } else if (accept(".") || accept("->")) {
            if (peek() == nullptr) throw Unreadable{};
            value = add({.kind = ExprKind::Member, .op = peek()->text, .a = value, .token = place});
            ++at_;
        } else if (accept("++") || accept("--")) {
            mark_changed(value);
            value = add({.kind = ExprKind::Postfix, .op = token->text, .a = value, .token = place});
        } else {
            break;
        }
    }
    return value;
}

ExprId Parser::primary() {
    const Token* token = peek();
    if (token == nullptr) throw Unreadable{};
    const std::int32_t place = at_;
    if (accept("(")) {
        const ExprId inside = comma();
        expect(")");
        return inside;
    }
    switch (token->kind) {
        case TokenKind::Identifier:
            if (is_keyword(token->text)) throw Unreadable{};
            ++at_;
            return add(
                {.kind = ExprKind::Name, .op = token->text, .symbol = find(token->text), .token = place});
        case TokenKind::Number:
            ++at_;
            return add({.kind = ExprKind::Number, .op = token->text, .token = place});
        case TokenKind::Text:
        case TokenKind::Character:
            while (peek() != nullptr && peek()->kind == token->kind) ++at_;
            return add({.kind = ExprKind::Other, .op = token->text, .token = place});
        default:
            throw Unreadable{};
    }
}

/// An expression, or a list in braces, with or without designators.
ExprId Parser::initialiser() {
    if (!at("{")) return assignment();
    if (level_ >= kMostExprLevels) throw Unreadable{};
    ++level_;
    Expr list{.kind = ExprKind::List, .op = "{", .token = at_++};
    while (!at("}")) {
        while (accept(".") || at("[")) {  // .x = , [3] =
            at_ = at("[") ? partner_[static_cast<std::size_t>(at_)] + 1 : at_ + 1;
            if (accept("=")) break;
        }
        list.items.push_back(initialiser());
        if (!accept(",")) break;
    }
    expect("}");
    --level_;
    return add(std::move(list));
}

/// Note that a variable has other values than its first one.
void Parser::mark_changed(ExprId target) {
    while (target != kNone) {
        const Expr& expr = program_.expr(target);
        if (expr.kind == ExprKind::Name) {
            if (expr.symbol != kNone) program_.symbols[static_cast<std::size_t>(expr.symbol)].changed = true;
            return;
        }
        if (expr.kind == ExprKind::List && !expr.items.empty()) {
            for (ExprId item : std::vector<ExprId>(expr.items)) mark_changed(item);
            return;
        }
        target = expr.kind == ExprKind::Index || expr.kind == ExprKind::Member || expr.kind == ExprKind::Unary
                     ? expr.a
                     : kNone;
    }
}

}  // namespace kwb::hints
