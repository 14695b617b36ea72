// Whether a buffer can hold what it is filled with.
#pragma once

#include <string>

#include "model/declared_instance.hpp"
#include "model/problem.hpp"

namespace kwb {

/// @param fill    evaluated at the buffer's sizes
/// @param buffer  its shape tells how far a ramp goes
/// @param sizes   for the sentence
/// @return  "half cannot hold 100000, only -65504 … 65504; give other numbers, or another type"; empty if
///          all is well. Rounding to a floating-point type is no fault, becoming infinite is one.
std::string find_fill_fault(const Fill& fill, const BufferSpec& buffer, const Sizes& sizes);

/// The least value that a type holds.
double least_value(const ElementType& type);

}  // namespace kwb
