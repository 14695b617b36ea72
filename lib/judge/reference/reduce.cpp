// The sum and the maximum of many numbers.
#include "judge/reference/solvers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "judge/reference/inputs.hpp"
#include "judge/reference/large_arrays.hpp"
#include "judge/reference/reference.hpp"

namespace kwb {
namespace {

/// Random signs keep every partial sum far below 2^24, up to which floats represent every integer: 2^30 such
/// numbers reach about 2^17.
constexpr unsigned kExactReduceMagnitude = 4;

class SumSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        PassData data;
        data.inputs.push_back({"X", make_float_input(*instance.find_buffer("X"), pass, seed,
                                                     kExactReduceMagnitude, checkpoint)});
        const std::span<const float> x = floats(std::as_const(data.inputs[0].value));
        double sum = 0;
        double magnitudes = 0;
        in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
            for (const float value : x.subspan(first, count)) {
                sum += static_cast<double>(value);
                magnitudes += std::fabs(static_cast<double>(value));
            }
        });
        OutputReference reference{{sum}, {}};
        if (pass == Pass::Real)
            reference.bound = {
                static_cast<float>(random_sum_bound(static_cast<double>(x.size()), magnitudes))};
        data.outputs.push_back({"R", std::move(reference)});
        return data;
    }
};

class MaxSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        PassData data;
        data.inputs.push_back(
            {"X", make_float_input(*instance.find_buffer("X"), pass, seed, kLargestInteger, checkpoint)});
        const std::span<const float> x = floats(std::as_const(data.inputs[0].value));
        float largest = x[0];
        in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
            for (const float value : x.subspan(first, count)) largest = std::max(largest, value);
        });
        data.outputs.push_back({"R", OutputReference{{static_cast<double>(largest)}, {}}});
        return data;
    }
};

}  // namespace

const ReferenceSolver& sum_solver() {
    static const SumSolver solver;
    return solver;
}

const ReferenceSolver& max_solver() {
    static const MaxSolver solver;
    return solver;
}

}  // namespace kwb
