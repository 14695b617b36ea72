#include "judge/matmul_reference.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace kwb {
namespace {

/// Floating-point operations between two checkpoints: some 10 to 50 ms on one core.
constexpr double kFlopsPerStep = 5e8;

/// Sums of floats that are integers are exact up to here.
constexpr std::int64_t kMostExactTerms = 1 << 24;

/// Above this the error bound is no bound any more (gamma_bound), and exact sums would be near their end.
constexpr std::int64_t kLongestSum = 1 << 23;

/// The largest factor with which no sum of k products gets beyond kMostExactTerms.
unsigned exact_magnitude(std::int64_t k) {
    unsigned magnitude = 4;
    while (magnitude > 1 && k * magnitude * magnitude > kMostExactTerms) --magnitude;
    return magnitude;
}

struct Extents {
    std::int64_t m, n, k;
};

Extents extents_of(const ProblemInstance& instance) {
    return {*find_named(instance.sizes, "M"), *find_named(instance.sizes, "N"),
            *find_named(instance.sizes, "K")};
}

std::span<const float> floats(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

std::span<float> floats(std::vector<std::byte>& bytes) {
    return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

/// Call `step(first, rows)` over all rows of C, so many rows at once that a checkpoint comes often enough.
template <class Step>
void over_rows(const Extents& e, const Checkpoint& checkpoint, Step&& step) {
    const double flops_per_row = 2.0 * static_cast<double>(e.n) * static_cast<double>(e.k);
    const auto rows = static_cast<std::int64_t>(std::clamp(kFlopsPerStep / flops_per_row, 1.0, 1e9));
    for (std::int64_t first = 0; first < e.m; first += rows) {
        checkpoint();
        step(first, std::min(rows, e.m - first));
    }
}

template <class From, class To>
std::vector<To> convert(std::span<const From> from, To (*with)(From)) {
    std::vector<To> to(from.size());
    std::transform(from.begin(), from.end(), to.begin(), with);
    return to;
}

int blas_int(std::int64_t value) {
    return static_cast<int>(value);  // extents are at most INT32_MAX (problems/problem.cpp)
}

/// Rows first … first + rows of C = A B.
void multiply(const Extents& e, std::int64_t first, std::int64_t rows, const float* a, const float* b,
              float* c) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blas_int(rows), blas_int(e.n), blas_int(e.k), 1.0f,
                a + first * e.k, blas_int(e.k), b, blas_int(e.n), 0.0f, c + first * e.n, blas_int(e.n));
}

void multiply(const Extents& e, std::int64_t first, std::int64_t rows, const double* a, const double* b,
              double* c) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blas_int(rows), blas_int(e.n), blas_int(e.k), 1.0,
                a + first * e.k, blas_int(e.k), b, blas_int(e.n), 0.0, c + first * e.n, blas_int(e.n));
}

OutputReference solve_exact(const Extents& e, std::span<const float> a, std::span<const float> b,
                            const Checkpoint& checkpoint) {
    std::vector<float> c(static_cast<std::size_t>(e.m * e.n));
    over_rows(e, checkpoint,
              [&](auto first, auto rows) { multiply(e, first, rows, a.data(), b.data(), c.data()); });
    return {std::vector<double>(c.begin(), c.end()), {}};
}

OutputReference solve_real(const Extents& e, std::span<const float> a, std::span<const float> b,
                           const Checkpoint& checkpoint) {
    OutputReference reference;
    const auto elements = static_cast<std::size_t>(e.m * e.n);
    const auto widen = [](float x) { return static_cast<double>(x); };
    const auto magnitude = [](float x) { return std::fabs(x); };
    {
        const std::vector<double> da = convert<float, double>(a, widen);
        const std::vector<double> db = convert<float, double>(b, widen);
        reference.expected.resize(elements);
        over_rows(e, checkpoint, [&](auto first, auto rows) {
            multiply(e, first, rows, da.data(), db.data(), reference.expected.data());
        });
    }
    const std::vector<float> abs_a = convert<float, float>(a, magnitude);
    const std::vector<float> abs_b = convert<float, float>(b, magnitude);
    reference.bound.resize(elements);
    over_rows(e, checkpoint, [&](auto first, auto rows) {
        multiply(e, first, rows, abs_a.data(), abs_b.data(), reference.bound.data());
    });
    // |A||B| itself was summed in float and may be too small by the same gamma, hence the second factor; the
    // last one covers the rounding of this very product, which shows at K = 1, where the bound is attained.
    const double gamma = gamma_bound(static_cast<double>(e.k));
    const auto scale = static_cast<float>(gamma / (1 - gamma) * (1 + 0x1p-20));
    for (float& bound : reference.bound) bound = std::max(bound * scale, 0x1p-126f);
    return reference;
}

}  // namespace

double gamma_bound(double n) {
    constexpr double kUnitRoundoff = 0x1p-24;
    expects(n >= 1 && n <= 0x1p23, "gamma_bound: n out of range");
    return n * kUnitRoundoff / (1 - n * kUnitRoundoff);
}

std::optional<std::string> MatmulSolver::find_constraint(const ProblemInstance& instance) const {
    const std::int64_t k = extents_of(instance).k;
    if (k <= kLongestSum) return std::nullopt;
    return "K = " + std::to_string(k) +
           " is too long to be checked: floats tell right from wrong up to K = " +
           std::to_string(kLongestSum) + "; choose a smaller --size";
}

PassData MatmulSolver::make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                            const Checkpoint& checkpoint) const {
    const Extents e = extents_of(instance);
    PassData data;
    for (const char* name : {"A", "B"}) {
        checkpoint();
        std::vector<std::byte> bytes(instance.find_buffer(name)->bytes());
        const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + name);
        if (pass == Pass::Exact)
            fill_integers(floats(bytes), stream, exact_magnitude(e.k));
        else
            fill_uniform(floats(bytes), stream);
        data.inputs.push_back({name, std::move(bytes)});
    }
    const std::span<const float> a = floats(std::as_const(data.inputs[0].value));
    const std::span<const float> b = floats(std::as_const(data.inputs[1].value));
    data.outputs.push_back(
        {"C", pass == Pass::Exact ? solve_exact(e, a, b, checkpoint) : solve_real(e, a, b, checkpoint)});
    return data;
}

void MatmulSolver::run_host_library(const ProblemInstance& instance, const PassData& inputs,
                                    std::vector<std::vector<std::byte>>& outputs) const {
    const Extents e = extents_of(instance);
    multiply(e, 0, e.m, floats(find_named(inputs.inputs, "A")[0]).data(),
             floats(find_named(inputs.inputs, "B")[0]).data(), floats(outputs[0]).data());
}

std::string MatmulSolver::host_library() const {
    // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …": the first two words say enough.
    const std::string config = openblas_get_config();
    const std::size_t end = config.find(' ', config.find(' ') + 1);
    return config.substr(0, end) + " (" + openblas_get_corename() + ", " +
           std::to_string(openblas_get_num_threads()) + " threads)";
}

const ReferenceSolver* find_solver(std::string_view problem) {
    static const MatmulSolver matmul;
    return problem == "matmul" ? &matmul : nullptr;
}

}  // namespace kwb
