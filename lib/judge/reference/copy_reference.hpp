// Y = X: every bit of it, in both passes.
#pragma once

#include "judge/reference/reference.hpp"

namespace kwb {

class CopySolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override;
    bool has_host_library() const override { return true; }
    void run_host_library(const ProblemInstance& instance, const PassData& inputs,
                          std::vector<std::vector<std::byte>>& outputs) const override;
    bool every_input_matters() const override { return true; }
};

}  // namespace kwb
