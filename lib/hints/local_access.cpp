#include "hints/local_access.hpp"

namespace kwb::hints {
namespace {

/// Collects the values for `lid == 0` and `!lid`, also as operands of &&.
void read_only(const Values& values, ExprId id, std::vector<std::string>& only, int depth) {
    const Expr& e = values.program().expr(values.resolve(id));
    if (depth > 20) return;
    if (e.kind == ExprKind::Binary && e.op == "&&") {
        read_only(values, e.a, only, depth + 1);
        read_only(values, e.b, only, depth + 1);
    } else if (e.kind == ExprKind::Binary && e.op == "==") {
        const bool a = values.depends_on_ids(e.a), b = values.depends_on_ids(e.b);
        if (a != b) only.push_back(values.text(a ? e.b : e.a));
    } else if (e.kind == ExprKind::Unary && e.op == "!") {
        only.push_back("0");
    }
}

/// Under the same condition the indices may be disjoint, as in a tree reduction.
bool under_same_guard(const Values& values, const LocalAccess& before, const LocalAccess& now, bool carried) {
    for (const Guard& guard : before.guards)
        for (const Guard& other : now.guards) {
            if (guard.text != other.text) continue;
            if (!guard.only.empty() || !carried) return true;
            bool changes = false;
            values.visit(guard.condition, [&](ExprId part) {
                const SymbolId symbol = values.program().expr(part).symbol;
                changes = changes ||
                          (symbol != kNone && before.changed != nullptr && before.changed->contains(symbol));
            });
            if (!changes) return true;
        }
    return false;
}

/// True for s[0] under lid == 0.
bool is_own_by_guard(const LocalAccess& access) {
    for (const Guard& guard : access.guards)
        for (const std::string& value : guard.only)
            if (std::all_of(access.index.begin(), access.index.end(),
                            [&](const Dimension& dimension) { return dimension.text == value; }) &&
                !access.index.empty())
                return true;
    return false;
}

}  // namespace

Guard read_guard(const Values& values, ExprId condition) {
    Guard guard{values.text(condition), condition, {}};
    read_only(values, condition, guard.only, 0);
    return guard;
}

bool may_race(const Values& values, const LocalAccess& before, const LocalAccess& now) {
    const bool carried = before.carried_by != kNone;
    if (before.statement == now.statement && !carried) return false;
    const LocalAccess& store = now.store ? now : before;
    const LocalAccess& read = now.store ? before : now;
    if (under_same_guard(values, before, now, carried)) return false;
    if (is_own_by_guard(read) || is_own_by_guard(store)) {
        // s[0] under lid == 0 is that work-item's own s[lid]
        if (store.has_ids() || read.has_ids()) return false;
    }
    if (!store.has_ids()) {
        // A race only if a single work-item stores first and all work-items read the same element afterwards.
        if (now.store || !store.single() || read.single()) return false;
        return std::equal(store.index.begin(), store.index.end(), read.index.begin(), read.index.end(),
                          [](const Dimension& a, const Dimension& b) { return a.text == b.text; });
    }
    return may_meet(store.index, read.index);
}

}  // namespace kwb::hints
