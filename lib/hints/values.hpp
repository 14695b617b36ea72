// What the source alone shows about the values of expressions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hints/report.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

/// The value of a number in the tree; nullopt if it has a fraction.
std::optional<std::int64_t> integer_value(std::string_view digits);

/// True for get_global_id and other functions whose value differs between the work-items of a group.
bool is_id_function(std::string_view name);

/// True for barrier and work_group_barrier, at which the whole work-group waits.
bool is_barrier(std::string_view name);

/// True for atomic_add, atom_inc, atomic_fetch_add_explicit, …
bool is_atomic(std::string_view name);

/// Evaluates expressions. Variables that never change after their declaration are replaced by their initial
/// value.
class Values {
public:
    Values(const Program& program, Steps& steps);

    /// Replaces a name of an unchanged private scalar by its initial expression, repeatedly.
    ExprId resolve(ExprId id) const;

    /// An expression as text, equal for equal expressions in simple cases; variables are represented by their
    /// symbol, not by their name.
    std::string text(ExprId id) const;

    /// The value of an expression of literals; nullopt if it is not constant.
    std::optional<std::int64_t> constant(ExprId id) const;

    /// Visits every subexpression, outer ones first, including the initial expressions of resolved names.
    void visit(ExprId id, const std::function<void(ExprId)>& see) const;

    /// True if the value may differ between the work-items of a group, considering all assignments in the
    /// program.
    bool depends_on_ids(ExprId id) const;

    /// True for get_local_id(d) or get_global_id(d), also through the name of a variable.
    bool is_id(ExprId id, std::string_view function = {}) const;

    /// The variable under indices, members, dereferences and additions: `a` in a[i][j].x and *(a + i).
    SymbolId base(ExprId id) const;

    const Program& program() const { return program_; }

private:
    void write(ExprId id, std::string& out, int depth) const;
    void visit(ExprId id, const std::function<void(ExprId)>& see, int depth) const;
    std::optional<std::int64_t> constant(ExprId id, int depth) const;
    void find_dependent();
    bool follows(const Symbol& symbol) const;

    const Program& program_;
    Steps& steps_;
    std::vector<char> dependent_;  // indexed by symbol
};

}  // namespace kwb::hints
