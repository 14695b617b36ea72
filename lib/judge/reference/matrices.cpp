// SPDX-License-Identifier: Apache-2.0
// The shipped problems over matrices: products and transposition by the host's BLAS, convolution and stencils
// in double precision; each with an error bound for every element.
#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "judge/reference/host_blas.hpp"
#include "judge/reference/solvers.hpp"
#include "judge/verify/product_probe.hpp"

namespace kwb {
namespace {

/// Number of floating-point operations between two checkpoints: 5 to 30 ms on one core.
constexpr double kFlopsPerStep = 3e8;

/// Largest magnitude of the integers in the exact pass of floats, which leaves sums of products well below
/// kLargestExact: in a product of matrices, and in a convolution.
constexpr unsigned kMostProductMagnitude = 4;
constexpr unsigned kMostFilterMagnitude = 16;

/// Largest magnitude of the inputs of integer problems, besides the large ones of put_large_factors() and
/// put_large_pixels(), in a product of matrices and in a convolution. Without those, sums reach at most 2^29.
constexpr unsigned kMostFactor = 181;
constexpr unsigned kMostPixel = 5000;

/// Magnitude of the integers for sums of products of two of them.
template <class T>
unsigned product_magnitude(double terms, unsigned most_for_floats, unsigned most_for_integers) {
    if (!std::is_integral_v<T>) return std::min(exact_magnitude<T>(terms, 2), most_for_floats);
    return std::min(static_cast<unsigned>(std::sqrt(0x1p29 / terms)), most_for_integers);
}

using Extents = ProductExtents;

Extents extents_of(const ProblemInstance& instance) {
    return {*find_named(instance.sizes, "M"), *find_named(instance.sizes, "N"),
            *find_named(instance.sizes, "K")};
}

/// A part of C.
struct Tile {
    std::int64_t row, rows, column, columns;
};

/// Calls `step(tile)` for tiles that cover C. Tiles are small enough for frequent checkpoints, and nearly
/// square, so that BLAS packs A and B as rarely as possible.
template <class Step>
void over_tiles(const Extents& e, const Checkpoint& checkpoint, Step&& step) {
    const double elements = std::max(16.0, kFlopsPerStep / (2.0 * static_cast<double>(e.k)));
    const auto fit = [&](std::int64_t extent, double other) {
        return static_cast<std::int64_t>(std::clamp(elements / other, 1.0, static_cast<double>(extent)));
    };
    const std::int64_t most_rows = fit(e.m, std::sqrt(elements));
    const std::int64_t most_columns = fit(e.n, static_cast<double>(most_rows));
    const std::int64_t rows = fit(e.m, static_cast<double>(most_columns));
    for (std::int64_t row = 0; row < e.m; row += rows)
        for (std::int64_t column = 0; column < e.n; column += most_columns) {
            checkpoint();
            step(Tile{row, std::min(rows, e.m - row), column, std::min(most_columns, e.n - column)});
        }
}

/// Computes a tile of C = A B.
void multiply(const Extents& e, const Tile& t, const float* a, const float* b, float* c) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blas_int(t.rows), blas_int(t.columns),
                blas_int(e.k), 1.0f, a + t.row * e.k, blas_int(e.k), b + t.column, blas_int(e.n), 0.0f,
                c + t.row * e.n + t.column, blas_int(e.n));
}

void multiply(const Extents& e, const Tile& t, const double* a, const double* b, double* c) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blas_int(t.rows), blas_int(t.columns),
                blas_int(e.k), 1.0, a + t.row * e.k, blas_int(e.k), b + t.column, blas_int(e.n), 0.0,
                c + t.row * e.n + t.column, blas_int(e.n));
}

template <class T>
std::vector<T> multiply_all(const Extents& e, std::span<const T> a, std::span<const T> b,
                            const Checkpoint& checkpoint) {
    std::vector<T> c = make_zeros<T>(static_cast<std::size_t>(e.m * e.n), checkpoint);
    over_tiles(e, checkpoint, [&](const Tile& tile) { multiply(e, tile, a.data(), b.data(), c.data()); });
    return c;
}

