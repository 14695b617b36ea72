// The content of an input of floats, for either pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "judge/reference/inputs.hpp"
#include "judge/reference/reference.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Exact pass: integers of magnitude 1 … `magnitude`, of either sign. Real pass: uniform in [-1, 1).
/// @param buffer  of floats; its name chooses the stream of numbers
std::vector<std::byte> make_float_input(const BufferSpec& buffer, Pass pass, std::uint64_t seed,
                                        unsigned magnitude, const Checkpoint& checkpoint);

/// Every integer up to here is a float: so many different values that one from a wrong place shows.
inline constexpr unsigned kLargestInteger = 1u << 24;

}  // namespace kwb
