// Traverses parts of a program.
#pragma once

#include <functional>

#include "hints/report.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

/// How an expression uses the memory or variable that it names.
enum class Access : std::uint8_t { Read, Store, Update };

/// Visits every subexpression in the source, outer ones first. `access` is what the enclosing expression does
/// with it: Store for the target of `=`, Update for that of `+=` and `++`, otherwise Read.
void for_each_expr(const Program& program, ExprId id, Steps& steps,
                   const std::function<void(ExprId, Access)>& see, Access access = Access::Read);

/// The same for all expressions of a statement and of the statements inside it, in source order.
void for_each_expr_in(const Program& program, StatementId id, Steps& steps,
                      const std::function<void(ExprId, Access)>& see);

/// Visits the statement and every statement inside it, outer ones first.
void for_each_statement(const Program& program, StatementId id, Steps& steps,
                        const std::function<void(StatementId)>& see);

/// True if the statement, or the last one of a block, always leaves: return, break or continue.
bool ends_in_jump(const Program& program, StatementId id);

}  // namespace kwb::hints
