// One addition, or one multiply-add, for each element: nothing but the memory counts.
#pragma once

#include "problems/length_problem.hpp"

namespace kwb {

/// C = A + B.
class VectorAddProblem final : public LengthProblem {
public:
    std::string name() const override { return "vector_add"; }
    std::string title() const override { return "Vector addition, C = A + B"; }
    ProblemInstance at(const Sizes& sizes) const override;
};

/// Y = alpha · X + Y, in place.
class SaxpyProblem final : public LengthProblem {
public:
    /// A sum of a few bits, so that the exact pass stays exact with it.
    static constexpr double kAlpha = 2.5;

    std::string name() const override { return "saxpy"; }
    std::string title() const override { return "saxpy, Y = alpha · X + Y"; }
    ProblemInstance at(const Sizes& sizes) const override;
    Spellings spellings() const override;
};

}  // namespace kwb
