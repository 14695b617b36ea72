#include "hints/condition.hpp"

#include <charconv>

namespace kwb::hints {
namespace {

constexpr int kMostConditionDepth = 100;  // of parentheses and operators

int precedence(std::string_view op) {
    if (op == "||") return 1;
    if (op == "&&") return 2;
    if (op == "|") return 3;
    if (op == "^") return 4;
    if (op == "&") return 5;
    if (op == "==" || op == "!=") return 6;
    if (op == "<" || op == ">" || op == "<=" || op == ">=") return 7;
    if (op == "<<" || op == ">>") return 8;
    if (op == "+" || op == "-") return 9;
    if (op == "*" || op == "/" || op == "%") return 10;
    return 0;
}

std::int64_t wrap(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

std::optional<std::int64_t> apply(std::string_view op, std::int64_t a, std::int64_t b) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    if (op == "||") return a != 0 || b != 0;
    if (op == "&&") return a != 0 && b != 0;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "&") return a & b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "<<") return wrap(ua << (ub & 63));
    if (op == ">>") return a >> (ub & 63);
    if (op == "+") return wrap(ua + ub);
    if (op == "-") return wrap(ua - ub);
    if (op == "*") return wrap(ua * ub);
    if (b == 0) return std::nullopt;
    if (b == -1) return op == "/" ? wrap(0 - ua) : 0;  // the one quotient that overflows
    return op == "/" ? a / b : a % b;
}

/// Precedence climbing. Nothing anywhere makes the whole nothing.
class Evaluator {
public:
    explicit Evaluator(std::span<const Token> tokens) : tokens_(tokens) {}

    std::optional<std::int64_t> evaluate() {
        const auto value = choice(0);
        return at_ == tokens_.size() ? value : std::nullopt;
    }

private:
    bool accept(std::string_view word) {
        if (at_ >= tokens_.size() || !tokens_[at_].is(word)) return false;
        ++at_;
        return true;
    }

    std::optional<std::int64_t> choice(int depth) {
        const auto condition = binary(1, depth);
        if (!condition || !accept("?")) return condition;
        if (depth > kMostConditionDepth) return std::nullopt;
        const auto yes = choice(depth + 1);
        if (!yes || !accept(":")) return std::nullopt;
        const auto no = choice(depth + 1);
        if (!no) return std::nullopt;
        return *condition != 0 ? yes : no;
    }

    std::optional<std::int64_t> binary(int lowest, int depth) {
        if (depth > kMostConditionDepth) return std::nullopt;
        auto left = unary(depth + 1);
        while (left && at_ < tokens_.size()) {
            const std::string_view op = tokens_[at_].text;
            const int strength = precedence(op);
            if (strength == 0 || strength < lowest) break;
            ++at_;
            const auto right = binary(strength + 1, depth + 1);
            if (!right) {
                // `defined(X) && X / 0`: what is not reached may have no value
                if ((op == "&&" && *left == 0) || (op == "||" && *left != 0)) continue;
                return std::nullopt;
            }
            left = apply(op, *left, *right);
        }
        return left;
    }

    std::optional<std::int64_t> unary(int depth) {
        if (depth > kMostConditionDepth || at_ >= tokens_.size()) return std::nullopt;
        if (accept("!")) return map(unary(depth + 1), [](std::int64_t v) { return std::int64_t{v == 0}; });
        if (accept("~")) return map(unary(depth + 1), [](std::int64_t v) { return ~v; });
        if (accept("+")) return unary(depth + 1);
        if (accept("-"))
            return map(unary(depth + 1),
                       [](std::int64_t v) { return wrap(0 - static_cast<std::uint64_t>(v)); });
        if (accept("(")) {
            const auto value = choice(depth + 1);
            return accept(")") ? value : std::nullopt;
        }
        const Token& token = tokens_[at_++];
        if (token.kind == TokenKind::Number) return integer_value(token.text);
        if (token.kind == TokenKind::Character) return token.text.size() == 3 ? token.text[1] : 0;
        if (token.is_name()) return token.text == "true" ? 1 : 0;
        return std::nullopt;
    }

    template <class F>
    static std::optional<std::int64_t> map(std::optional<std::int64_t> value, F f) {
        if (!value) return value;
        return f(*value);
    }

    std::span<const Token> tokens_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<std::int64_t> integer_value(std::string_view literal) {
    int base = 10;
    if (literal.starts_with("0x") || literal.starts_with("0X")) {
        base = 16;
        literal.remove_prefix(2);
    } else if (literal.size() > 1 && literal[0] == '0') {
        base = 8;
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(literal.data(), literal.data() + literal.size(), value, base);
    if (error != std::errc{}) return std::nullopt;
    for (const char* c = end; c != literal.data() + literal.size(); ++c)
        if (*c != 'u' && *c != 'U' && *c != 'l' && *c != 'L') return std::nullopt;
    return wrap(value);
}

std::optional<std::int64_t> evaluate_condition(std::span<const Token> tokens) {
    return Evaluator(tokens).evaluate();
}

}  // namespace kwb::hints
