#include "problems/fma_chain.hpp"

#include "problems/element_types.hpp"

namespace kwb {

ProblemInstance FmaChainProblem::at(const Sizes& sizes) const {
    ProblemInstance instance = start(sizes);
    const auto chains = static_cast<std::uint64_t>(length_of(sizes));
    instance.buffers = {{"X", kFloat, Access::Read, {chains}},
                        {"A", kFloat, Access::Read, {1}},
                        {"B", kFloat, Access::Read, {1}},
                        {"Y", kFloat, Access::Write, {chains}}};
    instance.scalars.push_back({"S", kInt, kSteps});
    // A multiplication and an addition a step; X, A and B are read, Y is written.
    const auto number = static_cast<double>(chains);
    instance.cost = {2 * number * static_cast<double>(kSteps), 4 * (2 * number + 2)};
    return instance;
}

Spellings FmaChainProblem::spellings() const {
    return {{"S", {"steps", "iterations", "nsteps", "niter"}}};
}

}  // namespace kwb
