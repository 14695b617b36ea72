// Recognizes expressions that are uniform within a work-group although they contain an id.
#pragma once

#include "hints/values.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

/// True for get_global_id(0) - get_local_id(0) and get_global_id(0) / get_local_size(0).
/// @param e  a binary expression
bool is_group_constant(const Values& values, const Expr& e);

/// True for loops such as for (i = get_local_id(0); i < 1024; i += 256): every work-item makes the same
/// number of iterations if the group is not larger than the step.
/// @return  false for loops of any other form
bool has_same_trip_count(const Values& values, const Statement& loop);

}  // namespace kwb::hints
