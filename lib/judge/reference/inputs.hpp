// What goes into a kernel: inputs from a seed, poison, guard zones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "model/problem.hpp"

namespace kwb {

/// The two passes of verification.
enum class Pass {
    Exact,  ///< small integers: every order of summation gives the same bits
    Real    ///< uniform random numbers
};

std::string_view to_string(Pass pass);

/// A sequence of 64-bit numbers in which each can be had by its index.
/// Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014 (SplitMix64).
std::uint64_t random_at(std::uint64_t seed, std::uint64_t index);

/// The seed of one stream of numbers within a run, different for each purpose.
std::uint64_t derive_seed(std::uint64_t seed, std::string_view purpose);

/// Fill with uniform numbers in [-1, 1), as floats.
/// @param first  index of values[0] in the sequence, so that an array can be filled piece by piece
void fill_uniform(std::span<float> values, std::uint64_t seed, std::uint64_t first = 0);

/// Fill with integers of magnitude 1 … `magnitude` of either sign, as floats; never zero.
/// @param first  as above
void fill_integers(std::span<float> values, std::uint64_t seed, unsigned magnitude, std::uint64_t first = 0);

/// Fill a guard zone with noise that a kernel cannot know. For floating-point types every element of it is
/// not-a-number, so that a stray *read* shows in the result, even where it is multiplied by zero.
void fill_guard(std::span<std::byte> zone, const ElementType& type, std::uint64_t seed);

/// What an output holds before a checked run: NaN for floating-point types; for integers a pattern that
/// differs between the passes, so that a value that happens to equal one shows against the other.
/// @return  the bytes of one scalar
std::vector<std::uint8_t> poison_pattern(const ElementType& type, Pass pass);

}  // namespace kwb
