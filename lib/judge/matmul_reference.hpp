// C = A · B by the host's BLAS, with an error bound for every element.
#pragma once

#include "judge/reference.hpp"

namespace kwb {

class MatmulSolver final : public ReferenceSolver {
public:
    std::optional<std::string> find_constraint(const ProblemInstance& instance) const override;
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
    void run_host_library(const ProblemInstance& instance, const PassData& inputs,
                          std::vector<std::vector<std::byte>>& outputs) const override;
    bool every_input_matters() const override { return true; }
    std::string host_library() const override;
};

/// gamma_n = n u / (1 - n u) with u = 2^-24, the unit roundoff of float.
/// The error of a dot product of length n, summed in any order, is at most gamma_n |a|·|b|.
/// Source: N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, 2002, section 3.1.
/// @param n  terms, 1 … 2^23
double gamma_bound(double n);

}  // namespace kwb
