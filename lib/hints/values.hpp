// What the source alone shows about the values of expressions, and the ways through its tree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/syntax.hpp"

namespace kwb::hints {

using namespace source;  // the syntax tree that the analyses use

/// The remaining work budget of the analyses, so that no source can block them.
class Steps {
public:
    explicit Steps(std::size_t steps) : left_(steps) {}

    /// @return  false once the budget is used up
    bool take(std::size_t steps = 1) {
        left_ = steps < left_ ? left_ - steps : 0;
        return left_ > 0;
    }
    bool used_up() const { return left_ == 0; }

private:
    std::size_t left_;
};

/// How an expression uses the memory or variable that it names.
enum class Access : std::uint8_t { Read, Store, Update };

/// The value of a number in the tree; nullopt if it has a fraction.
std::optional<std::int64_t> integer_value(std::string_view digits);

/// True for get_global_id and other functions whose value differs between the work-items of a group.
bool is_id_function(std::string_view name);

/// True for atomic_add, atom_inc, atomic_fetch_add_explicit, …
bool is_atomic(std::string_view name);

/// True for ++ and --, before or after their operand.
bool is_increment(const Expr& e);

/// Evaluates expressions. Variables that never change after their declaration are replaced by their initial
/// value.
class Values {
public:
    Values(const Program& parsed, Steps& budget);

    const Program& program;
    Steps& steps;

    /// Replaces a name of an unchanged private scalar by its initial expression, repeatedly.
    ExprId resolve(ExprId id) const;

    /// An expression as text, equal for equal expressions in simple cases; variables are represented by their
    /// symbol, not by their name.
    std::string text(ExprId id) const;

    /// The value of an expression of literals; nullopt if it is not constant.
    std::optional<std::int64_t> constant(ExprId id, int depth = 0) const;

    /// Visits every subexpression, outer ones first, including the initial expressions of resolved names.
    void visit(ExprId id, const std::function<void(ExprId)>& see, int depth = 0) const;

    /// True if `holds` is true for one of the expressions that visit() visits.
    bool any_part(ExprId id, const std::function<bool(ExprId)>& holds) const;

    /// True if the value may differ between the work-items of a group, considering all assignments in the
    /// program.
    bool depends_on_ids(ExprId id) const;

    /// True for get_local_id(d) or get_global_id(d), also through the name of a variable.
    bool is_id(ExprId id, std::string_view function = {}) const;

    /// True for the name of this variable.
    bool is_name_of(ExprId id, SymbolId symbol) const;

    /// The variable under indices, members, dereferences and additions: `a` in a[i][j].x and *(a + i).
    SymbolId base(ExprId id) const;

    /// Visits every subexpression in the source, outer ones first. `access` is what the enclosing expression
    /// does with it: Store for the target of `=`, Update for that of `+=` and `++`, otherwise Read.
    using SeeExpr = std::function<void(ExprId, Access)>;
    void for_each_expr(ExprId id, const SeeExpr& see, Access access = Access::Read) const;

    /// The same for all expressions of a statement and of the statements inside it, in source order.
    void for_each_expr_in(StatementId id, const SeeExpr& see) const;

    /// Visits the statement and every statement inside it, outer ones first.
    void for_each_statement(StatementId id, const std::function<void(const Statement&)>& see) const;

private:
    void write(ExprId id, std::string& out, int depth) const;
    void find_dependent();
    bool follows(const Symbol& symbol) const;

    std::vector<char> dependent_;  // indexed by symbol
};

}  // namespace kwb::hints
