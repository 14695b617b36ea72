// Convolution in double precision, with an error bound for every element.
#pragma once

#include "judge/reference.hpp"

namespace kwb {

class ConvolutionSolver final : public ReferenceSolver {
public:
    static constexpr std::uint64_t kLargestFilter = 255;

    std::optional<std::string> find_constraint(const ProblemInstance& instance) const override;
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
    bool every_input_matters() const override { return true; }
};

}  // namespace kwb
