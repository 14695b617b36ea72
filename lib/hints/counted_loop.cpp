#include "hints/counted_loop.hpp"

#include <string_view>

namespace kwb::hints {
namespace {

std::optional<std::int64_t> small_constant(const Values& values, ExprId id) {
    const auto value = id == kNone ? std::nullopt : values.constant(id);
    return value && *value <= kMostCounted && *value >= -kMostCounted ? value : std::nullopt;
}

/// The value that `init` gives the counter, in its declaration or by an assignment.
std::optional<std::int64_t> read_start(const Values& values, StatementId init, SymbolId counter) {
    const Program& program = values.program;
    if (init == kNone) return std::nullopt;
    const Statement& s = program.statement(init);
    if (s.kind == StatementKind::Declaration) {
        for (SymbolId symbol : s.symbols)
            if (symbol == counter) return small_constant(values, program.symbol(symbol).initial);
        return std::nullopt;
    }
    if (s.kind != StatementKind::Expression || s.expr == kNone) return std::nullopt;
    const Expr& e = program.expr(s.expr);
    const bool sets = e.kind == ExprKind::Assign && e.op == "=" && values.is_name_of(e.a, counter);
    return sets ? small_constant(values, e.b) : std::nullopt;
}

std::optional<std::int64_t> read_step(const Values& values, ExprId id, SymbolId counter) {
    const Program& program = values.program;
    if (id == kNone) return std::nullopt;
    const Expr& e = program.expr(id);
    if (!values.is_name_of(e.a, counter)) return std::nullopt;
    const auto signed_by = [](std::string_view op, std::optional<std::int64_t> step) {
        return step && op[0] == '-' ? std::optional(-*step) : step;
    };
    if (is_increment(e)) return signed_by(e.op, 1);
    if (e.kind != ExprKind::Assign) return std::nullopt;
    if (e.op == "+=" || e.op == "-=") return signed_by(e.op, small_constant(values, e.b));
    if (e.op != "=") return std::nullopt;
    const Expr& sum = program.expr(e.b);  // k = k + 1
    if (sum.kind != ExprKind::Binary || (sum.op != "+" && sum.op != "-") ||
        !values.is_name_of(sum.a, counter))
        return std::nullopt;
    return signed_by(sum.op, small_constant(values, sum.b));
}

std::string_view mirrored(std::string_view op) {
    return op == "<" ? ">" : op == "<=" ? ">=" : op == ">" ? "<" : op == ">=" ? "<=" : op;
}

bool holds(std::int64_t value, std::string_view op, std::int64_t end) {
    if (op == "!=") return value != end;
    if (op == "<") return value < end;
    if (op == "<=") return value <= end;
    return op == ">" ? value > end : value >= end;
}

}  // namespace

std::optional<CountedLoop> read_counted_loop(const Values& values, StatementId id) {
    const Program& program = values.program;
    const Statement& s = program.statement(id);
    if (s.kind != StatementKind::For || s.expr == kNone) return std::nullopt;
    const Expr& e = program.expr(s.expr);
    if (e.kind != ExprKind::Binary ||
        (e.op != "<" && e.op != "<=" && e.op != ">" && e.op != ">=" && e.op != "!="))
        return std::nullopt;

    // The counter is on the side that is a variable, not a constant.
    const auto is_variable = [&](ExprId side) {
        const Expr& name = program.expr(side);
        return name.kind == ExprKind::Name && name.symbol != kNone && program.symbol(name.symbol).integer &&
               program.symbol(name.symbol).changed && !program.symbol(name.symbol).is_volatile &&
               program.symbol(name.symbol).space == Space::Private;
    };
    const bool turned = !is_variable(e.a);
    if (turned && !is_variable(e.b)) return std::nullopt;
    const SymbolId counter = program.expr(turned ? e.b : e.a).symbol;
    const std::string_view op = turned ? mirrored(e.op) : e.op;
    const auto end = small_constant(values, turned ? e.a : e.b);
    const auto start = read_start(values, s.init, counter);
    const auto step = read_step(values, s.step, counter);
    if (!end || !start || !step || *step == 0) return std::nullopt;

    if (!holds(*start, op, *end)) return CountedLoop{counter};
    // A loop that counts away from its end, or skips it with !=, ends in another way (overflow, break).
    const std::int64_t way = *end - *start;
    const bool up = *step > 0;
    if ((op == "!=" && (way % *step != 0 || (way > 0) != up)) ||
        (op != "!=" && (op == "<" || op == "<=") != up))
        return std::nullopt;
    const bool inclusive = op == "<=" || op == ">=";
    const std::int64_t to_last = inclusive ? way : up ? way - 1 : way + 1;
    return CountedLoop{counter, true, *start, *start + to_last / *step * *step};
}

bool body_changes(const Values& values, StatementId loop, SymbolId counter) {
    const Program& program = values.program;
    bool changes = false;
    values.for_each_expr_in(program.statement(loop).body, [&](ExprId id, Access access) {
        const Expr& e = program.expr(id);
        if (access != Access::Read && values.is_name_of(id, counter)) changes = true;
        if (e.kind == ExprKind::Unary && e.op == "&" && values.is_name_of(e.a, counter)) changes = true;
    });
    return changes;
}

}  // namespace kwb::hints
