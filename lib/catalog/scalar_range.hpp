// Whether a number fits into an argument's type.
#pragma once

#include <string>

#include "catalog/number.hpp"
#include "model/element.hpp"

namespace kwb {

/// @param type  of one component
/// @return  "is 1000, but char holds -128 … 127; give another number, or another type"; empty if it fits.
///          Rounding to a floating-point type is no fault, becoming infinite is one.
std::string find_range_fault(const Number& value, const ElementType& type);

}  // namespace kwb
