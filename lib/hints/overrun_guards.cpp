#include "hints/overrun_guards.hpp"

#include <functional>

namespace kwb::hints {
namespace {
constexpr int kDeepest = 20;  // maximum nesting of && and ||

/// True if `holds` is true for every part of a condition.
bool all_parts(const Values& values, ExprId id, Steps& steps, const std::function<bool(const Expr&)>& holds,
               int depth = 0) {
    id = values.resolve(id);
    if (id == kNone || depth > kDeepest || !steps.take()) return false;
    const Expr& e = values.program().expr(id);
    if (e.kind == ExprKind::Binary && (e.op == "&&" || e.op == "||"))
        return all_parts(values, e.a, steps, holds, depth + 1) &&
               all_parts(values, e.b, steps, holds, depth + 1);
    if (e.kind == ExprKind::Unary && e.op == "!") return all_parts(values, e.a, steps, holds, depth + 1);
    return holds(e);
}

bool is_argument(const Program& program, const Expr& e) {
    if (e.kind != ExprKind::Name || e.symbol == kNone) return false;
    const Symbol& symbol = program.symbol(e.symbol);
    return symbol.parameter && !symbol.changed && !symbol.pointer;
}

bool is_id(const Expr& e) {
    return e.kind == ExprKind::Call && (is_id_function(e.op) || e.op == "get_group_id");
}

/// What an expression consists of.
struct Made {
    bool known = true;     ///< only ids, arguments and numbers
    bool varies = false;   ///< contains an id or an argument
    bool numbers = false;  ///< contains a number above 1
};

Made look_at(const Values& values, ExprId id) {
    Made made;
    const Program& program = values.program();
    values.visit(id, [&](ExprId part) {
        const Expr& e = program.expr(part);
        if (values.resolve(part) != part) return;  // its value is visited next
        if (e.kind == ExprKind::Number) {
            const auto value = integer_value(e.op);
            made.numbers = made.numbers || !value || *value > 1;
        } else if (is_argument(program, e) || is_id(e)) {
            made.varies = true;
        } else if (e.kind != ExprKind::Binary && e.kind != ExprKind::Unary) {
            made.known = false;
        }
    });
    return made;
}

bool is_comparison(const Expr& e) {
    return e.kind == ExprKind::Binary &&
           (e.op == "<" || e.op == "<=" || e.op == ">" || e.op == ">=" || e.op == "==" || e.op == "!=");
}

}  // namespace

bool may_pass(const Values& values, ExprId condition, std::int64_t extent, Steps& steps) {
    return all_parts(values, condition, steps, [&](const Expr& part) {
        if (!is_comparison(part)) {
            Made whole{.known = part.kind == ExprKind::Binary || part.kind == ExprKind::Unary ||
                                part.kind == ExprKind::Name || is_id(part)};
            if (is_argument(values.program(), part) || is_id(part)) whole.varies = true;
            for (ExprId side : {part.a, part.b}) {
                if (side == kNone || part.kind == ExprKind::Call) continue;
                const Made made = look_at(values, side);
                whole.known = whole.known && made.known;
                whole.varies = whole.varies || made.varies;
                whole.numbers = whole.numbers || made.numbers;
            }
            return whole.known && whole.varies && !whole.numbers;
        }
        const Made a = look_at(values, part.a), b = look_at(values, part.b);
        if (!a.known || !b.known || (!a.varies && !b.varies)) return false;
        if (a.varies && b.varies) return true;
        // One side is a number: the other side must be simple, and the number well below the array's extent.
        const auto number = values.constant(a.varies ? part.b : part.a);
        return number && *number < extent - 1 && !(a.varies ? a : b).numbers;
    });
}

bool mentions_argument(const Values& values, ExprId condition) {
    bool found = false;
    values.visit(condition, [&](ExprId id) {
        found = found || is_argument(values.program(), values.program().expr(id));
    });
    return found;
}

}  // namespace kwb::hints
