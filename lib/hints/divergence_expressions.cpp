// Determines whether the values of expressions differ between work-items; follows calls.
#include <utility>

#include "hints/divergence.hpp"
#include "hints/uniform.hpp"

namespace kwb::hints {
namespace {

constexpr std::size_t kMostCalls = 12;  // maximum nesting depth

}  // namespace

bool Divergence::evaluate(ExprId id) {
    if (id == kNone || !steps_.take()) return false;
    const Expr& e = program_.expr(id);
    switch (e.kind) {
        case ExprKind::Name:
            return e.symbol != kNone && differs(e.symbol);
        case ExprKind::Number:
        case ExprKind::Other:
            return false;
        case ExprKind::Unary:
        case ExprKind::Postfix: {
            const bool value = evaluate(e.a);
            if (e.op == "++" || e.op == "--") assign(e.a, value, true);
            return value;
        }
        case ExprKind::Binary: {
            const bool a = evaluate(e.a), b = evaluate(e.b);
            return (a || b) && !is_group_constant(values_, e);
        }
        case ExprKind::Assign: {
            const bool value = evaluate(e.b);
            const bool before = e.op != "=" && evaluate(e.a);
            assign(e.a, value, e.op != "=");
            return value || before;
        }
        case ExprKind::Index: {
            const bool index = evaluate(e.b);
            return evaluate(e.a) || index;
        }
        case ExprKind::Member:
            return evaluate(e.a);
        case ExprKind::Choice: {
            const bool some = evaluate(e.a);
            if (some) controls_.push_back(e.place);
            const bool b = evaluate(e.b), c = evaluate(e.c);
            if (some) controls_.pop_back();
            return some || b || c;
        }
        case ExprKind::List: {
            bool any = false;
            for (ExprId item : e.items) any |= evaluate(item);
            return any;
        }
        case ExprKind::Call:
            return call(e);
    }
    return false;
}

void Divergence::assign(ExprId target, bool value, bool keeps) {
    const SymbolId symbol = values_.base(target);
    if (program_.expr(target).kind == ExprKind::Index) value |= evaluate(program_.expr(target).b);
    if (symbol == kNone) return;
    const bool whole = program_.expr(target).kind == ExprKind::Name;
    // a store through a pointer changes memory, not the pointer
    if (!whole && program_.symbol(symbol).pointer) return;
    const bool now = value || divergent();
    set(symbol, now || ((keeps || !whole) && differs(symbol)));
}

bool Divergence::call(const Expr& e) {
    bool any = false;
    std::vector<char> arguments;
    for (ExprId item : e.items) {
        arguments.push_back(evaluate(item));
        any |= arguments.back() != 0;
    }
    if (is_barrier(e.op)) {
        meet_barrier(e.place);
        return false;
    }
    if (is_id_function(e.op)) return true;
    const Function* callee = program_.find_function(e.op);
    bool result = any;
    if (callee != nullptr) {
        result = enter(*callee, e, arguments) || any;
    } else if (e.op.starts_with("get_") || e.op.starts_with("work_group_all") ||
               e.op.starts_with("work_group_any") || e.op.starts_with("work_group_reduce") ||
               e.op.starts_with("work_group_broadcast")) {
        result = false;
    } else if (e.op.starts_with("work_group_scan") || (is_atomic(e.op) && !e.op.starts_with("atomic_load"))) {
        result = true;
    }
    for (ExprId item : e.items) {  // the function may have written through &x
        const Expr& argument = program_.expr(item);
        if (argument.kind == ExprKind::Unary && argument.op == "&" && result) assign(argument.a, true, true);
    }
    return result;
}

bool Divergence::enter(const Function& callee, const Expr& e, const std::vector<char>& arguments) {
    if (!callee.readable || frames_.size() > kMostCalls) return false;
    for (const Frame& frame : frames_)
        if (frame.function == &callee) return false;  // recursion is reported by another analysis
    for (std::size_t i = 0; i < callee.parameters.size(); ++i)
        set(callee.parameters[i], i < arguments.size() && arguments[i] != 0);
    frames_.push_back({&callee, e.place, controls_.size(), kNone, false});
    const auto breakables = std::exchange(breakables_, {});
    walk(callee.body);
    breakables_ = breakables;
    const bool result = frames_.back().result_differs;
    frames_.pop_back();
    return result;
}

}  // namespace kwb::hints
