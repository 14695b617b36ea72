// The inputs and correct outputs of the shipped problems. find_solver() (reference.hpp) finds them by name.
#pragma once

#include <cstdint>
#include <initializer_list>
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
MakeInputs copy_inputs, vector_add_inputs, saxpy_inputs, sum_inputs, max_inputs, scan_inputs,
    histogram_inputs, fma_chain_inputs;
Solve solve_copy, solve_vector_add, solve_saxpy, solve_sum, solve_max, solve_scan, solve_histogram,
    solve_fma_chain;
RunHostLibrary copy_on_host;

// matrices.cpp
MakeInputs matmul_inputs, transpose_inputs, convolution_inputs, stencil_inputs;
Solve solve_matmul, solve_transpose, solve_convolution, solve_stencil;
RunHostLibrary multiply_on_host, transpose_on_host;

/// The inputs `names`, each made by make_float_input().
Contents make_float_inputs(const ProblemInstance& instance, std::initializer_list<const char*> names,
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
