// Local memory that is read, and private variables that are updated, before anything was stored to them.
//
// Follows each function in source order. A first use is reported only if nothing before it stored, and if no
// enclosing loop can have stored in an earlier iteration while a condition prevented the use in the first
// one.
#include <fmt/core.h>

#include <set>

#include "hints/analyses.hpp"

namespace kwb::hints {
namespace {

class Unset : Analysis {
public:
    using Analysis::Analysis;

    void run(const Function& function) {
        for (SymbolId parameter : function.parameters)
            if (program_.symbol(parameter).is_local_object()) unset_.insert(parameter);
        walk(function.body);
    }

private:
    void walk(StatementId id) {
        if (id == kNone || !steps_.take()) return;
        const Statement& s = program_.statement(id);
        if (s.kind == StatementKind::Declaration) {
            for (SymbolId symbol : s.symbols) declare(symbol);
            return;
        }
        if (s.is_loop()) {
            walk(s.init);
            loops_.push_back({stores_of(s), 0});
            if (s.kind != StatementKind::DoWhile) evaluate(s.expr);
            walk(s.body);
            evaluate(s.step);
            if (s.kind == StatementKind::DoWhile) evaluate(s.expr);
            loops_.pop_back();
            return;
        }
        evaluate(s.expr);
        for (StatementId child : s.children) walk(child);
        if (s.kind == StatementKind::If || s.kind == StatementKind::Switch) {
            enter_condition(1);
            walk(s.body);
            walk(s.otherwise);
            enter_condition(-1);
        }
    }

    void enter_condition(int change) {
        for (Loop& loop : loops_) loop.conditions += change;
    }

    void declare(SymbolId id) {
        const Symbol& symbol = program_.symbol(id);
        if (symbol.initial != kNone) {
            evaluate(symbol.initial);
            return;
        }
        const bool variable =
            !symbol.pointer && (symbol.space == Space::Private || symbol.space == Space::Local);
        if (variable) unset_.insert(id);
    }

    /// Variables that an assignment with `=` in the loop sets, or that a called function may set.
    std::set<SymbolId> stores_of(const Statement& s) {
        std::set<SymbolId> stored;
        values_.for_each_expr_in(s.body, [&](ExprId id, Access) {
            const Expr& e = program_.expr(id);
            if (e.kind == ExprKind::Assign && e.op == "=") stored.insert(values_.base(e.a));
            if (e.kind == ExprKind::Call)
                for (ExprId item : e.items) stored.insert(values_.base(item));
        });
        return stored;
    }

    /// Visits the parts of an expression in the order of evaluation.
    void evaluate(ExprId id) {
        if (id == kNone || !steps_.take()) return;
        const Expr& e = program_.expr(id);
        switch (e.kind) {
            case ExprKind::Assign: {
                const SymbolId target = values_.base(e.a);
                evaluate_indices(e.a);
                if (e.op != "=" || reads(e.b, target)) use(target, e.place, true);
                evaluate(e.b);
                set(target);
                return;
            }
            case ExprKind::Unary:
            case ExprKind::Postfix:
                if (is_increment(e)) {
                    evaluate_indices(e.a);
                    use(values_.base(e.a), e.place, true);
                    set(values_.base(e.a));
                } else if (e.op == "&") {
                    evaluate_indices(e.a);
                    set(values_.base(e.a));  // code with the address may store to it
                } else if (e.op == "*") {
                    use(values_.base(e.a), e.place, false);
                    evaluate_indices(e.a);
                } else {
                    evaluate(e.a);
                }
                return;
            case ExprKind::Index:
                evaluate_indices(id);
                use(values_.base(id), e.place, false);
                return;
            case ExprKind::Member:
                if (program_.expr(e.a).kind == ExprKind::Name) return;
                evaluate(e.a);
                return;
            case ExprKind::Name: {
                if (e.symbol == kNone) return;
                const Symbol& symbol = program_.symbol(e.symbol);
                if (symbol.array || symbol.pointer)
                    set(e.symbol);  // passed on as a pointer: it may be stored to
                else
                    use(e.symbol, e.place, false);
                return;
            }
            case ExprKind::Binary:
            case ExprKind::Choice: {
                evaluate(e.a);
                const bool conditional = e.kind == ExprKind::Choice || e.op == "&&" || e.op == "||";
                if (conditional) enter_condition(1);
                evaluate(e.b);
                evaluate(e.c);
                if (conditional) enter_condition(-1);
                return;
            }
            case ExprKind::Call:
                return call(e);
            default:
                for (ExprId item : e.items) evaluate(item);
        }
    }

