// What is the same for a whole work-group although an id stands in it.
#pragma once

#include "hints/values.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

/// get_global_id(0) - get_local_id(0), get_global_id(0) / get_local_size(0): the same for a whole group.
/// @param e  a binary expression
bool is_group_constant(const Values& values, const Expr& e);

/// for (i = get_local_id(0); i < 1024; i += 256): every work-item makes as many rounds, if the group is no
/// larger than the step.
/// @return  false for loops of another form
bool has_same_trip_count(const Values& values, const Statement& loop);

}  // namespace kwb::hints
