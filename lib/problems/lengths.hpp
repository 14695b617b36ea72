// Awkward lengths, for problems whose size is the length of a row of numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/problem.hpp"

namespace kwb {

/// Lengths that broken kernels trip over: 1, primes, and one below and above each of: a vector, a work-group,
/// and a work-group whose work-items take several vectors each.
/// @param name  of the length
/// @param tile  work-items of a work-group, at least 1
/// @return  sizes with this length alone, ascending, each once; all of them are at most 100003
std::vector<Sizes> awkward_lengths(const std::string& name, std::int64_t tile);

}  // namespace kwb
