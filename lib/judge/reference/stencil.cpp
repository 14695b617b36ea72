// Jacobi iteration in double precision, with an error bound for each element.
#include "judge/reference/solvers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "judge/reference/inputs.hpp"
#include "judge/reference/large_arrays.hpp"
#include "judge/reference/reference.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace {

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

class StencilSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        const BufferSpec& buffer = *instance.find_buffer("X");
        const std::int64_t steps = *find_named(instance.sizes, "S");
        PassData data;
        data.inputs.push_back(
            {"X", make_float_input(buffer, pass, seed, kExactStencilMagnitude, checkpoint)});
        const std::span<const float> x = floats(std::as_const(data.inputs[0].value));
        const auto solve = [&](auto&& with) {
            return iterate(convert_in_steps<double>(x, checkpoint, with), buffer.shape[0], buffer.shape[1],
                           steps, checkpoint);
        };
        OutputReference reference;
        reference.expected = solve([](float value) { return static_cast<double>(value); });
        if (pass == Pass::Real) {
            // Each step rounds three sums (and multiplies by a power of two, or rounds once more); the means
            // of the magnitudes propagate the errors. The last factor covers the rounding of this product
            // itself.
            const double gamma = gamma_bound(4 * static_cast<double>(steps)) * (1 + 0x1p-20);
            const std::vector<double> magnitudes =
                solve([](float value) { return std::fabs(static_cast<double>(value)); });
            reference.bound = convert_in_steps<float>(
                std::span(magnitudes), checkpoint,
                [&](double magnitude) { return std::max(static_cast<float>(gamma * magnitude), 0x1p-126f); });
        }
        data.outputs.push_back({"Y", std::move(reference)});
        return data;
    }
};

}  // namespace

const ReferenceSolver& stencil_solver() {
    static const StencilSolver solver;
    return solver;
}

}  // namespace kwb
