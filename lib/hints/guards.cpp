// Finds guards of two dimensions that are joined by the wrong one of && and ||.
#include <algorithm>

#include "hints/analyses.hpp"

namespace kwb::hints {
namespace {

/// One comparison in a guard, e.g. row >= M.
struct Limit {
    ExprId value = kNone;  ///< row
    ExprId bound = kNone;  ///< M
};

class Guards : Analysis {
public:
    using Analysis::Analysis;

    void run(const Function& function) {
        values_.for_each_statement(function.body, [&](const Statement& s) {
            if (s.kind != StatementKind::If || program_.expr(s.expr).kind != ExprKind::Binary) return;
            const std::string_view op = program_.expr(s.expr).op;
            if (op == "&&" && s.otherwise == kNone && only_returns(s.body)) check_return(function, s);
            if (op == "||") check_store(s);
        });
    }

private:
    bool only_returns(StatementId id) const {
        const Statement& s = program_.statement(id);
        if (s.kind == StatementKind::Return) return true;
        return s.kind == StatementKind::Block && s.children.size() == 1 && only_returns(s.children[0]);
    }

    /// @param beyond  >= and >, instead of < and <=
    std::optional<Limit> limit(ExprId id, bool beyond) const {
        const Expr& e = program_.expr(id);
        if (e.kind != ExprKind::Binary) return std::nullopt;
        const bool less = e.op == "<" || e.op == "<=", more = e.op == ">" || e.op == ">=";
        const bool a = values_.depends_on_ids(e.a), b = values_.depends_on_ids(e.b);
        if ((!less && !more) || a == b || (a == more) != beyond) return std::nullopt;
        return Limit{a ? e.a : e.b, a ? e.b : e.a};
    }

    /// The two comparisons of different values that the condition joins; empty for any other condition.
    std::vector<Limit> two_limits(ExprId condition, bool beyond) const {
        const Expr& e = program_.expr(condition);
        const auto first = limit(e.a, beyond), second = limit(e.b, beyond);
        if (!first || !second || values_.text(first->value) == values_.text(second->value)) return {};
        return {*first, *second};
    }

    /// True if both values occur in the index.
    bool uses_both(ExprId index, const std::vector<Limit>& found) const {
        return std::ranges::all_of(found, [&](const Limit& limit) {
            const std::string wanted = values_.text(limit.value);
            return values_.any_part(index, [&](ExprId part) { return values_.text(part) == wanted; });
        });
    }

    bool is_global_access(const Expr& e) const {
        if (e.kind != ExprKind::Index) return false;
        const SymbolId base = values_.base(e.a);
        return base != kNone && program_.symbol(base).space == Space::Global && program_.symbol(base).pointer;
    }

    /// if (row >= M && col >= N) return;   followed by   C[row * N + col] = …   without another guard
    void check_return(const Function& function, const Statement& s) {
        const auto found = two_limits(s.expr, true);
        if (found.empty()) return;
        bool used = false, guarded = false;
        values_.for_each_expr_in(function.body, [&](ExprId id, Access) {
            const Expr& e = program_.expr(id);
            if (id <= s.expr) return;  // before or in the condition
            if (is_global_access(e)) used = used || uses_both(e.b, found);
            const bool compares = e.op == "<" || e.op == "<=" || e.op == ">" || e.op == ">=";
            guarded = guarded || (compares && std::ranges::any_of(found, [&](const Limit& limit) {
                                      return is_operand(e, limit.value);
                                  }));
        });
        if (!used || guarded) return;
        findings_.add(
            program_.place(s.place), "guard",
            "This guard excludes only work-items that are outside in both dimensions; those outside "
            "in one of them continue and access memory beyond the buffers, so join the comparisons with || "
            "instead of &&.");
    }

    /// if (row < M || col < N) C[row * N + col] = …
    void check_store(const Statement& s) {
        const auto found = two_limits(s.expr, false);
        if (found.empty()) return;
        bool wrong = false;
        values_.for_each_expr_in(s.body, [&](ExprId id, Access access) {
            const Expr& e = program_.expr(id);
            if (access == Access::Read || !is_global_access(e) || !uses_both(e.b, found)) return;
            // If the bound is the row length (a factor in the index), an index beyond it is in another row.
            wrong = wrong || values_.any_part(e.b, [&](ExprId part) {
                const Expr& product = program_.expr(part);
                return product.kind == ExprKind::Binary && product.op == "*" &&
                       std::ranges::any_of(
                           found, [&](const Limit& limit) { return is_operand(product, limit.bound); });
            });
        });
        if (!wrong) return;
        findings_.add(
            program_.place(s.place), "guard",
            "This guard lets work-items store that are inside in one dimension only, beyond the end of a row "
            "or of the buffer; join the comparisons with && instead of ||.");
    }

    /// True if one side of a binary expression is `value`.
    bool is_operand(const Expr& e, ExprId value) const {
        const std::string text = values_.text(value);
        return values_.text(e.a) == text || values_.text(e.b) == text;
    }
};

}  // namespace

void find_wrong_guards(const Values& values, Findings& findings) {
    for (const Function& function : values.program.functions)
        if (function.kernel && function.readable) Guards(values, findings).run(function);
}

}  // namespace kwb::hints