/// Puts a large number into each row of A and each column of B, so that neither fits a narrow type, nor sums
/// of their products a float. No two of them are multiplied: A's are in even columns, B's in odd rows. Each
/// adds at most 2^29 to a sum.
/// @param magnitude  of the other numbers
void put_large_factors(const Extents& e, unsigned magnitude, std::span<std::int32_t> a,
                       std::span<std::int32_t> b, std::uint64_t stream) {
    const std::uint64_t half = (1u << 28) / magnitude;
    const auto large = [&](std::uint64_t random) { return static_cast<std::int32_t>(half + random % half); };
    const auto k = static_cast<std::uint64_t>(e.k);
    for (std::int64_t row = 0; row < e.m; ++row) {
        const std::uint64_t random = random_at(stream, static_cast<std::uint64_t>(row));
        const auto column = static_cast<std::int64_t>(2 * ((random >> 32) % ((k + 1) / 2)));
        a[static_cast<std::size_t>(row * e.k + column)] = large(random);
    }
    for (std::int64_t column = 0; column < e.n && k > 1; ++column) {
        const std::uint64_t random = random_at(stream, static_cast<std::uint64_t>(e.m + column));
        const auto row = static_cast<std::int64_t>(2 * ((random >> 32) % (k / 2)) + 1);
        b[static_cast<std::size_t>(row * e.n + column)] = large(random);
    }
}

template <class T>
OutputReference solve_integers(const Extents& e, std::span<const T> a, std::span<const T> b,
                               const Checkpoint& checkpoint) {
    std::vector<Sum<T>> c = make_zeros<Sum<T>>(static_cast<std::size_t>(e.m * e.n), checkpoint);
    const auto columns = static_cast<std::size_t>(e.n), terms = static_cast<std::size_t>(e.k);
    for (std::size_t row = 0; row < static_cast<std::size_t>(e.m); ++row) {
        Sum<T>* const to = &c[row * columns];
        for (std::size_t k = 0; k < terms; ++k) {
            if (k % 256 == 0) checkpoint();
            const Sum<T> factor = to_sum(a[row * terms + k]);
            for (std::size_t x = 0; x < columns; ++x) to[x] += factor * to_sum(b[k * columns + x]);
        }
    }
    return {convert_in_steps<double>(std::span<const Sum<T>>(c), checkpoint, from_sum<T>), {}};
}

/// The correct value of every element.
template <class T>
OutputReference solve_whole(const Extents& e, std::span<const T> a, std::span<const T> b, Pass pass,
                            const Checkpoint& checkpoint) {
    if constexpr (std::is_same_v<T, float>)
        if (pass == Pass::Exact) {  // floats are exact as well, and twice as fast
            const std::vector<float> c = multiply_all<float>(e, a, b, checkpoint);
            return {convert_in_steps<double>(std::span(c), checkpoint, to_double<float>), {}};
        }
    if constexpr (std::is_integral_v<T>) return solve_integers<T>(e, a, b, checkpoint);
    const std::vector<double> da = convert_in_steps<double>(a, checkpoint, to_double<T>);
    const std::vector<double> db = convert_in_steps<double>(b, checkpoint, to_double<T>);
    OutputReference reference{multiply_all<double>(e, da, db, checkpoint), {}};
    if (!is_exact<T>(pass)) reference.tolerance.absolute = product_bound(e, kRoundoff<T>);
    return reference;
}

/// Estimated time of the references of both passes: a product in float, and one in double precision that
/// takes twice as long.
double full_cost_ms(const Extents& e) {
    const double flops = 2.0 * static_cast<double>(e.m) * static_cast<double>(e.n) * static_cast<double>(e.k);
    constexpr double kSmall = 2e9;  // too small to be worth measuring the speed of this machine
    return flops < kSmall ? 0 : 1.5 * flops / host_flops_per_s() * 1000;
}

/// Largest estimated time of the references of both passes; larger products are checked with random vectors
/// (product_probe.hpp).
constexpr double kMostFullMs = 5000;

/// Number of rows that are transposed together: their cache lines stay in the cache while columns are
/// written.
constexpr std::size_t kRowsTogether = 16;

/// gamma times each sum of magnitudes.
std::vector<float> bounds_of(const std::vector<double>& magnitudes, double gamma,
                             const Checkpoint& checkpoint) {
    gamma *= 1 + 0x1p-20;  // covers the rounding of the product itself
    return convert_in_steps<float>(std::span(magnitudes), checkpoint, [&](double magnitude) {
        return std::max(static_cast<float>(gamma * magnitude), 0x1p-126f);
    });
}

/// to[x] += weight · from[x] for a whole row, a loop that compilers vectorize.
template <class S>
void add_row(std::span<S> to, const S* from, S weight) {
    for (std::size_t x = 0; x < to.size(); ++x) to[x] += weight * from[x];
}

