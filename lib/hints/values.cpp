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

bool is_atomic(std::string_view name) {
    return name.starts_with("atomic_") || name.starts_with("atom_");
}

bool is_increment(const Expr& e) {
    return (e.kind == ExprKind::Unary || e.kind == ExprKind::Postfix) && (e.op == "++" || e.op == "--");
}

Values::Values(const Program& parsed, Steps& budget) : program(parsed), steps(budget) {
    find_dependent();
}

bool Values::follows(const Symbol& symbol) const {
    return !symbol.changed && !symbol.parameter && !symbol.array && !symbol.pointer &&
           symbol.space != Space::Local && symbol.initial != kNone;
}

ExprId Values::resolve(ExprId id) const {
    for (int i = 0; i < kMostFollowed && id != kNone; ++i) {
        const Expr& expr = program.expr(id);
        if (expr.kind != ExprKind::Name || expr.symbol == kNone || !follows(program.symbol(expr.symbol)))
            break;
        id = program.symbol(expr.symbol).initial;
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
    if (id == kNone || out.size() > kLongestText || depth > kMostFollowed || !steps.take()) return;
    const Expr& expr = program.expr(id);
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

std::optional<std::int64_t> Values::constant(ExprId id, int depth) const {
    id = resolve(id);
    if (id == kNone || depth > kMostFollowed || !steps.take()) return std::nullopt;
    const Expr& expr = program.expr(id);
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

void Values::visit(ExprId id, const std::function<void(ExprId)>& see, int depth) const {
    if (id == kNone || depth > 400 || !steps.take()) return;
    see(id);
    const ExprId followed = resolve(id);
    if (followed != id) return visit(followed, see, depth + 1);
    const Expr& expr = program.expr(id);
    if (expr.kind != ExprKind::Call) visit(expr.a, see, depth + 1);
    visit(expr.b, see, depth + 1);
    visit(expr.c, see, depth + 1);
    for (ExprId item : expr.items) visit(item, see, depth + 1);
}

bool Values::any_part(ExprId id, const std::function<bool(ExprId)>& holds) const {
    bool found = false;
    visit(id, [&](ExprId part) { found = found || holds(part); });
    return found;
}

bool Values::depends_on_ids(ExprId id) const {
    return any_part(id, [&](ExprId part) {
        const Expr& expr = program.expr(part);
        if (expr.kind == ExprKind::Call) return is_id_function(expr.op) || is_atomic(expr.op);
        return expr.kind == ExprKind::Name && expr.symbol != kNone &&
               dependent_[static_cast<std::size_t>(expr.symbol)] != 0;
    });
}

/// Marks the targets of all assignments with dependent values; repeated until nothing changes.
void Values::find_dependent() {
    dependent_.assign(program.symbols.size(), 0);
    const auto mark = [&](SymbolId symbol, ExprId value) {
        if (symbol == kNone || value == kNone || dependent_[static_cast<std::size_t>(symbol)]) return false;
        if (program.symbol(symbol).space == Space::Local && !program.symbol(symbol).pointer) return false;
        if (!depends_on_ids(value)) return false;
        dependent_[static_cast<std::size_t>(symbol)] = 1;
        return true;
    };
    for (int round = 0; round < 4; ++round) {
        bool changed = false;
        for (std::size_t i = 0; i < program.symbols.size(); ++i)
            changed |= mark(static_cast<SymbolId>(i), program.symbols[i].initial);
        for (const Expr& expr : program.exprs) {
            if (expr.kind == ExprKind::Assign) changed |= mark(base(expr.a), expr.b);
            if (expr.kind != ExprKind::Call) continue;
            const Function* callee = program.find_function(expr.op);
            for (std::size_t i = 0;
                 callee != nullptr && i < expr.items.size() && i < callee->parameters.size(); ++i)
                changed |= mark(callee->parameters[i], expr.items[i]);
        }
        if (!changed || steps.used_up()) break;
    }
}

bool Values::is_name_of(ExprId id, SymbolId symbol) const {
    return id != kNone && program.expr(id).kind == ExprKind::Name && program.expr(id).symbol == symbol;
}

bool Values::is_id(ExprId id, std::string_view function) const {
    id = resolve(id);
    if (id == kNone || program.expr(id).kind != ExprKind::Call) return false;
    const std::string_view name = program.expr(id).op;
    return function.empty() ? is_id_function(name) : name == function;
}

SymbolId Values::base(ExprId id) const {
    while (id != kNone) {
        const Expr& expr = program.expr(id);
        if (expr.kind == ExprKind::Name) return expr.symbol;
        const bool passes = expr.kind == ExprKind::Index || expr.kind == ExprKind::Member ||
                            expr.kind == ExprKind::Unary || expr.kind == ExprKind::Postfix ||
                            (expr.kind == ExprKind::Binary && (expr.op == "+" || expr.op == "-"));
        if (!passes) return kNone;
        id = expr.a;
    }
    return kNone;
}

void Values::for_each_expr(ExprId id, const SeeExpr& see, Access access) const {
    if (id == kNone || !steps.take()) return;
    see(id, access);
    const Expr& e = program.expr(id);
    switch (e.kind) {
        case ExprKind::Assign:
            for_each_expr(e.b, see);
            for_each_expr(e.a, see, e.op == "=" ? Access::Store : Access::Update);
            return;
        case ExprKind::Unary:
        case ExprKind::Postfix:
            // *p = 1 stores through p, like p[0] = 1
            for_each_expr(e.a, see, is_increment(e) ? Access::Update : e.op == "*" ? access : Access::Read);
            return;
        case ExprKind::Index:
        case ExprKind::Member:
            for_each_expr(e.a, see, access);
            for_each_expr(e.b, see);
            return;
        default:
            break;
    }
    if (e.kind != ExprKind::Call) for_each_expr(e.a, see);
    for_each_expr(e.b, see);
    for_each_expr(e.c, see);
    for (ExprId item : e.items) for_each_expr(item, see);
}

void Values::for_each_expr_in(StatementId id, const SeeExpr& see) const {
    for_each_statement(id, [&](const Statement& s) {
        for_each_expr(s.expr, see);
        for_each_expr(s.step, see);
        for (SymbolId symbol : s.symbols) for_each_expr(program.symbol(symbol).initial, see);
    });
}

void Values::for_each_statement(StatementId id, const std::function<void(const Statement&)>& see) const {
    if (id == kNone || !steps.take()) return;
    const Statement& s = program.statement(id);
    see(s);
    for (StatementId child : s.children) for_each_statement(child, see);
    for (StatementId part : {s.init, s.body, s.otherwise}) for_each_statement(part, see);
}

}  // namespace kwb::hints
