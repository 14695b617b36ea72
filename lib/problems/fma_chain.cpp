#include "problems/fma_chain.hpp"

#include "base/error.hpp"
#include "problems/lengths.hpp"

namespace kwb {

std::vector<Sizes> FmaChainProblem::awkward_sizes(std::int64_t tile) const {
    return awkward_lengths("N", tile);
}

ProblemInstance FmaChainProblem::at(const Sizes& sizes) const {
    const std::int64_t* const n = find_named(sizes, "N");
    expects(n != nullptr && *n >= 1, "FmaChainProblem::at: N is missing or below 1");
    const auto chains = static_cast<std::uint64_t>(*n);
    constexpr ElementType kFloat{Scalar::Float32, 1};
    constexpr ElementType kInt{Scalar::Int32, 1};

    ProblemInstance instance;
    instance.problem = name();
    instance.sizes = sizes;
    instance.buffers = {{"X", kFloat, Access::Read, {chains}},
                        {"A", kFloat, Access::Read, {1}},
                        {"B", kFloat, Access::Read, {1}},
                        {"Y", kFloat, Access::Write, {chains}}};
    instance.scalars = {{"N", kInt, *n}, {"S", kInt, kSteps}};
    // A multiplication and an addition a step; X, A and B are read, Y is written.
    const auto number = static_cast<double>(*n);
    instance.cost = {2 * number * static_cast<double>(kSteps), 4 * (2 * number + 2)};
    return instance;
}

}  // namespace kwb
