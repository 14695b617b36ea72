// Inclusive prefix sum: Y[i] = X[0] + … + X[i].
#include "problems/shipped.hpp"

namespace kwb {
namespace {

class ScanProblem final : public RowProblem {
public:
    ScanProblem() : RowProblem("scan", "Inclusive prefix sum, Y[i] = X[0] + … + X[i]", 1 << 22) {}

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::Write, {n}}};
        // N - 1 additions, one after the other; each number is read once and each sum written once.
        instance.cost = {static_cast<double>(n - 1), 8 * static_cast<double>(n)};
        return instance;
    }
};

}  // namespace

const Problem& scan_problem() {
    static const ScanProblem problem;
    return problem;
}

}  // namespace kwb
