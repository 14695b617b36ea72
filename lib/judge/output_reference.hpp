// From the bytes of a right answer to what is compared.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "judge/reference.hpp"
#include "model/declared_instance.hpp"

namespace kwb {

/// @param right  the right content of `buffer`, of buffer.bytes()
OutputReference make_output_reference(const BufferSpec& buffer, std::span<const std::byte> right,
                                      const Tolerance& tolerance, const Checkpoint& checkpoint);

/// The distance from |value| to the next larger number of the type; 1 for whole numbers.
double unit_in_last_place(double value, Scalar scalar);

}  // namespace kwb
