// C = A · B by the host's BLAS, with an error bound for every element.
#pragma once

#include "judge/reference/reference.hpp"

namespace kwb {

class MatmulSolver final : public ReferenceSolver {
public:
    /// What references of both passes may cost at most, as far as this machine's BLAS lets one tell; larger
    /// products are judged by random vectors (product_probe.hpp).
    static constexpr double kMostFullMs = 5000;

    explicit MatmulSolver(double most_full_ms = kMostFullMs) : most_full_ms_(most_full_ms) {}

    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
    bool has_host_library() const override { return true; }
    void run_host_library(const ProblemInstance& instance, const PassData& inputs,
                          std::vector<std::vector<std::byte>>& outputs) const override;
    bool every_input_matters() const override { return true; }

private:
    double most_full_ms_;
};

}  // namespace kwb
