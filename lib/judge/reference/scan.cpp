// Prefix sums in double precision.
#include "judge/reference/solvers.hpp"

#include <cmath>
#include <utility>

#include "judge/reference/inputs.hpp"
#include "judge/reference/large_arrays.hpp"
#include "judge/reference/reference.hpp"

namespace kwb {
namespace {

/// Random signs keep every partial sum in the range in which floats represent every integer, as in
/// reduce.cpp.
constexpr unsigned kExactScanMagnitude = 4;

class ScanSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        PassData data;
        data.inputs.push_back(
            {"X", make_float_input(*instance.find_buffer("X"), pass, seed, kExactScanMagnitude, checkpoint)});
        const std::span<const float> x = floats(std::as_const(data.inputs[0].value));
        OutputReference reference;
        reference.expected = make_zeros<double>(x.size(), checkpoint);
        if (pass == Pass::Real) reference.bound = make_zeros<float>(x.size(), checkpoint);
        double sum = 0;
        double magnitudes = 0;
        in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
            for (std::size_t i = first; i < first + count; ++i) {
                sum += static_cast<double>(x[i]);
                magnitudes += std::fabs(static_cast<double>(x[i]));
                reference.expected[i] = sum;
                if (pass == Pass::Real)
                    reference.bound[i] =
                        static_cast<float>(random_sum_bound(static_cast<double>(i + 1), magnitudes));
            }
        });
        data.outputs.push_back({"Y", std::move(reference)});
        return data;
    }
};

}  // namespace

const ReferenceSolver& scan_solver() {
    static const ScanSolver solver;
    return solver;
}

}  // namespace kwb