    void call(const Expr& e) {
        const auto names = [&](const char* word) { return e.op.find(word) != std::string_view::npos; };
        const bool updates =
            is_atomic(e.op) && !names("xchg") && !names("store") && !names("init") && !names("clear");
        const Function* callee = program_.find_function(e.op);
        for (std::size_t i = 0; i < e.items.size(); ++i) {
            const Expr& argument = program_.expr(e.items[i]);
            const SymbolId base = values_.base(e.items[i]);
            if (updates && i == 0 && base != kNone) {
                if (program_.symbol(base).space == Space::Local) use(base, e.place, false);
            } else if (argument.kind == ExprKind::Name && callee != nullptr &&
                       i < callee->parameters.size() && only_reads(*callee, callee->parameters[i])) {
                continue;  // passed on, but the callee does not store to it
            }
            evaluate(e.items[i]);
        }
    }

    bool only_reads(const Function& function, SymbolId parameter) {
        if (!function.readable || !program_.symbol(parameter).pointer) return false;
        bool stored = false;
        values_.for_each_expr_in(function.body, [&](ExprId id, Access access) {
            const Expr& e = program_.expr(id);
            if (access != Access::Read && values_.base(id) == parameter) stored = true;
            if (e.kind == ExprKind::Call || e.kind == ExprKind::Assign)
                for (ExprId item : e.items) stored = stored || values_.base(item) == parameter;
            if (e.kind == ExprKind::Unary && e.op == "&" && values_.base(e.a) == parameter) stored = true;
        });
        return !stored;
    }

    bool reads(ExprId id, SymbolId symbol) {
        bool found = false;
        if (symbol == kNone) return false;
        values_.for_each_expr(id, [&](ExprId part, Access access) {
            found = found || (access == Access::Read && values_.is_name_of(part, symbol));
        });
        return found;
    }

    /// Evaluates the indices of an access, not the access itself.
    void evaluate_indices(ExprId id) {
        while (id != kNone) {
            const Expr& e = program_.expr(id);
            if (e.kind == ExprKind::Name) return;
            if (e.kind == ExprKind::Index || e.kind == ExprKind::Binary) evaluate(e.b);
            if (e.kind == ExprKind::Call || e.kind == ExprKind::List) return evaluate(id);
            id = e.a;
        }
    }

    void set(SymbolId symbol) { unset_.erase(symbol); }

    void use(SymbolId id, std::int32_t token, bool accumulates) {
        if (!unset_.contains(id)) return;
        for (const Loop& loop : loops_)
            if (loop.conditions > 0 && loop.stored.contains(id)) return;
        const Symbol& symbol = program_.symbol(id);
        if (symbol.space == Space::Local) {
            findings_.add(
                program_.place(token), "unset",
                fmt::format("`{}` is read here before anything was stored in it: local memory begins with "
                            "whatever was there before, so fill it first and put a barrier between.",
                            symbol.name));
        } else if (accumulates) {
            findings_.add(
                program_.place(token), "unset",
                fmt::format("`{}` is updated here before it was given a value: private variables "
                            "start with arbitrary values, so set {} to 0 (or where its sum starts) first.",
                            symbol.name, symbol.array ? "each of its elements" : "it"));
        } else {
            return;
        }
        set(id);  // report only once
    }

    struct Loop {
        std::set<SymbolId> stored;
        int conditions;  ///< number of conditions around this place, within the loop
    };

    std::set<SymbolId> unset_;
    std::vector<Loop> loops_;
};

}  // namespace

void find_unset_memory(const Values& values, Findings& findings) {
    for (const Function& function : values.program.functions)
        if (function.readable) Unset(values, findings).run(function);
}

}  // namespace kwb::hints
