// Prefix sums in double precision.
#pragma once

#include "judge/reference/reference.hpp"

namespace kwb {

class ScanSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
};

}  // namespace kwb