template <class S>
std::vector<S> convolve(const BufferSpec& result, std::size_t edge, const std::vector<S>& image,
                        const std::vector<S>& filter, const Checkpoint& checkpoint) {
    const std::size_t rows = result.shape[0];
    const std::size_t columns = result.shape[1];
    const std::size_t pitch = columns + edge - 1;
    std::vector<S> sums = make_zeros<S>(rows * columns, checkpoint);
    for (std::size_t y = 0; y < rows; ++y) {
        checkpoint();
        const std::span<S> row = std::span(sums).subspan(y * columns, columns);
        for (std::size_t i = 0; i < edge; ++i)
            for (std::size_t j = 0; j < edge; ++j)
                add_row<S>(row, &image[(y + i) * pitch + j], filter[i * edge + j]);
    }
    return sums;
}

/// Makes one number of the filter and one of the image in each place of the filter too large for 16 bits.
/// Their product is at most 1.13e9, and with all others, kMostPixel at most, every sum is below 2^31.
void put_large_pixels(const BufferSpec& image, std::size_t edge, std::span<std::int32_t> pixels,
                      std::span<std::int32_t> filter, std::uint64_t stream) {
    const auto large = [&](std::uint64_t random) { return static_cast<std::int32_t>(33'000 + random % 500); };
    filter[random_at(stream, 0) % filter.size()] = large(random_at(stream, 1));
    const std::uint64_t top = random_at(stream, 2) % edge, left = random_at(stream, 3) % edge;
    for (std::uint64_t y = top; y < image.shape[0]; y += edge)
        for (std::uint64_t x = left; x < image.shape[1]; x += edge)
            pixels[y * image.shape[1] + x] = large(random_at(stream, 4 + y * image.shape[1] + x));
}

/// Means of four integers of magnitude up to 4, taken kMostStencilSteps times, are multiples of 4^-10 with a
/// magnitude of at most 16 before the division: 24 bits.
constexpr unsigned kExactStencilMagnitude = 4;

std::vector<double> iterate(std::vector<double> values, std::size_t rows, std::size_t columns,
                            std::int64_t steps, const Checkpoint& checkpoint) {
    std::vector<double> next = copy_in_steps<double>(std::span<const double>(values), checkpoint);
    for (std::int64_t step = 0; step < steps; ++step) {
        for (std::size_t y = 1; y + 1 < rows; ++y) {
            if (y % 256 == 1) checkpoint();
            const double* const above = &values[(y - 1) * columns];
            const double* const here = &values[y * columns];
            const double* const below = &values[(y + 1) * columns];
            double* const to = &next[y * columns];
            for (std::size_t x = 1; x + 1 < columns; ++x)
                to[x] = 0.25 * (above[x] + below[x] + here[x - 1] + here[x + 1]);
        }
        std::swap(values, next);
    }
    return values;
}

}  // namespace

Contents matmul_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                       const Checkpoint& checkpoint) {
    return with_number_type(instance, [&]<class T>(T) {
        const Extents e = extents_of(instance);
        const unsigned magnitude =
            product_magnitude<T>(static_cast<double>(e.k), kMostProductMagnitude, kMostFactor);
        Contents inputs =
            random_inputs<T>(instance, {"A", "B"}, pass, seed, magnitude, checkpoint, Use::Summed);
        if constexpr (std::is_same_v<T, std::int32_t>)
            put_large_factors(e, magnitude, numbers_in<T>(inputs[0].value), numbers_in<T>(inputs[1].value),
                              derive_seed(seed, std::string(to_string(pass)) + "large"));
        return inputs;
    });
}

void solve_matmul(const ProblemInstance& instance, Pass pass, PassData& data, Effort effort,
                  const Checkpoint& checkpoint) {
    with_number_type(instance, [&]<class T>(T) {
        const Extents e = extents_of(instance);
        const bool may_probe = std::is_same_v<T, float> && effort != Effort::Whole && suits_probe(e);
        OutputReference c;
        if (may_probe && (effort == Effort::Least || full_cost_ms(e) >= kMostFullMs))
            c.probe = e;
        else
            c = solve_whole(e, input_of<T>(data, 0), input_of<T>(data, 1), pass, checkpoint);
        data.outputs.push_back({"C", std::move(c)});
    });
}

void multiply_on_host(const ProblemInstance& instance, const PassData& inputs,
                      std::vector<std::vector<std::byte>>& outputs) {
    const Extents e = extents_of(instance);
    multiply(e, {0, e.m, 0, e.n}, input_of<float>(inputs, 0).data(), input_of<float>(inputs, 1).data(),
             numbers_in<float>(outputs[0]).data());
}

Contents transpose_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                          const Checkpoint& checkpoint) {
    return with_number_type(instance, [&]<class T>(T) {
        return random_inputs<T>(instance, {"A"}, pass, seed, kCopiedMagnitude<T>, checkpoint);
    });
}

