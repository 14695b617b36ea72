#include "hints/values.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace kwb::hints {
namespace {

constexpr int kMostFollowed = 60;          // maximum nesting of names and operators
constexpr std::size_t kLongestText = 600;  // longer texts are cut: equal beginnings count as equal
}  // namespace

std::optional<std::int64_t> integer_value(std::string_view digits) {
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc{} || rest != end) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

bool is_id_function(std::string_view name) {
    static constexpr std::array<std::string_view, 6> kNames{"get_global_id",        "get_local_id",
                                                            "get_global_linear_id", "get_local_linear_id",
                                                            "get_sub_group_id",     "get_sub_group_local_id"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_barrier(std::string_view name) {
    return name == "barrier" || name == "work_group_barrier";
}

bool is_atomic(std::string_view name) {
    return name.starts_with("atomic_") || name.starts_with("atom_");
}

Values::Values(const Program& program, Steps& steps) : program_(program), steps_(steps) {
    find_dependent();
}

bool Values::follows(const Symbol& symbol) const {
    return !symbol.changed && !symbol.parameter && !symbol.array && !symbol.pointer &&
           symbol.space != Space::Local && symbol.initial != kNone;
}

ExprId Values::resolve(ExprId id) const {
    for (int i = 0; i < kMostFollowed && id != kNone; ++i) {
        const Expr& expr = program_.expr(id);
        if (expr.kind != ExprKind::Name || expr.symbol == kNone || !follows(program_.symbol(expr.symbol)))
            break;
        id = program_.symbol(expr.symbol).initial;
    }
    return id;
}

std::string Values::text(ExprId id) const {
    std::string out;
    write(id, out, 0);
    return out;
}

void Values::write(ExprId id, std::string& out, int depth) const {
    id = resolve(id);
    if (id == kNone || out.size() > kLongestText || depth > kMostFollowed || !steps_.take()) return;
    const Expr& expr = program_.expr(id);
    switch (expr.kind) {
        case ExprKind::Name:
            out += expr.symbol == kNone ? std::string(expr.op) : '$' + std::to_string(expr.symbol);
            return;
        case ExprKind::Number: {
            const auto value = integer_value(expr.op);
            out += value ? std::to_string(*value) : std::string(expr.op);
            return;
        }
        case ExprKind::Other:
            out += expr.op;
            return;
        default:
            break;
    }
    out += '(';
    write(expr.a, out, depth + 1);
    out += expr.kind == ExprKind::Call ? "call" : expr.op;
    if (expr.kind == ExprKind::Index) out += '[';
    if (expr.kind == ExprKind::Choice) out += '?';
    write(expr.b, out, depth + 1);
    if (expr.c != kNone) out += ':';
    write(expr.c, out, depth + 1);
    for (ExprId item : expr.items) {
        write(item, out, depth + 1);
        out += ',';
    }
    out += ')';
}

std::optional<std::int64_t> Values::constant(ExprId id) const {
    return constant(id, 0);
}

std::optional<std::int64_t> Values::constant(ExprId id, int depth) const {
    id = resolve(id);
    if (id == kNone || depth > kMostFollowed || !steps_.take()) return std::nullopt;
    const Expr& expr = program_.expr(id);
    if (expr.kind == ExprKind::Number) return integer_value(expr.op);
    constexpr std::int64_t kMost = std::int64_t{1} << 31;  // products of two of them do not overflow
    const auto a = constant(expr.a, depth + 1);
    if (!a || *a > kMost || *a < -kMost) return std::nullopt;
    if (expr.kind == ExprKind::Unary)
        return expr.op == "-" ? std::optional(-*a) : expr.op == "+" ? a : std::nullopt;
    if (expr.kind != ExprKind::Binary) return std::nullopt;
    const auto b = constant(expr.b, depth + 1);
    if (!b || *b > kMost || *b < -kMost) return std::nullopt;
    if (expr.op == "+") return *a + *b;
    if (expr.op == "-") return *a - *b;
    if (expr.op == "*") return *a * *b;
    if (expr.op == "/" && *b != 0) return *a / *b;
    if (expr.op == "%" && *b != 0) return *a % *b;
    if (expr.op == ">>" && *b >= 0 && *b < 32) return *a >> *b;
    if (expr.op == "<<" && *b >= 0 && *b < 31 && *a >= 0) return *a << *b;
    return std::nullopt;
}

void Values::visit(ExprId id, const std::function<void(ExprId)>& see) const {
    visit(id, see, 0);
}

void Values::visit(ExprId id, const std::function<void(ExprId)>& see, int depth) const {
    if (id == kNone || depth > 400 || !steps_.take()) return;
    see(id);
    const ExprId followed = resolve(id);
    if (followed != id) return visit(followed, see, depth + 1);
    const Expr& expr = program_.expr(id);
    if (expr.kind != ExprKind::Call) visit(expr.a, see, depth + 1);
    visit(expr.b, see, depth + 1);
    visit(expr.c, see, depth + 1);
    for (ExprId item : expr.items) visit(item, see, depth + 1);
}

bool Values::depends_on_ids(ExprId id) const {
    bool found = false;
    visit(id, [&](ExprId part) {
        const Expr& expr = program_.expr(part);
        if (expr.kind == ExprKind::Call && (is_id_function(expr.op) || is_atomic(expr.op))) found = true;
        if (expr.kind == ExprKind::Name && expr.symbol != kNone &&
            dependent_[static_cast<std::size_t>(expr.symbol)])
            found = true;
    });
    return found;
}

/// Marks the targets of all assignments with dependent values; repeated until nothing changes.
void Values::find_dependent() {
    dependent_.assign(program_.symbols.size(), 0);
    const auto mark = [&](SymbolId symbol, ExprId value) {
        if (symbol == kNone || value == kNone || dependent_[static_cast<std::size_t>(symbol)]) return false;
        if (program_.symbol(symbol).space == Space::Local && !program_.symbol(symbol).pointer) return false;
        if (!depends_on_ids(value)) return false;
        dependent_[static_cast<std::size_t>(symbol)] = 1;
        return true;
    };
    for (int round = 0; round < 4; ++round) {
        bool changed = false;
        for (std::size_t i = 0; i < program_.symbols.size(); ++i)
            changed |= mark(static_cast<SymbolId>(i), program_.symbols[i].initial);
        for (const Expr& expr : program_.exprs) {
            if (expr.kind == ExprKind::Assign) changed |= mark(base(expr.a), expr.b);
            if (expr.kind != ExprKind::Call) continue;
            const Function* callee = program_.find_function(expr.op);
            for (std::size_t i = 0;
                 callee != nullptr && i < expr.items.size() && i < callee->parameters.size(); ++i)
                changed |= mark(callee->parameters[i], expr.items[i]);
        }
        if (!changed || steps_.used_up()) break;
    }
}

bool Values::is_id(ExprId id, std::string_view function) const {
    id = resolve(id);
    if (id == kNone || program_.expr(id).kind != ExprKind::Call) return false;
    const std::string_view name = program_.expr(id).op;
    return function.empty() ? is_id_function(name) : name == function;
}

SymbolId Values::base(ExprId id) const {
    while (id != kNone) {
        const Expr& expr = program_.expr(id);
        if (expr.kind == ExprKind::Name) return expr.symbol;
        const bool passes = expr.kind == ExprKind::Index || expr.kind == ExprKind::Member ||
                            expr.kind == ExprKind::Unary || expr.kind == ExprKind::Postfix ||
                            (expr.kind == ExprKind::Binary && (expr.op == "+" || expr.op == "-"));
        if (!passes) return kNone;
        id = expr.a;
    }
    return kNone;
}

}  // namespace kwb::hints
