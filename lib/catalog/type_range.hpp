// SPDX-License-Identifier: Apache-2.0
// Checks whether numbers fit into their types.
#pragma once

#include <string>

#include "catalog/value.hpp"
#include "model/declared_instance.hpp"
#include "model/element.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Check whether a buffer's type can hold the values of its fill. Rounding to a floating-point type is
/// allowed; overflow to infinity is not.
/// @param fill    evaluated at the buffer's sizes
/// @param buffer  its shape determines the last value of a ramp
/// @param sizes   for the message
/// @return  "half cannot hold 100000, only -65504 … 65504; give other numbers, or another type"; empty if the
///          values fit
std::string find_fill_fault(const Fill& fill, const BufferSpec& buffer, const Sizes& sizes);

/// The smallest value of a type.
double least_value(const ElementType& type);

/// The same check for a single number from an expression.
/// @param type  of one component of a vector
/// @return  "is 1000, but char holds -128 … 127; give another number, or another type"; empty if it fits
std::string find_range_fault(const Number& value, const ElementType& type);

}  // namespace kwb
