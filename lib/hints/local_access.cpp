#include "hints/local_access.hpp"

#include <algorithm>
#include <set>

namespace kwb::hints {
namespace {

/// Collects the values for `lid == 0` and `!lid`, also as operands of &&.
void read_only(const Values& values, ExprId id, std::vector<std::string>& only, int depth) {
    const Expr& e = values.program.expr(values.resolve(id));
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
            const bool changes = values.any_part(guard.condition, [&](ExprId part) {
                const SymbolId symbol = values.program.expr(part).symbol;
                return symbol != kNone && before.changed != nullptr && before.changed->contains(symbol);
            });
            if (!changes) return true;
        }
    return false;
}

/// True for s[0] under lid == 0.
bool is_own_by_guard(const LocalAccess& access) {
    for (const Guard& guard : access.guards)
        for (const std::string& value : guard.only)
            if (!access.index.empty() &&
                std::ranges::all_of(
                    access.index, [&](const std::string& text) { return text == value; }, &Dimension::text))
                return true;
    return false;
}

void split(const Values& values, ExprId id, bool negative, std::vector<Term>& terms, int depth) {
    const ExprId followed = values.resolve(id);
    if (followed == kNone || depth > 20) return;
    const Program& program = values.program;
    const Expr& e = program.expr(followed);
    if (e.kind == ExprKind::Binary && (e.op == "+" || e.op == "-")) {
        split(values, e.a, negative, terms, depth + 1);
        split(values, e.b, negative != (e.op == "-"), terms, depth + 1);
        return;
    }
    Term term;
    term.text = (negative ? "-" : "") + values.text(followed);
    term.ids = values.depends_on_ids(followed);
    term.direct = values.is_id(followed) && !negative;
    term.product = e.kind == ExprKind::Binary && (e.op == "*" || e.op == "<<");
    term.group_size = (e.kind == ExprKind::Call && e.op == "get_local_size") ||
                      (e.kind == ExprKind::Number && !program.place(e.place).macro.empty());
    term.opaque = term.ids && values.any_part(followed, [&](ExprId part) {
        const Expr& name = program.expr(part);
        const bool unknown = name.kind == ExprKind::Name && values.resolve(part) == part;
        return (unknown && values.depends_on_ids(part)) || name.kind == ExprKind::Index;
    });
    terms.push_back(term);
}

/// The texts of the terms that depend (or do not depend) on ids.
std::multiset<std::string> texts(const Dimension& dimension, bool ids) {
    std::multiset<std::string> out;
    for (const Term& term : dimension.terms)
        if (term.ids == ids && term.text != "0") out.insert(term.text);
    return out;
}

/// The uniform terms of `one` that `other` does not have.
std::vector<Term> without(const Dimension& one, const Dimension& other) {
    const auto there = texts(other, false);
    std::vector<Term> out;
    for (const Term& term : one.terms)
        if (!term.ids && term.text != "0" && !there.contains(term.text)) out.push_back(term);
    return out;
}

bool all_products(const std::vector<Term>& terms) {
    return !terms.empty() && std::ranges::all_of(terms, &Term::product);
}

/// True if one of the terms has this property.
bool has(const std::vector<Term>& terms, bool Term::*property) {
    return std::ranges::any_of(terms, property);
}

/// Compares one dimension, in which the two indices differ.
bool dimension_may_meet(const Dimension& store, const Dimension& read) {
    if (has(store.terms, &Term::opaque) || has(read.terms, &Term::opaque)) return false;
    const std::vector<Term> of_store = without(store, read), of_read = without(read, store);
    if (has(of_store, &Term::product) && has(of_read, &Term::product))
        return false;  // cur * SIZE and (1 - cur) * SIZE
    if (!read.ids) return store.ids;
    if (!has(store.terms, &Term::direct) && !has(read.terms, &Term::direct))
        return false;  // strips, and trees such as offset * (2 * lid + 1)
    if (texts(store, true) != texts(read, true)) return true;
    // Equal except for uniform terms: s[lid] and s[lid + 1] overlap, s[lid] and s[lid + WG] do not.
    const std::vector<Term>& more = of_store.empty() ? of_read : of_store;
    if (!of_store.empty() && !of_read.empty()) return !all_products(of_store) && !all_products(of_read);
    return !more.empty() && !has(more, &Term::group_size) && !has(more, &Term::product);
}

/// True if a work-item's store at `store` and another work-item's read at `read` may access the same element.
/// False if unsure. Both have one entry for each index of the access.
bool may_meet(const std::vector<Dimension>& store, const std::vector<Dimension>& read) {
    if (store.size() != read.size()) return false;
    bool differs = false;
    for (std::size_t i = 0; i < store.size(); ++i) {
        if (store[i].text == read[i].text) continue;
        // Another buffer or another row, or each work-item fills the whole array for itself.
        if (!store[i].ids) return false;
        if (!dimension_may_meet(store[i], read[i])) return false;
        differs = true;
    }
    return differs;
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
    // s[0] under lid == 0 is that work-item's own s[lid]
    if ((is_own_by_guard(read) || is_own_by_guard(store)) && (store.has_ids() || read.has_ids()))
        return false;
    if (!store.has_ids()) {
        // A race only if a single work-item stores first and all work-items read the same element afterwards.
        if (now.store || !store.single() || read.single()) return false;
        return std::ranges::equal(store.index, read.index, {}, &Dimension::text, &Dimension::text);
    }
    return may_meet(store.index, read.index);
}

Dimension read_dimension(const Values& values, ExprId index) {
    Dimension dimension;
    dimension.text = values.text(index);
    split(values, index, false, dimension.terms, 0);
    dimension.ids = has(dimension.terms, &Term::ids);
    return dimension;
}

}  // namespace kwb::hints
