// Converts the bytes of a correct output to a reference for comparison, and describes what that leaves
// unchecked.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "judge/reference/reference.hpp"
#include "model/declared_instance.hpp"

namespace kwb {

/// @param right      the correct content of `buffer`; buffer.bytes() bytes
/// @param tolerance  stored as a rule instead of bounds; `absolute` is at least its value in the buffer's
///                   type: 0.1 means 0.1f for floats
OutputReference make_output_reference(const BufferSpec& buffer, std::span<const std::byte> right,
                                      const Tolerance& tolerance, const Checkpoint& checkpoint);

/// Largest error that a tolerance allows; 0 if none, e.g. for a relative tolerance where 0 is expected.
double allowed_error(const Tolerance& tolerance, double expected, Scalar scalar);

/// The distance from |value| to the next larger number of the type; 1 for integers.
double unit_in_last_place(double value, Scalar scalar);

/// Expected values that are infinite or NaN check little: whatever a kernel adds to them does not change
/// them.
/// @return  one sentence for each output that has such values: "100 of 100 expected values of y are not
///          finite: …"
std::vector<std::string> describe_unchecked(const PassData& data, const Checkpoint& checkpoint);

}  // namespace kwb
