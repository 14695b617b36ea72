// Finds guards of two dimensions that are joined by the wrong one of && and ||.
#include <fmt/core.h>

#include "hints/analyses.hpp"
#include "hints/tree.hpp"

namespace kwb::hints {
namespace {

/// One comparison in a guard, e.g. row >= M.
struct Limit {
    ExprId value = kNone;  ///< row
    ExprId bound = kNone;  ///< M
    bool beyond = false;   ///< >= or >, instead of < or <=
};

class Guards {
public:
    Guards(const Values& values, Steps& steps, Findings& findings)
        : values_(values), program_(values.program()), steps_(steps), findings_(findings) {}

    void run(const Function& function) {
        for_each_statement(program_, function.body, steps_, [&](StatementId id) {
            const Statement& s = program_.statement(id);
            if (s.kind != StatementKind::If || s.expr == kNone) return;
            const std::string_view op = program_.expr(s.expr).op;
            if (program_.expr(s.expr).kind != ExprKind::Binary) return;
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

    /// @return  the comparisons joined by `op`; empty if there are other operands
    std::vector<Limit> limits(ExprId id, std::string_view op, bool beyond) const {
        const Expr& e = program_.expr(id);
        if (e.kind == ExprKind::Binary && e.op == op) {
            std::vector<Limit> left = limits(e.a, op, beyond), right = limits(e.b, op, beyond);
            if (left.empty() || right.empty()) return {};
            left.insert(left.end(), right.begin(), right.end());
            return left;
        }
        if (e.kind != ExprKind::Binary) return {};
        const bool less = e.op == "<" || e.op == "<=", more = e.op == ">" || e.op == ">=";
        if (!less && !more) return {};
        const bool a = values_.depends_on_ids(e.a), b = values_.depends_on_ids(e.b);
        if (a == b) return {};
        const Limit limit{a ? e.a : e.b, a ? e.b : e.a, a == more};
        if (limit.beyond != beyond) return {};
        return {limit};
    }

    bool two_dimensions(const std::vector<Limit>& found) const {
        return found.size() == 2 && values_.text(found[0].value) != values_.text(found[1].value);
    }

    /// True if both values occur in the index.
    bool uses_both(ExprId index, const std::vector<Limit>& found) const {
        bool used[2] = {false, false};
        const std::string texts[2] = {values_.text(found[0].value), values_.text(found[1].value)};
        values_.visit(index, [&](ExprId part) {
            const std::string text = values_.text(part);
            for (int i = 0; i < 2; ++i) used[i] = used[i] || text == texts[i];
        });
        return used[0] && used[1];
    }

    bool is_global_access(const Expr& e) const {
        if (e.kind != ExprKind::Index) return false;
        const SymbolId base = values_.base(e.a);
        return base != kNone && program_.symbol(base).space == Space::Global && program_.symbol(base).pointer;
    }

    /// if (row >= M && col >= N) return;   followed by   C[row * N + col] = …   without another guard
    void check_return(const Function& function, const Statement& s) {
        const auto found = limits(s.expr, "&&", true);
        if (!two_dimensions(found)) return;
        bool used = false, guarded = false;
        for_each_expr_in(program_, function.body, steps_, [&](ExprId id, Access) {
            const Expr& e = program_.expr(id);
            if (e.place <= program_.expr(s.expr).place || is_within(s.expr, id)) return;
            if (is_global_access(e)) used = used || uses_both(e.b, found);
            if (e.kind == ExprKind::Binary && (e.op[0] == '<' || e.op[0] == '>') && e.op != "<<" &&
                e.op != ">>")
                for (const Limit& limit : found) {
                    const std::string text = values_.text(limit.value);
                    guarded = guarded || values_.text(e.a) == text || values_.text(e.b) == text;
                }
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
        const auto found = limits(s.expr, "||", false);
        if (!two_dimensions(found)) return;
        bool wrong = false;
        for_each_expr_in(program_, s.body, steps_, [&](ExprId id, Access access) {
            const Expr& e = program_.expr(id);
            if (access == Access::Read || !is_global_access(e) || !uses_both(e.b, found)) return;
            // If the bound is the row length (a factor in the index), an index beyond it is in another row.
            values_.visit(e.b, [&](ExprId part) {
                const Expr& product = program_.expr(part);
                if (product.kind != ExprKind::Binary || product.op != "*") return;
                for (const Limit& limit : found) {
                    const std::string text = values_.text(limit.bound);
                    wrong = wrong || values_.text(product.a) == text || values_.text(product.b) == text;
                }
            });
        });
        if (!wrong) return;
        findings_.add(
            program_.place(s.place), "guard",
            "This guard lets work-items store that are inside in one dimension only, beyond the end of a row "
            "or of the buffer; join the comparisons with && instead of ||.");
    }

    bool is_within(ExprId outer, ExprId inner) {
        bool found = false;
        for_each_expr(program_, outer, steps_, [&](ExprId id, Access) { found = found || id == inner; });
        return found;
    }

    const Values& values_;
    const Program& program_;
    Steps& steps_;
    Findings& findings_;
};

}  // namespace

void find_wrong_guards(const Values& values, Steps& steps, Findings& findings) {
    for (const Function& function : values.program().functions)
        if (function.kernel && function.readable) Guards(values, steps, findings).run(function);
}

}  // namespace kwb::hints
