// Sizes at which broken kernels trip, for a problem of a person's own.
#pragma once

#include <cstdint>
#include <vector>

#include "model/problem.hpp"
#include "model/problem_spec.hpp"

namespace kwb {

/// One size: awkward_lengths(). Several: awkward_edges() all alike, different primes, each of them long where
/// the others are short, and off the tile by one. A size that lists its own awkward values takes those, one
/// after the other.
/// @param tile  the edge that matters to the kernel, at least 1
/// @return  each once; a shape need not have a value at all of them
std::vector<Sizes> list_awkward_sizes(const ProblemSpec& spec, std::int64_t tile);

}  // namespace kwb
