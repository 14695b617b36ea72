// N numbers become one: their sum, or the largest.
#pragma once

#include "problems/length_problem.hpp"

namespace kwb {

/// R[0] = X[0] + X[1] + … + X[N-1].
class SumProblem final : public LengthProblem {
public:
    std::string name() const override { return "sum"; }
    std::string title() const override { return "Sum of N numbers"; }
    ProblemInstance at(const Sizes& sizes) const override;
    Spellings spellings() const override;
};

/// R[0] = the largest of X[0], …, X[N-1].
class MaxProblem final : public LengthProblem {
public:
    std::string name() const override { return "max"; }
    std::string title() const override { return "Largest of N numbers"; }
    ProblemInstance at(const Sizes& sizes) const override;
    Spellings spellings() const override;
};

}  // namespace kwb
