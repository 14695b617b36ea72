// SPDX-License-Identifier: Apache-2.0
// What buffers contain before a run: inputs generated from a seed, poison, guard zones.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/half.hpp"
#include "base/named.hpp"
#include "judge/reference/large_arrays.hpp"
#include "model/declared_instance.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Calls `use` with a value of the C++ type of a scalar, and returns the result.
/// @throws ContractError  no such scalar
template <class Use>
decltype(auto) with_scalar_type(Scalar scalar, Use&& use) {
    switch (scalar) {
        case Scalar::Int8:
            return use(std::int8_t{});
        case Scalar::UInt8:
            return use(std::uint8_t{});
        case Scalar::Int16:
            return use(std::int16_t{});
        case Scalar::UInt16:
            return use(std::uint16_t{});
        case Scalar::Int32:
            return use(std::int32_t{});
        case Scalar::UInt32:
            return use(std::uint32_t{});
        case Scalar::Int64:
            return use(std::int64_t{});
        case Scalar::UInt64:
            return use(std::uint64_t{});
        case Scalar::Float16:
            return use(Half{});
        case Scalar::Float32:
            return use(float{});
        case Scalar::Float64:
            return use(double{});
    }
    throw ContractError("with_scalar_type: no such scalar");
}

/// The two passes of verification.
enum class Pass {
    Exact,  ///< small integers: every order of summation gives the same bits
    Real    ///< uniform random numbers
};

std::string_view to_string(Pass pass);

/// A random sequence of 64-bit numbers with random access by index.
/// Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014 (SplitMix64).
std::uint64_t random_at(std::uint64_t seed, std::uint64_t index);

/// The same as numbers in [0, 1), with 53 random bits.
double share_at(std::uint64_t seed, std::uint64_t index);

/// The seed of one stream of random numbers within a run, different for each purpose. From a stream its seed
/// can be computed, but neither the run's seed nor any other stream (SHA-256).
std::uint64_t derive_seed(std::uint64_t seed, std::string_view purpose);

/// A secret to make inputs from, below 2^53: readers of JSON that keep all numbers as doubles repeat it
/// exactly.
std::uint64_t draw_seed();

/// Fills with uniform numbers in [-1, 1): the multiples of half a unit in the last place of 1, all exact.
/// @param first  index of values[0] in the sequence, so that an array can be filled in steps
template <class T>
void fill_uniform(std::span<T> values, std::uint64_t seed, std::uint64_t first = 0) {
    constexpr int kDigits = std::numeric_limits<T>::digits;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto bits = static_cast<std::int64_t>(random_at(seed, first + i) >> (64 - kDigits));
        values[i] = static_cast<T>(bits - (std::int64_t{1} << (kDigits - 1))) *
                    (2 / static_cast<T>(std::uint64_t{1} << kDigits));
    }
}

/// Fills with integers of magnitude 1 … `magnitude`, of either sign if T has one; never zero.
/// @param magnitude  that T represents exactly
/// @param first      as above
template <class T>
void fill_integers(std::span<T> values, std::uint64_t seed, unsigned magnitude, std::uint64_t first = 0) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t random = random_at(seed, first + i);
        const auto size = static_cast<T>(1 + (random >> 32) % magnitude);
        values[i] = std::is_unsigned_v<T> || (random & 1u) != 0 ? size : static_cast<T>(-size);
    }
}

/// Fills a guard zone with noise that a kernel cannot know. For floating-point types every element is NaN, so
/// that an out-of-bounds *read* shows in the result even when the value is multiplied by zero.
void fill_guard(std::span<std::byte> zone, const ElementType& type, std::uint64_t seed);

/// What an output contains before a checked run: NaN for floating-point types; for integers a pattern that
/// differs between the passes, because a correct value may happen to equal one pattern, but not both.
/// @return  the bytes of one scalar
std::vector<std::uint8_t> poison_pattern(const ElementType& type, Pass pass);

template <class T>
std::span<const T> numbers_in(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class T>
std::span<T> numbers_in(std::vector<std::byte>& bytes) {
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class T>
double to_double(T x) {
    return static_cast<double>(x);
}

template <class T>
double magnitude_of(T x) {
    return std::fabs(static_cast<double>(x));
}

/// The content of a buffer of a declared problem; each component of a vector counts as an element.
/// @param fill    anything but an array
/// @param stream  chooses the random numbers; the same stream gives the same content
/// Uniform and normal numbers are rounded to the type, and stay below the end of the range where the type
/// allows it. A ramp of integers wraps around at the end of its type. Normal numbers: G. Box, M. Muller, "A
/// note on the generation of random normal deviates", 1958.
std::vector<std::byte> make_content(const BufferSpec& buffer, const Fill& fill, std::uint64_t stream,
                                    const Checkpoint& checkpoint);

}  // namespace kwb
