// What an expression stands for, as far as the text alone tells.
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

/// The value of a number of the tree; nothing for one with a fraction.
std::optional<std::int64_t> integer_value(std::string_view digits);

/// get_global_id and the others whose value differs between the work-items of a group.
bool is_id_function(std::string_view name);

/// barrier and work_group_barrier, at which the whole work-group waits.
bool is_barrier(std::string_view name);

/// atomic_add, atom_inc, atomic_fetch_add_explicit, …
bool is_atomic(std::string_view name);

/// Variables that never change after their declaration are taken for what they were declared with.
class Values {
public:
    Values(const Program& program, Steps& steps);

    /// Follow names of unchanged private scalars to their first value.
    ExprId resolve(ExprId id) const;

    /// An expression as text, equal for equal meaning in simple cases; names are those of variables, not
    /// words.
    std::string text(ExprId id) const;

    /// The value of an expression of literals.
    std::optional<std::int64_t> constant(ExprId id) const;

    /// Visit every subexpression, the expression first, resolved names included.
    void visit(ExprId id, const std::function<void(ExprId)>& see) const;

    /// May the value differ between the work-items of a group, by any assignment anywhere?
    bool depends_on_ids(ExprId id) const;

    /// Is it get_local_id(d) or get_global_id(d), possibly under a variable's name?
    bool is_id(ExprId id, std::string_view function = {}) const;

    /// The variable below indices, members, stars and additions: `a` of a[i][j].x and *(a + i).
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
    std::vector<char> dependent_;  // by symbol
};

}  // namespace kwb::hints
