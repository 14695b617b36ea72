// Whether the conditions around an access may keep it from happening.
#pragma once

#include <cstdint>

#include "hints/values.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

/// May an access behind this condition still happen, in all rounds of the loops around? Says no where unsure:
/// each part of the condition must be about the work-item's ids and the kernel's arguments alone, and no part
/// may compare with something as large as the array, as `lid >= 16` does where an array has 16 elements.
/// @param condition  of an if, a choice, a jump; its parts joined by && || !
/// @param extent     the array's elements in the dimension in question
bool may_pass(const Values& values, ExprId condition, std::int64_t extent, Steps& steps);

/// Does the condition of a loop mention an argument, so that the loop may well run?
bool mentions_argument(const Values& values, ExprId condition);

}  // namespace kwb::hints