void solve_transpose(const ProblemInstance& instance, Pass, PassData& data, Effort,
                     const Checkpoint& checkpoint) {
    const BufferSpec& buffer = *instance.find_buffer("A");
    const std::size_t rows = buffer.shape[0];
    const std::size_t columns = buffer.shape[1];
    std::vector<double> b = make_zeros<double>(buffer.elements(), checkpoint);
    with_number_type(instance, [&]<class T>(T) {
        const std::span<const T> a = input_of<T>(data, 0);
        for (std::size_t top = 0; top < rows; top += kRowsTogether) {
            checkpoint();
            const std::size_t bottom = std::min(top + kRowsTogether, rows);
            for (std::size_t column = 0; column < columns; ++column)
                for (std::size_t row = top; row < bottom; ++row)
                    b[column * rows + row] = to_double(a[row * columns + column]);
        }
    });
    data.outputs.push_back({"B", {std::move(b), {}}});
}

void transpose_on_host(const ProblemInstance& instance, const PassData& inputs,
                       std::vector<std::vector<std::byte>>& outputs) {
    const BufferSpec& a = *instance.find_buffer("A");
    const auto rows = static_cast<int>(a.shape[0]);  // extents are at most INT32_MAX (problems/problem.cpp)
    const auto columns = static_cast<int>(a.shape[1]);
    cblas_somatcopy(CblasRowMajor, CblasTrans, rows, columns, 1.0f, input_of<float>(inputs, 0).data(),
                    columns, numbers_in<float>(outputs[0]).data(), rows);
}

Contents convolution_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                            const Checkpoint& checkpoint) {
    return with_number_type(instance, [&]<class T>(T) {
        const auto terms = static_cast<double>(instance.find_buffer("filter")->elements());
        const unsigned magnitude = product_magnitude<T>(terms, kMostFilterMagnitude, kMostPixel);
        Contents inputs =
            random_inputs<T>(instance, {"image", "filter"}, pass, seed, magnitude, checkpoint, Use::Summed);
        if constexpr (std::is_same_v<T, std::int32_t>)
            put_large_pixels(*instance.find_buffer("image"), instance.find_buffer("filter")->shape[0],
                             numbers_in<T>(inputs[0].value), numbers_in<T>(inputs[1].value),
                             derive_seed(seed, std::string(to_string(pass)) + "large"));
        return inputs;
    });
}

void solve_convolution(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                       const Checkpoint& checkpoint) {
    with_number_type(instance, [&]<class T>(T) {
        const BufferSpec& result = *instance.find_buffer("result");
        const std::size_t edge = instance.find_buffer("filter")->shape[0];
        const std::vector<Sum<T>> sums =
            convolve(result, edge, convert_in_steps<Sum<T>>(input_of<T>(data, 0), checkpoint, to_sum<T>),
                     convert_in_steps<Sum<T>>(input_of<T>(data, 1), checkpoint, to_sum<T>), checkpoint);
        OutputReference reference;
        reference.expected = convert_in_steps<double>(std::span<const Sum<T>>(sums), checkpoint, from_sum<T>);
        if (!is_exact<T>(pass))
            reference.tolerance.absolute =
                RandomSumBound(kProductDeviation, static_cast<double>(result.elements()),
                               kRoundoff<T>)(static_cast<double>(edge * edge));
        data.outputs.push_back({"result", std::move(reference)});
    });
}

Contents stencil_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                        const Checkpoint& checkpoint) {
    return with_floating_type(instance, [&]<class T>(T) {
        return random_inputs<T>(instance, {"X"}, pass, seed, kExactStencilMagnitude, checkpoint);
    });
}

void solve_stencil(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                   const Checkpoint& checkpoint) {
    with_floating_type(instance, [&]<class T>(T) {
        const BufferSpec& buffer = *instance.find_buffer("X");
        const std::int64_t steps = *find_named(instance.sizes, "S");
        const auto solve = [&](double (*with)(T)) {
            return iterate(convert_in_steps<double>(input_of<T>(data, 0), checkpoint, with), buffer.shape[0],
                           buffer.shape[1], steps, checkpoint);
        };
        OutputReference reference;
        reference.expected = solve(to_double<T>);
        // Each step rounds three sums (and multiplies by a power of two, or rounds once more); the means of
        // the magnitudes propagate the errors.
        if (!is_exact<T>(pass))
            reference.bound =
                bounds_of(solve(magnitude_of<T>), gamma_bound(4 * static_cast<double>(steps), kRoundoff<T>),
                          checkpoint);
        data.outputs.push_back({"Y", std::move(reference)});
    });
}

}  // namespace kwb
