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

/// Magnitude of the integers for sums of products of two of them.
/// @param most  limit for floating-point types
template <class T>
unsigned product_magnitude(std::size_t terms, unsigned most) {
    const unsigned magnitude = exact_magnitude<T>(static_cast<double>(terms), 2);
    return std::is_floating_point_v<T> ? std::min(magnitude, most) : magnitude;
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

/// C in double precision, which is exact for the sums of integers of every type.
template <class T>
OutputReference solve_whole(const Extents& e, std::span<const T> a, std::span<const T> b, Pass pass,
                            const Checkpoint& checkpoint) {
    if constexpr (std::is_same_v<T, float>)
        if (pass == Pass::Exact) {  // floats are exact as well, and twice as fast
            const std::vector<float> c = multiply_all<float>(e, a, b, checkpoint);
            return {convert_in_steps<double>(std::span(c), checkpoint, to_double<float>), {}};
        }
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
    return with_number_type(instance, [&]<class T>(T) {
        const auto terms = static_cast<std::size_t>(extents_of(instance).k);
        return random_inputs<T>(instance, {"A", "B"}, pass, seed,
                                product_magnitude<T>(terms, kMostProductMagnitude), checkpoint);
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
        const std::size_t terms = instance.find_buffer("filter")->elements();
        return random_inputs<T>(instance, {"image", "filter"}, pass, seed,
                                product_magnitude<T>(terms, kMostFilterMagnitude), checkpoint);
    });
}

void solve_convolution(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                       const Checkpoint& checkpoint) {
    with_number_type(instance, [&]<class T>(T) {
        const BufferSpec& result = *instance.find_buffer("result");
        const std::size_t edge = instance.find_buffer("filter")->shape[0];
        OutputReference reference;
        reference.expected =
            convolve(result, edge, convert_in_steps<double>(input_of<T>(data, 0), checkpoint, to_double<T>),
                     convert_in_steps<double>(input_of<T>(data, 1), checkpoint, to_double<T>), checkpoint);
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
