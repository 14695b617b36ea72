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

/// Integer sums in float are exact up to this.
constexpr std::int64_t kMostExactTerms = 1 << 24;

/// The largest factor, at most 4, for which no sum of k products exceeds kMostExactTerms.
unsigned exact_product_magnitude(std::int64_t k) {
    unsigned magnitude = 4;
    while (magnitude > 1 && k * magnitude * magnitude > kMostExactTerms) --magnitude;
    return magnitude;
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

OutputReference solve_exact(const Extents& e, std::span<const float> a, std::span<const float> b,
                            const Checkpoint& checkpoint) {
    const std::vector<float> c = multiply_all<float>(e, a, b, checkpoint);
    return {convert_in_steps<double>(std::span(c), checkpoint, to_double), {}};
}

OutputReference solve_real(const Extents& e, std::span<const float> a, std::span<const float> b,
                           const Checkpoint& checkpoint) {
    const std::vector<double> da = convert_in_steps<double>(a, checkpoint, to_double);
    const std::vector<double> db = convert_in_steps<double>(b, checkpoint, to_double);
    OutputReference reference{multiply_all<double>(e, da, db, checkpoint), {}};
    reference.tolerance.absolute = product_bound(e);
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

/// The largest factor for which no sum over the filter exceeds 2^24, so that a float represents it exactly.
unsigned exact_filter_magnitude(std::size_t edge) {
    unsigned magnitude = 16;
    while (magnitude > 1 && edge * edge * magnitude * magnitude > (1u << 24)) --magnitude;
    return magnitude;
}

/// to[x] += weight · from[x] for a whole row, a loop that compilers vectorize.
void add_row(std::span<double> to, const double* from, double weight) {
    for (std::size_t x = 0; x < to.size(); ++x) to[x] += weight * from[x];
}

std::vector<double> convolve(const BufferSpec& result, std::size_t edge, const std::vector<double>& image,
                             const std::vector<double>& filter, const Checkpoint& checkpoint) {
    const std::size_t rows = result.shape[0];
    const std::size_t columns = result.shape[1];
    const std::size_t pitch = columns + edge - 1;
    std::vector<double> sums = make_zeros<double>(rows * columns, checkpoint);
    for (std::size_t y = 0; y < rows; ++y) {
        checkpoint();
        const std::span<double> row = std::span(sums).subspan(y * columns, columns);
        for (std::size_t i = 0; i < edge; ++i)
            for (std::size_t j = 0; j < edge; ++j)
                add_row(row, &image[(y + i) * pitch + j], filter[i * edge + j]);
    }
    return sums;
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
    const unsigned magnitude = exact_product_magnitude(extents_of(instance).k);
    return make_float_inputs(instance, {"A", "B"}, pass, seed, magnitude, checkpoint);
}

void solve_matmul(const ProblemInstance& instance, Pass pass, PassData& data, Effort effort,
                  const Checkpoint& checkpoint) {
    const Extents e = extents_of(instance);
    OutputReference c;
    if (suits_probe(e) && (effort == Effort::Least || full_cost_ms(e) >= kMostFullMs))
        c.probe = e;
    else
        c = (pass == Pass::Exact ? solve_exact : solve_real)(e, floats_of_input(data, 0),
                                                             floats_of_input(data, 1), checkpoint);
    data.outputs.push_back({"C", std::move(c)});
}

void multiply_on_host(const ProblemInstance& instance, const PassData& inputs,
                      std::vector<std::vector<std::byte>>& outputs) {
    const Extents e = extents_of(instance);
    multiply(e, {0, e.m, 0, e.n}, floats_of_input(inputs, 0).data(), floats_of_input(inputs, 1).data(),
             floats(outputs[0]).data());
}

Contents transpose_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                          const Checkpoint& checkpoint) {
    return make_float_inputs(instance, {"A"}, pass, seed, kLargestInteger, checkpoint);
}

void solve_transpose(const ProblemInstance& instance, Pass, PassData& data, Effort,
                     const Checkpoint& checkpoint) {
    const BufferSpec& buffer = *instance.find_buffer("A");
    const std::span<const float> a = floats_of_input(data, 0);
    const std::size_t rows = buffer.shape[0];
    const std::size_t columns = buffer.shape[1];
    std::vector<double> b = make_zeros<double>(a.size(), checkpoint);
    for (std::size_t top = 0; top < rows; top += kRowsTogether) {
        checkpoint();
        const std::size_t bottom = std::min(top + kRowsTogether, rows);
        for (std::size_t column = 0; column < columns; ++column)
            for (std::size_t row = top; row < bottom; ++row)
                b[column * rows + row] = to_double(a[row * columns + column]);
    }
    data.outputs.push_back({"B", {std::move(b), {}}});
}

void transpose_on_host(const ProblemInstance& instance, const PassData& inputs,
                       std::vector<std::vector<std::byte>>& outputs) {
    const BufferSpec& a = *instance.find_buffer("A");
    const auto rows = static_cast<int>(a.shape[0]);  // extents are at most INT32_MAX (problems/problem.cpp)
    const auto columns = static_cast<int>(a.shape[1]);
    cblas_somatcopy(CblasRowMajor, CblasTrans, rows, columns, 1.0f, floats_of_input(inputs, 0).data(),
                    columns, floats(outputs[0]).data(), rows);
}

Contents convolution_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                            const Checkpoint& checkpoint) {
    const std::size_t edge = instance.find_buffer("filter")->shape[0];
    return make_float_inputs(instance, {"image", "filter"}, pass, seed, exact_filter_magnitude(edge),
                             checkpoint);
}

void solve_convolution(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                       const Checkpoint& checkpoint) {
    const BufferSpec& result = *instance.find_buffer("result");
    const std::size_t edge = instance.find_buffer("filter")->shape[0];
    OutputReference reference;
    reference.expected =
        convolve(result, edge, convert_in_steps<double>(floats_of_input(data, 0), checkpoint, to_double),
                 convert_in_steps<double>(floats_of_input(data, 1), checkpoint, to_double), checkpoint);
    if (pass == Pass::Real)
        reference.tolerance.absolute = RandomSumBound(
            kProductDeviation, static_cast<double>(result.elements()))(static_cast<double>(edge * edge));
    data.outputs.push_back({"result", std::move(reference)});
}

Contents stencil_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                        const Checkpoint& checkpoint) {
    return make_float_inputs(instance, {"X"}, pass, seed, kExactStencilMagnitude, checkpoint);
}

void solve_stencil(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                   const Checkpoint& checkpoint) {
    const BufferSpec& buffer = *instance.find_buffer("X");
    const std::int64_t steps = *find_named(instance.sizes, "S");
    const auto solve = [&](double (*with)(float)) {
        return iterate(convert_in_steps<double>(floats_of_input(data, 0), checkpoint, with), buffer.shape[0],
                       buffer.shape[1], steps, checkpoint);
    };
    OutputReference reference;
    reference.expected = solve(to_double);
    // Each step rounds three sums (and multiplies by a power of two, or rounds once more); the means of the
    // magnitudes propagate the errors.
    if (pass == Pass::Real)
        reference.bound =
            bounds_of(solve(magnitude_of), gamma_bound(4 * static_cast<double>(steps)), checkpoint);
    data.outputs.push_back({"Y", std::move(reference)});
}

}  // namespace kwb
