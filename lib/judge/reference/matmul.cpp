// C = A · B by the host's BLAS, with an error bound for each element.
#include "judge/reference/solvers.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "judge/reference/host_blas.hpp"
#include "judge/reference/inputs.hpp"
#include "judge/reference/large_arrays.hpp"
#include "judge/reference/reference.hpp"
#include "judge/verify/product_probe.hpp"

namespace kwb {
namespace {

/// Number of floating-point operations between two checkpoints: 5 to 30 ms on one core.
constexpr double kFlopsPerStep = 3e8;

/// Integer sums in float are exact up to this.
constexpr std::int64_t kMostExactTerms = 1 << 24;

/// The largest factor, at most 4, for which no sum of k products exceeds kMostExactTerms.
unsigned exact_magnitude(std::int64_t k) {
    unsigned magnitude = 4;
    while (magnitude > 1 && k * magnitude * magnitude > kMostExactTerms) --magnitude;
    return magnitude;
}

using Extents = ProductProbe::Extents;

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

double widen(float x) {
    return static_cast<double>(x);
}

float magnitude_of(float x) {
    return std::fabs(x);
}

OutputReference solve_exact(const Extents& e, std::span<const float> a, std::span<const float> b,
                            const Checkpoint& checkpoint) {
    const std::vector<float> c = multiply_all<float>(e, a, b, checkpoint);
    return {convert_in_steps<double>(std::span(c), checkpoint, widen), {}};
}

OutputReference solve_real(const Extents& e, std::span<const float> a, std::span<const float> b,
                           const Checkpoint& checkpoint) {
    OutputReference reference;
    {
        const std::vector<double> da = convert_in_steps<double>(a, checkpoint, widen);
        const std::vector<double> db = convert_in_steps<double>(b, checkpoint, widen);
        reference.expected = multiply_all<double>(e, da, db, checkpoint);
    }
    const std::vector<float> abs_a = convert_in_steps<float>(a, checkpoint, magnitude_of);
    const std::vector<float> abs_b = convert_in_steps<float>(b, checkpoint, magnitude_of);
    reference.bound = multiply_all<float>(e, abs_a, abs_b, checkpoint);
    // |A||B| was itself summed in float and may be too small by the same gamma, hence the division. The last
    // factor covers the rounding of this product, which matters at K = 1, where the bound is attained.
    const double gamma = gamma_bound(static_cast<double>(e.k));
    const auto scale = static_cast<float>(gamma / (1 - gamma) * (1 + 0x1p-20));
    in_steps(reference.bound.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (float& bound : std::span(reference.bound).subspan(first, count))
            bound = std::max(bound * scale, 0x1p-126f);
    });
    return reference;
}

/// Estimated time of the references of both passes: a product in float, one in double precision that takes
/// twice as long, and one of magnitudes.
double full_cost_ms(const Extents& e) {
    const double flops = 2.0 * static_cast<double>(e.m) * static_cast<double>(e.n) * static_cast<double>(e.k);
    constexpr double kSmall = 2e9;  // too small to be worth measuring the speed of this machine
    return flops < kSmall ? 0 : 2 * flops / host_flops_per_s() * 1000;
}

class MatmulSolver final : public ReferenceSolver {
public:
    /// Largest estimated time of the references of both passes; larger products are checked with random
    /// vectors (product_probe.hpp).
    static constexpr double kMostFullMs = 5000;

    explicit MatmulSolver(double most_full_ms = kMostFullMs) : most_full_ms_(most_full_ms) {}

    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        const Extents e = extents_of(instance);
        PassData data;
        for (const char* name : {"A", "B"}) {
            const BufferSpec& buffer = *instance.find_buffer(name);
            data.inputs.push_back(
                {name, make_float_input(buffer, pass, seed, exact_magnitude(e.k), checkpoint)});
        }
        if (ProductProbe::suits(e) && full_cost_ms(e) >= most_full_ms_) {
            OutputReference reference;
            reference.probe = std::make_shared<ProductProbe>(e, pass);
            data.outputs.push_back({"C", std::move(reference)});
            return data;
        }
        const std::span<const float> a = floats(std::as_const(data.inputs[0].value));
        const std::span<const float> b = floats(std::as_const(data.inputs[1].value));
        data.outputs.push_back(
            {"C", pass == Pass::Exact ? solve_exact(e, a, b, checkpoint) : solve_real(e, a, b, checkpoint)});
        return data;
    }
    bool has_host_library() const override { return true; }
    void run_host_library(const ProblemInstance& instance, const PassData& inputs,
                          std::vector<std::vector<std::byte>>& outputs) const override {
        const Extents e = extents_of(instance);
        multiply(e, {0, e.m, 0, e.n}, floats(find_named(inputs.inputs, "A")[0]).data(),
                 floats(find_named(inputs.inputs, "B")[0]).data(), floats(outputs[0]).data());
    }
    bool every_input_matters() const override { return true; }

private:
    double most_full_ms_;
};

}  // namespace

const ReferenceSolver& matmul_solver() {
    static const MatmulSolver solver;
    return solver;
}

std::unique_ptr<const ReferenceSolver> make_matmul_solver(double most_full_ms) {
    return std::make_unique<const MatmulSolver>(most_full_ms);
}

}  // namespace kwb
