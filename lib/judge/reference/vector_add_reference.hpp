// Sums and multiply-adds element by element, in double precision.
#pragma once

#include "judge/reference/reference.hpp"

namespace kwb {

class VectorAddSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
    bool every_input_matters() const override { return true; }
};

class SaxpySolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
    bool every_input_matters() const override { return true; }
};

}  // namespace kwb
