// Y = X after S steps of x ← A · x + B: N chains of multiply-adds that depend on nothing but themselves. Its
// best time tells how fast a device computes.
#pragma once

#include "problems/length_problem.hpp"

namespace kwb {

class FmaChainProblem final : public LengthProblem {
public:
    /// Steps of every chain: long enough that reading X and writing Y takes no time worth mentioning (1024
    /// flops for each byte), short enough for a useful bound of the error.
    static constexpr std::int64_t kSteps = 4096;

    std::string name() const override { return "fma_chain"; }
    std::string title() const override {
        return "Chains of multiply-adds, Y = X after S steps of x ← A · x + B";
    }
    Sizes default_sizes() const override { return {{"N", 1 << 20}}; }
    /// N chains of S steps. Arguments: X and Y (N floats each), A and B (one float each: known only at run
    /// time, so that no compiler can shorten the chain), N, S.
    ProblemInstance at(const Sizes& sizes) const override;
    Spellings spellings() const override;
};

}  // namespace kwb
