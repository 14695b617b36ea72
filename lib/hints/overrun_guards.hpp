// Determines whether the conditions around an access may prevent it.
#pragma once

#include <cstdint>

#include "hints/values.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

/// True if an access under this condition may still happen in all iterations of the enclosing loops. False if
/// unsure: each part of the condition must depend only on the work-item's ids and the kernel's arguments, and
/// no part may compare with a number as large as the array, as `lid >= 16` does for an array with 16
/// elements.
/// @param condition  of an if, a ?: or a jump; its parts are joined by && || !
/// @param extent     the number of elements of the array in this dimension
bool may_pass(const Values& values, ExprId condition, std::int64_t extent, Steps& steps);

/// True if the condition of a loop contains an argument, so that the loop probably runs.
bool mentions_argument(const Values& values, ExprId condition);

}  // namespace kwb::hints
