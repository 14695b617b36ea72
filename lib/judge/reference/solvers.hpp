// SPDX-License-Identifier: Apache-2.0
// The inputs and correct outputs of the shipped problems. find_solver() (reference.hpp) finds them by name.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <utility>

#include "judge/reference/reference.hpp"

namespace kwb {

/// ReferenceSolver::make_inputs()
using MakeInputs = Contents(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                            const Checkpoint& checkpoint);
/// ReferenceSolver::solve()
using Solve = void(const ProblemInstance& instance, Pass pass, PassData& data, Effort effort,
                   const Checkpoint& checkpoint);
/// One run with the host's BLAS: ReferenceSolver::run_host_library().
using RunHostLibrary = void(const ProblemInstance& instance, const PassData& inputs,
                            std::vector<std::vector<std::byte>>& outputs);

// vectors.cpp
MakeInputs copy_inputs, vector_add_inputs, saxpy_inputs, sum_inputs, max_inputs, histogram_inputs,
    fma_chain_inputs;
Solve solve_copy, solve_vector_add, solve_saxpy, solve_sum, solve_max, solve_scan, solve_histogram,
    solve_fma_chain;
RunHostLibrary copy_on_host;

// matrices.cpp
MakeInputs matmul_inputs, transpose_inputs, convolution_inputs, stencil_inputs;
Solve solve_matmul, solve_transpose, solve_convolution, solve_stencil;
RunHostLibrary multiply_on_host, transpose_on_host;

/// Calls `use` with a value of the C++ type of the problem's numbers, which are scalars: float or double.
/// @throws ContractError  another type
template <class Use>
decltype(auto) with_floating_type(const ProblemInstance& instance, Use&& use) {
    const Scalar scalar = instance.buffers.front().type.scalar;
    expects(scalar == Scalar::Float32 || scalar == Scalar::Float64, "with_floating_type: another type");
    return scalar == Scalar::Float32 ? use(float{}) : use(double{});
}

/// The same for float, double, int and unsigned int.
template <class Use>
decltype(auto) with_number_type(const ProblemInstance& instance, Use&& use) {
    const Scalar scalar = instance.buffers.front().type.scalar;
    if (scalar == Scalar::Int32) return use(std::int32_t{});
    if (scalar == Scalar::UInt32) return use(std::uint32_t{});
    return with_floating_type(instance, use);
}

/// The largest number up to which T represents every integer.
template <class T>
inline constexpr double kLargestExact = std::is_integral_v<T>
                                            ? static_cast<double>(std::numeric_limits<T>::max())
                                            : static_cast<double>(std::uint64_t{1}
                                                                  << std::numeric_limits<T>::digits);

/// The largest magnitude of integers for which no sum of `terms` products of `factors` of them exceeds
/// kLargestExact; at least 1.
template <class T>
unsigned exact_magnitude(double terms, int factors) {
    const double root = std::pow(kLargestExact<T> / terms, 1.0 / factors) * (1 - 1e-9);
    return static_cast<unsigned>(
        std::clamp(root, 1.0, static_cast<double>(std::numeric_limits<unsigned>::max())));
}

/// Magnitude of the integers in an input of T that is only copied or compared: with so many distinct values,
/// an element taken from a wrong position is detected.
template <class T>
inline constexpr unsigned kCopiedMagnitude = static_cast<unsigned>(std::min(kLargestExact<T>, 0x1p32 - 1));

/// In what sums of T are computed: integers modulo 2^32, so that those of unsigned integers may wrap around.
template <class T>
using Sum = std::conditional_t<std::is_integral_v<T>, std::uint32_t, double>;

template <class T>
Sum<T> to_sum(T value) {
    return static_cast<Sum<T>>(value);
}

/// The value of a sum.
template <class T>
double from_sum(Sum<T> sum) {
    return static_cast<double>(static_cast<T>(sum));
}

/// Fills with integers to be summed up, so that sums in narrower types or in float are wrong. Unsigned: any
/// value, because sums may wrap around. Signed: of magnitude 1 … `magnitude`, three of four positive.
/// @param first  index of values[0] in the sequence
template <class T>
void fill_terms(std::span<T> values, std::uint64_t seed, unsigned magnitude, std::uint64_t first) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t random = random_at(seed, first + i);
        const auto size = static_cast<T>(1 + (random >> 32) % magnitude);
        const T signed_size = (random & 3u) != 0 ? size : static_cast<T>(-size);
        values[i] = std::is_unsigned_v<T> ? static_cast<T>(random) : signed_size;
    }
}

/// Whether results must be equal to the expected ones.
template <class T>
bool is_exact(Pass pass) {
    return pass == Pass::Exact || std::is_integral_v<T>;
}

/// The unit roundoff in the error bounds of a result of type T. For double twice the true one: the expected
/// values are computed in double and have errors too.
template <class T>
inline constexpr double kRoundoff = std::is_same_v<T, double> ? 0x1p-52 : 0x1p-24;

template <class T>
std::span<const T> input_of(const PassData& data, std::size_t number) {
    return numbers_in<T>(data.inputs[number].value);
}

/// What becomes of the integers of an input: fill_integers() or fill_terms().
enum class Use { Single, Summed };

/// The inputs `names`. Exact pass, and integers in both: integers of magnitude 1 … `magnitude`, of either
/// sign if T has one. Otherwise: uniform in [-1, 1). Each buffer's name chooses its stream of numbers.
template <class T>
Contents random_inputs(const ProblemInstance& instance, std::initializer_list<const char*> names, Pass pass,
                       std::uint64_t seed, unsigned magnitude, const Checkpoint& checkpoint,
                       Use use = Use::Single) {
    Contents inputs;
    for (const char* name : names) {
        auto bytes = make_zeros<std::byte>(instance.find_buffer(name)->bytes(), checkpoint);
        const std::span<T> values = numbers_in<T>(bytes);
        const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + name);
        in_steps(values.size(), checkpoint, [&](std::size_t first, std::size_t count) {
            const std::span<T> part = values.subspan(first, count);
            if constexpr (std::is_floating_point_v<T>)
                if (pass == Pass::Real) return fill_uniform<T>(part, stream, first);
            if (use == Use::Summed && std::is_integral_v<T>)
                fill_terms<T>(part, stream, magnitude, first);
            else
                fill_integers<T>(part, stream, magnitude, first);
        });
        inputs.push_back({name, std::move(bytes)});
    }
    return inputs;
}

/// The effect of the steps of fma_chain on a number: x ↦ scale · x + shift.
struct AffineMap {
    double scale = 1;
    double shift = 0;

    double operator()(double x) const { return scale * x + shift; }
};

/// The map x ↦ a · x + b applied `steps` times, in about 2 log2(steps) operations rather than `steps`.
/// @param steps  at least 0
AffineMap repeat_map(AffineMap step, std::int64_t steps);

}  // namespace kwb
