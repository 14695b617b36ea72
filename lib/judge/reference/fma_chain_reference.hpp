// Y = X after S steps of x ← A · x + B, by repeated squaring in double precision.
#pragma once

#include "judge/reference/reference.hpp"

namespace kwb {

/// What S steps do to a number: x ↦ scale · x + shift.
struct AffineMap {
    double scale = 1;
    double shift = 0;

    double operator()(double x) const { return scale * x + shift; }
};

/// The map x ↦ a · x + b applied `steps` times, in about 2 log2(steps) operations rather than `steps`.
/// @param steps  at least 0
AffineMap repeat_map(AffineMap step, std::int64_t steps);

/// Exact pass: A = 1, and small integers elsewhere, so that every step is exact.
/// Real pass: A a little below 1 and |B| at most 1 / S, so that a change of X still shows after S steps, and
/// no number on the way is large or denormal.
class FmaChainSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
    bool every_input_matters() const override { return true; }
};

}  // namespace kwb
