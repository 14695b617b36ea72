#include "hints/uniform.hpp"

namespace kwb::hints {
namespace {

/// True if it contains only get_local_size(d) and numbers. A variable could be anything, even a row length.
bool is_group_size(const Values& values, ExprId id) {
    bool size = false, other = false;
    values.visit(id, [&](ExprId part) {
        const Expr& e = values.program().expr(part);
        if (e.kind == ExprKind::Call)
            (e.op == "get_local_size" || e.op == "get_enqueued_local_size" ? size : other) = true;
        if (e.kind == ExprKind::Name && values.resolve(part) == part && e.symbol != kNone) other = true;
    });
    return size && !other;
}

}  // namespace

bool is_group_constant(const Values& values, const Expr& e) {
    if (!values.is_id(e.a, "get_global_id")) return false;
    if (e.op == "-") return values.is_id(e.b, "get_local_id");
    if (e.op != "/" && e.op != ">>" && e.op != "&") return false;
    const auto divisor = values.constant(e.b);
    if (e.op == "&") return values.program().expr(values.resolve(e.b)).op == "~";
    if (divisor) return *divisor >= (e.op == "/" ? 16 : 4);  // assumed to be the size of the work-group
    return is_group_size(values, e.b);
}

bool has_same_trip_count(const Values& values, const Statement& s) {
    const Program& program = values.program();
    if (s.kind != StatementKind::For || s.expr == kNone || s.step == kNone || s.init == kNone) return false;
    const Expr& condition = program.expr(s.expr);
    const Expr& step = program.expr(s.step);
    if (condition.kind != ExprKind::Binary || condition.op != "<" || step.kind != ExprKind::Assign)
        return false;
    const SymbolId symbol = program.expr(condition.a).symbol;
    if (symbol == kNone || step.op != "+=" || program.expr(step.a).symbol != symbol) return false;
    const Statement& init = program.statement(s.init);
    ExprId first = program.symbol(symbol).initial;
    if (init.kind == StatementKind::Expression && program.expr(init.expr).kind == ExprKind::Assign)
        first = program.expr(init.expr).b;
    const auto bound = values.constant(condition.b), stride = values.constant(step.b);
    return first != kNone && !values.is_id(first, "get_global_id") && bound && stride && *stride > 0 &&
           *bound % *stride == 0;
}

}  // namespace kwb::hints
