// SPDX-License-Identifier: Apache-2.0
#include "source/loop_bounds.hpp"

#include <algorithm>

namespace kwb::source {
namespace {

constexpr std::size_t kMostLoops = 100;
constexpr std::size_t kMostAccesses = 100;

class LoopSearch {
public:
    explicit LoopSearch(const Program& program) : program_(program) {}

    std::vector<InclusiveLoop> find() {
        for (const Function& function : program_.functions)
            if (function.readable) walk(function.body);
        return std::move(found_);
    }

private:
    void walk(StatementId id) {
        if (id == kNone || found_.size() >= kMostLoops) return;
        const Statement& s = program_.statement(id);
        if (s.kind == StatementKind::For) look_at(s);
        for (const StatementId child : s.children) walk(child);
        walk(s.body);
        walk(s.otherwise);
    }

    bool is_name_of(ExprId id, SymbolId symbol) const {
        return id != kNone && program_.expr(id).kind == ExprKind::Name && program_.expr(id).symbol == symbol;
    }

    bool is_zero(ExprId id) const { return id != kNone && program_.expr(id).op == "0"; }

    bool starts_at_zero(const Statement& loop, SymbolId variable) const {
        if (loop.init == kNone) return false;
        const Statement& init = program_.statement(loop.init);
        if (init.kind == StatementKind::Declaration)
            return std::ranges::find(init.symbols, variable) != init.symbols.end() &&
                   is_zero(program_.symbol(variable).initial);
        if (init.expr == kNone) return false;
        const Expr& e = program_.expr(init.expr);
        return e.kind == ExprKind::Assign && e.op == "=" && is_name_of(e.a, variable) && is_zero(e.b);
    }

    /// `k <= K` or `K >= k`
    void look_at(const Statement& loop) {
        if (loop.expr == kNone || loop.step == kNone) return;
        const Expr& condition = program_.expr(loop.expr);
        const bool is_less = condition.op == "<=";
        if (condition.kind != ExprKind::Binary || (!is_less && condition.op != ">=")) return;
        const Expr& counted = program_.expr(is_less ? condition.a : condition.b);
        const Expr& bound = program_.expr(is_less ? condition.b : condition.a);
        const bool is_plain = bound.kind == ExprKind::Number ||
                              (bound.kind == ExprKind::Name && bound.symbol != kNone && bound.macro.empty());
        const Expr& step = program_.expr(loop.step);
        const Place& place = program_.place(condition.place);
        if (counted.kind != ExprKind::Name || counted.symbol == kNone || !is_plain || step.op != "++" ||
            !is_name_of(step.a, counted.symbol) || !starts_at_zero(loop, counted.symbol) || !place.own)
            return;
        if (bound.op == "0" || bound.op == "1") return;  // only the last iteration may be out of bounds
        InclusiveLoop found;
        found.place = {"", place.line, place.column};
        found.variable = counted.op;
        found.bound = bound.op;
        const std::string shown(bound.macro.empty() ? bound.op : bound.macro);
        const std::string sign(condition.op);
        found.condition = is_less ? found.variable + " <= " + shown : shown + " >= " + found.variable;
        found.instead = is_less ? found.variable + " < " + shown : shown + " > " + found.variable;
        collect_in(loop.body, counted.symbol, found.accesses);
        if (!found.accesses.empty()) found_.push_back(std::move(found));
    }

    void collect_in(StatementId id, SymbolId variable, std::vector<XrayPlace>& accesses) const {
        if (id == kNone) return;
        const Statement& s = program_.statement(id);
        collect(s.expr, variable, accesses);
        collect(s.step, variable, accesses);
        for (const SymbolId symbol : s.symbols) collect(program_.symbol(symbol).initial, variable, accesses);
        for (const StatementId child : s.children) collect_in(child, variable, accesses);
        collect_in(s.init, variable, accesses);
        collect_in(s.body, variable, accesses);
        collect_in(s.otherwise, variable, accesses);
    }

    void collect(ExprId id, SymbolId variable, std::vector<XrayPlace>& accesses) const {
        if (id == kNone || accesses.size() >= kMostAccesses) return;
        const Expr& e = program_.expr(id);
        if (e.kind == ExprKind::Index && depends(e, variable)) {
            const Expr* base = &e;
            while (base->kind == ExprKind::Index) base = &program_.expr(base->a);
            const Place& place = program_.place(base->place);
            const XrayPlace access{"", place.line, place.column};
            // a[k] is a part of a[k][0].
            if (place.own && (accesses.empty() || accesses.back() != access)) accesses.push_back(access);
        }
        for (const ExprId part : {e.a, e.b, e.c}) collect(part, variable, accesses);
        for (const ExprId item : e.items) collect(item, variable, accesses);
    }

    /// True if one of the indices of a[…][…] reads the variable itself.
    bool depends(const Expr& index, SymbolId variable) const {
        const Expr* at = &index;
        for (; at->kind == ExprKind::Index; at = &program_.expr(at->a))
            if (reads(at->b, variable)) return true;
        return false;
    }

    bool reads(ExprId id, SymbolId variable) const {
        if (id == kNone) return false;
        const Expr& e = program_.expr(id);
        return is_name_of(id, variable) || reads(e.a, variable) || reads(e.b, variable) ||
               reads(e.c, variable) ||
               std::ranges::any_of(e.items, [&](ExprId item) { return reads(item, variable); });
    }

    const Program& program_;
    std::vector<InclusiveLoop> found_;
};

}  // namespace

std::vector<InclusiveLoop> find_inclusive_loops(const Program& program) {
    return LoopSearch(program).find();
}

}  // namespace kwb::source
