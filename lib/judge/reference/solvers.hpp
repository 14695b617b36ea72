// The judge's built-in solvers, one file for each problem. find_solver() (reference.hpp) finds them by name.
#pragma once

#include <cstdint>
#include <memory>

#include "judge/reference/reference.hpp"

namespace kwb {

const ReferenceSolver& convolution_solver();
const ReferenceSolver& copy_solver();
const ReferenceSolver& fma_chain_solver();
const ReferenceSolver& histogram_solver();
const ReferenceSolver& matmul_solver();
const ReferenceSolver& max_solver();
const ReferenceSolver& saxpy_solver();
const ReferenceSolver& scan_solver();
const ReferenceSolver& stencil_solver();
const ReferenceSolver& sum_solver();
const ReferenceSolver& transpose_solver();
const ReferenceSolver& vector_add_solver();

/// @param most_full_ms  estimated time of the references of both passes from which the product is checked
///                      with random vectors instead (product_probe.hpp); matmul_solver() allows five seconds
std::unique_ptr<const ReferenceSolver> make_matmul_solver(double most_full_ms);

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
