// Y = X after S steps of x ← A · x + B: N chains of multiply-adds, independent of each other. The best time
// tells how fast the device computes.
#include "problems/shipped.hpp"

namespace kwb {
namespace {

class FmaChainProblem final : public RowProblem {
public:
    FmaChainProblem()
        : RowProblem("fma_chain", "Chains of multiply-adds, Y = X after S steps of x ← A · x + B", 1 << 20) {}

    /// A and B are buffers of one float: known only at run time, so that no compiler can shorten the chain.
    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto chains = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"X", kFloat, Access::Read, {chains}},
                            {"A", kFloat, Access::Read, {1}},
                            {"B", kFloat, Access::Read, {1}},
                            {"Y", kFloat, Access::Write, {chains}}};
        instance.scalars.push_back({"S", kInt, kFmaChainSteps});
        // A multiplication and an addition per step; X, A and B are read, Y is written.
        const auto number = static_cast<double>(chains);
        instance.cost = {2 * number * static_cast<double>(kFmaChainSteps), 4 * (2 * number + 2)};
        return instance;
    }

    Spellings spellings() const override { return {{"S", {"steps", "iterations", "nsteps", "niter"}}}; }
};

}  // namespace

const Problem& fma_chain_problem() {
    static const FmaChainProblem problem;
    return problem;
}

}  // namespace kwb
