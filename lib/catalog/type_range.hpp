// Whether numbers fit into their types.
#pragma once

#include <string>

#include "catalog/number.hpp"
#include "model/declared_instance.hpp"
#include "model/element.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Whether a buffer can hold what it is filled with. Rounding to a floating-point type is no fault, becoming
/// infinite is one.
/// @param fill    evaluated at the buffer's sizes
/// @param buffer  its shape tells how far a ramp goes
/// @param sizes   for the message
/// @return  "half cannot hold 100000, only -65504 … 65504; give other numbers, or another type"; empty if
///          it can
std::string find_fill_fault(const Fill& fill, const BufferSpec& buffer, const Sizes& sizes);

/// The least value that a type holds.
double least_value(const ElementType& type);

/// The same for one number of an expression.
/// @param type  of one component
/// @return  "is 1000, but char holds -128 … 127; give another number, or another type"; empty if it fits
std::string find_range_fault(const Number& value, const ElementType& type);

}  // namespace kwb
