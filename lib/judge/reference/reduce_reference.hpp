// The sum and the largest of many numbers.
#pragma once

#include "judge/reference/reference.hpp"

namespace kwb {

class SumSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
};

class MaxSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
};

}  // namespace kwb
