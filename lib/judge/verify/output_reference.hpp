// From the bytes of a right answer to what is compared.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "judge/reference/reference.hpp"
#include "model/declared_instance.hpp"

namespace kwb {

/// @param right      the right content of `buffer`, of buffer.bytes()
/// @param tolerance  kept as a rule instead of bounds; `absolute` counts as the buffer's own type holds it
///                   where that is more: 0.1 is 0.1f for floats
OutputReference make_output_reference(const BufferSpec& buffer, std::span<const std::byte> right,
                                      const Tolerance& tolerance, const Checkpoint& checkpoint);

/// Largest error that a tolerance allows; 0: none, as a relative one does where 0 is expected.
double allowed_error(const Tolerance& tolerance, double expected, Scalar scalar);

/// The distance from |value| to the next larger number of the type; 1 for whole numbers.
double unit_in_last_place(double value, Scalar scalar);

}  // namespace kwb
