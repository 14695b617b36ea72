// Y = X, bit by bit, in both passes.
#include "judge/reference/solvers.hpp"

#include <cblas.h>

#include <utility>

#include "judge/reference/inputs.hpp"
#include "judge/reference/large_arrays.hpp"

namespace kwb {
namespace {

class CopySolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        auto bytes = make_float_input(*instance.find_buffer("X"), pass, seed, kLargestInteger, checkpoint);
        OutputReference y{convert_in_steps<double>(floats(std::as_const(bytes)), checkpoint,
                                                   [](float value) { return static_cast<double>(value); }),
                          {}};
        PassData data;
        data.inputs.push_back({"X", std::move(bytes)});
        data.outputs.push_back({"Y", std::move(y)});
        return data;
    }
    bool has_host_library() const override { return true; }
    void run_host_library(const ProblemInstance&, const PassData& inputs,
                          std::vector<std::vector<std::byte>>& outputs) const override {
        const std::span<const float> x = floats(*find_named(inputs.inputs, "X"));
        // A length is at most INT32_MAX (problems/problem.cpp).
        cblas_scopy(static_cast<int>(x.size()), x.data(), 1, floats(outputs[0]).data(), 1);
    }
    bool every_input_matters() const override { return true; }
};

}  // namespace

const ReferenceSolver& copy_solver() {
    static const CopySolver solver;
    return solver;
}

}  // namespace kwb
