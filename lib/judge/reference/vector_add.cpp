// Elementwise sums and multiply-adds in double precision.
#include "judge/reference/solvers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "judge/reference/inputs.hpp"
#include "judge/reference/large_arrays.hpp"
#include "judge/reference/reference.hpp"

namespace kwb {
namespace {

/// For integers up to this, and alpha a multiple of 1/2 below 4, alpha x + y is exact in float.
constexpr unsigned kExactVectorMagnitude = 1u << 20;

/// alpha · x + y, with the error bound for this number of roundings.
OutputReference multiply_add(double alpha, std::span<const float> x, std::span<const float> y, Pass pass,
                             int roundings, const Checkpoint& checkpoint) {
    OutputReference reference;
    reference.expected = make_zeros<double>(x.size(), checkpoint);
    if (pass == Pass::Real) reference.bound = make_zeros<float>(x.size(), checkpoint);
    const double gamma =
        gamma_bound(roundings) * (1 + 0x1p-20);  // covers the rounding of this product itself
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            const double product = alpha * static_cast<double>(x[i]);
            const auto term = static_cast<double>(y[i]);
            reference.expected[i] = product + term;
            if (pass == Pass::Real)
                reference.bound[i] =
                    std::max(static_cast<float>(gamma * (std::fabs(product) + std::fabs(term))), 0x1p-126f);
        }
    });
    return reference;
}

class VectorAddSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        PassData data;
        for (const char* name : {"A", "B"})
            data.inputs.push_back({name, make_float_input(*instance.find_buffer(name), pass, seed,
                                                          kExactVectorMagnitude, checkpoint)});
        const std::span<const float> a = floats(std::as_const(data.inputs[0].value));
        const std::span<const float> b = floats(std::as_const(data.inputs[1].value));
        data.outputs.push_back({"C", multiply_add(1, a, b, pass, 1, checkpoint)});
        return data;
    }
    bool every_input_matters() const override { return true; }
};

class SaxpySolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        PassData data;
        for (const char* name : {"X", "Y"})
            data.inputs.push_back({name, make_float_input(*instance.find_buffer(name), pass, seed,
                                                          kExactVectorMagnitude, checkpoint)});
        const std::span<const float> x = floats(std::as_const(data.inputs[0].value));
        const std::span<const float> y = floats(std::as_const(data.inputs[1].value));
        const double alpha = std::get<double>(instance.find_scalar("alpha")->value);
        data.outputs.push_back({"Y", multiply_add(alpha, x, y, pass, 2, checkpoint)});
        return data;
    }
    bool every_input_matters() const override { return true; }
};

}  // namespace

const ReferenceSolver& vector_add_solver() {
    static const VectorAddSolver solver;
    return solver;
}

const ReferenceSolver& saxpy_solver() {
    static const SaxpySolver solver;
    return solver;
}

}  // namespace kwb
