// Inclusive prefix sum: Y[i] = X[0] + … + X[i].
#pragma once

#include "problems/length_problem.hpp"

namespace kwb {

class ScanProblem final : public LengthProblem {
public:
    std::string name() const override { return "scan"; }
    std::string title() const override { return "Inclusive prefix sum, Y[i] = X[0] + … + X[i]"; }
    Sizes default_sizes() const override { return {{"N", 1 << 22}}; }
    ProblemInstance at(const Sizes& sizes) const override;
};

}  // namespace kwb
