// The inputs and correct outputs of the shipped problems. find_solver() (reference.hpp) finds them by name.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "judge/reference/reference.hpp"

namespace kwb {

/// One pass of a problem: ReferenceSolver::make().
using MakePassData = PassData(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                              const Checkpoint& checkpoint);
/// One run with the host's BLAS: ReferenceSolver::run_host_library().
using RunHostLibrary = void(const ProblemInstance& instance, const PassData& inputs,
                            std::vector<std::vector<std::byte>>& outputs);

// vectors.cpp
MakePassData make_copy, make_vector_add, make_saxpy, make_sum, make_max, make_scan, make_histogram,
    make_fma_chain;
RunHostLibrary copy_on_host;

// matrices.cpp
MakePassData make_matmul, make_transpose, make_convolution, make_stencil;
RunHostLibrary multiply_on_host, transpose_on_host;

/// make_matmul() with another limit than five seconds.
/// @param most_full_ms  estimated time of the references of both passes from which the product is checked
///                      with random vectors instead (product_probe.hpp)
PassData make_product(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                      const Checkpoint& checkpoint, double most_full_ms);

/// A pass with the inputs `names`, made by make_float_input(), and no outputs yet.
PassData make_float_inputs(const ProblemInstance& instance, std::initializer_list<const char*> names,
                           Pass pass, std::uint64_t seed, unsigned magnitude, const Checkpoint& checkpoint);

inline std::span<const float> floats_of_input(const PassData& data, std::size_t number) {
    return floats(data.inputs[number].value);
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
