// Jacobi's iteration in double precision, with an error bound for every element.
#pragma once

#include "judge/reference.hpp"

namespace kwb {

class StencilSolver final : public ReferenceSolver {
public:
    /// Beyond this the exact pass would be none: each step may take two bits more.
    static constexpr std::int64_t kMostSteps = 10;

    std::optional<std::string> find_constraint(const ProblemInstance& instance) const override;
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
};

}  // namespace kwb
