#include "hints/tree.hpp"

namespace kwb::hints {

void for_each_expr(const Program& program, ExprId id, Steps& steps,
                   const std::function<void(ExprId, Access)>& see, Access access) {
    if (id == kNone || !steps.take()) return;
    see(id, access);
    const Expr& e = program.expr(id);
    const bool counts = e.op == "++" || e.op == "--";
    switch (e.kind) {
        case ExprKind::Assign:
            for_each_expr(program, e.b, steps, see);
            for_each_expr(program, e.a, steps, see, e.op == "=" ? Access::Store : Access::Update);
            return;
        case ExprKind::Unary:
        case ExprKind::Postfix:
            // *p = 1 stores through p, like p[0] = 1
            for_each_expr(program, e.a, steps, see,
                          counts        ? Access::Update
                          : e.op == "*" ? access
                                        : Access::Read);
            return;
        case ExprKind::Index:
            for_each_expr(program, e.a, steps, see, access);
            for_each_expr(program, e.b, steps, see);
            return;
        case ExprKind::Member:
            for_each_expr(program, e.a, steps, see, access);
            return;
        default:
            break;
    }
    if (e.kind != ExprKind::Call) for_each_expr(program, e.a, steps, see);
    for_each_expr(program, e.b, steps, see);
    for_each_expr(program, e.c, steps, see);
    for (ExprId item : e.items) for_each_expr(program, item, steps, see);
}

void for_each_expr_in(const Program& program, StatementId id, Steps& steps,
                      const std::function<void(ExprId, Access)>& see) {
    for_each_statement(program, id, steps, [&](StatementId part) {
        const Statement& s = program.statement(part);
        for_each_expr(program, s.expr, steps, see);
        for_each_expr(program, s.step, steps, see);
        for (SymbolId symbol : s.symbols) for_each_expr(program, program.symbol(symbol).initial, steps, see);
    });
}

void for_each_statement(const Program& program, StatementId id, Steps& steps,
                        const std::function<void(StatementId)>& see) {
    if (id == kNone || !steps.take()) return;
    see(id);
    const Statement& s = program.statement(id);
    for (StatementId child : s.children) for_each_statement(program, child, steps, see);
    for_each_statement(program, s.init, steps, see);
    for_each_statement(program, s.body, steps, see);
    for_each_statement(program, s.otherwise, steps, see);
}

bool ends_in_jump(const Program& program, StatementId id) {
    while (id != kNone) {
        const Statement& s = program.statement(id);
        if (s.kind == StatementKind::Return || s.kind == StatementKind::Break ||
            s.kind == StatementKind::Continue)
            return true;
        if (s.kind != StatementKind::Block || s.children.empty()) return false;
        id = s.children.back();
    }
    return false;
}

}  // namespace kwb::hints
