// Walking over parts of a program.
#pragma once

#include <functional>

#include "hints/report.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

/// What is done to the memory or variable that an expression names.
enum class Access : std::uint8_t { Read, Store, Update };

/// Visit every subexpression as it is written, outer ones first. `access` is what the expression around does
/// to it: Store for the target of `=`, Update for those of `+=` and `++`, else Read.
void for_each_expr(const Program& program, ExprId id, Steps& steps,
                   const std::function<void(ExprId, Access)>& see, Access access = Access::Read);

/// The same for all expressions of a statement and those within it, in the order of the text.
void for_each_expr_in(const Program& program, StatementId id, Steps& steps,
                      const std::function<void(ExprId, Access)>& see);

/// Every statement within, outer ones first.
void for_each_statement(const Program& program, StatementId id, Steps& steps,
                        const std::function<void(StatementId)>& see);

/// Does the statement, or the last one of the block that it is, always leave: return, break, continue?
bool ends_in_jump(const Program& program, StatementId id);

}  // namespace kwb::hints
