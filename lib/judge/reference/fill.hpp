// What a person's own problem puts into its buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "judge/reference/reference.hpp"
#include "model/declared_instance.hpp"
#include "model/problem.hpp"

namespace kwb {

/// The content of a buffer, each component of a vector an element of its own.
/// @param fill    anything but an array
/// @param stream  chooses the random numbers; the same one gives the same content
/// Uniform and normal numbers are rounded to the type, and stay below the range's end where it has room.
/// A ramp of whole numbers goes round at the end of its type.
/// Normal numbers: G. Box, M. Muller, "A note on the generation of random normal deviates", 1958.
std::vector<std::byte> make_content(const BufferSpec& buffer, const Fill& fill, std::uint64_t stream,
                                    const Checkpoint& checkpoint);

}  // namespace kwb
