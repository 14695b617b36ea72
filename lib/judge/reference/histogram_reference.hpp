// Counts of numbers, exact in both passes.
#pragma once

#include "judge/reference/reference.hpp"

namespace kwb {

class HistogramSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
    bool every_input_matters() const override { return true; }
};

}  // namespace kwb
