// SPDX-License-Identifier: Apache-2.0
// Products of a large matrix of floats with a few vectors, computed by the host's BLAS; also its name and
// speed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/reference/reference.hpp"
#include "model/finding.hpp"

namespace kwb {

/// "OpenBLAS 0.3.21 (SkylakeX kernels, 2 threads)"
std::string host_blas_name();

/// @param share  the speed of the library's product of matrices, as a share of that of a plain loop of
/// multiply-adds
/// @return  a doubt about the library as an anchor. Where it uses all of a CPU, it reaches 0.7 to 1.
std::optional<Finding> find_slow_library(double share);

/// The same, with the share as measured on one thread, once and within some 0.1 s; nullopt also if this
/// CPU has no such loop.
const std::optional<Finding>& find_slow_library();

/// Row-major.
struct FloatMatrix {
    std::span<const float> values;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};

/// Converts a piece of a matrix to double precision.
using Widen = std::function<void(std::span<const float> from, double* to)>;
void widen_plain(std::span<const float> from, double* to);

/// M X.
/// @param x      m.columns rows of `width` numbers
/// @return       m.rows rows of `width` numbers
std::vector<double> multiply_right(const FloatMatrix& m, std::span<const double> x, std::int64_t width,
                                   const Checkpoint& checkpoint, const Widen& widen = widen_plain);

/// X M.
/// @param x      `height` rows of m.rows numbers
/// @return       `height` rows of m.columns numbers
std::vector<double> multiply_left(std::span<const double> x, std::int64_t height, const FloatMatrix& m,
                                  const Checkpoint& checkpoint, const Widen& widen = widen_plain);

/// The selected rows, concatenated.
std::vector<double> take_rows(const FloatMatrix& m, std::span<const std::int64_t> rows);

/// The selected columns as a matrix with m.rows rows.
std::vector<double> take_columns(const FloatMatrix& m, std::span<const std::int64_t> columns,
                                 const Checkpoint& checkpoint);

/// An extent in the type that BLAS expects; extents are at most INT32_MAX (problems/problem.cpp).
int blas_int(std::int64_t value);

/// Double-precision speed of the host's BLAS in floating-point operations per second; measured once.
double host_flops_per_s();

}  // namespace kwb
