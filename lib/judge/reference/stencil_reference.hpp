// Jacobi's iteration in double precision, with an error bound for every element.
#pragma once

#include "judge/reference/reference.hpp"

namespace kwb {

class StencilSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
};

}  // namespace kwb
