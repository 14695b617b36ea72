#include "hints/local_index.hpp"

#include <algorithm>
#include <set>

namespace kwb::hints {
namespace {

void split(const Values& values, ExprId id, bool negative, std::vector<Term>& terms, int depth) {
    const ExprId followed = values.resolve(id);
    if (followed == kNone || depth > 20) return;
    const Program& program = values.program();
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
    if (term.ids)
        values.visit(followed, [&](ExprId part) {
            const Expr& name = program.expr(part);
            const bool unknown = name.kind == ExprKind::Name && values.resolve(part) == part;
            if ((unknown && values.depends_on_ids(part)) || name.kind == ExprKind::Index) term.opaque = true;
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
    return !terms.empty() &&
           std::all_of(terms.begin(), terms.end(), [](const Term& term) { return term.product; });
}

bool has_direct(const Dimension& dimension) {
    return std::any_of(dimension.terms.begin(), dimension.terms.end(),
                       [](const Term& term) { return term.direct; });
}

bool is_opaque(const Dimension& dimension) {
    return std::any_of(dimension.terms.begin(), dimension.terms.end(),
                       [](const Term& term) { return term.opaque; });
}

/// Compares one dimension, in which the two indices differ.
bool dimension_may_meet(const Dimension& store, const Dimension& read) {
    if (is_opaque(store) || is_opaque(read)) return false;
    const std::vector<Term> of_store = without(store, read), of_read = without(read, store);
    const auto has_product = [](const std::vector<Term>& terms) {
        return std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.product; });
    };
    if (has_product(of_store) && has_product(of_read)) return false;  // cur * SIZE and (1 - cur) * SIZE
    if (!read.ids) return store.ids;
    if (!has_direct(store) && !has_direct(read))
        return false;  // strips, and trees such as offset * (2 * lid + 1)
    if (texts(store, true) != texts(read, true)) return true;
    // Equal except for uniform terms: s[lid] and s[lid + 1] overlap, s[lid] and s[lid + WG] do not.
    const std::vector<Term>& more = of_store.empty() ? of_read : of_store;
    if (!of_store.empty() && !of_read.empty()) return !all_products(of_store) && !all_products(of_read);
    return !more.empty() && std::none_of(more.begin(), more.end(),
                                         [](const Term& term) { return term.group_size || term.product; });
}

}  // namespace

Dimension read_dimension(const Values& values, ExprId index) {
    Dimension dimension;
    dimension.text = values.text(index);
    split(values, index, false, dimension.terms, 0);
    dimension.ids =
        std::any_of(dimension.terms.begin(), dimension.terms.end(), [](const Term& t) { return t.ids; });
    return dimension;
}

bool may_meet(const std::vector<Dimension>& store, const std::vector<Dimension>& read) {
    if (store.size() != read.size()) return false;
    bool differs = false;
    for (std::size_t i = 0; i < store.size(); ++i) {
        if (store[i].text == read[i].text) continue;
        if (!store[i].ids && !read[i].ids) return false;  // another buffer or another row
        if (!store[i].ids) return false;  // each work-item that fills the whole array fills it for itself
        if (!dimension_may_meet(store[i], read[i])) return false;
        differs = true;
    }
    return differs;
}

}  // namespace kwb::hints
