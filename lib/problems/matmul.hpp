// C = A · B with A of M x K, B of K x N, C of M x N, row-major floats.
#pragma once

#include "problems/problem.hpp"

namespace kwb {

class MatmulProblem final : public Problem {
public:
    /// Above this the error bound is no bound any more (gamma_n needs n u well below 1), and exact sums would
    /// be near their end.
    static constexpr std::int64_t kLongestSum = 1 << 23;

    std::string name() const override { return "matmul"; }
    std::string title() const override { return "Matrix multiplication, C = A · B"; }
    std::vector<std::string> size_names() const override { return {"M", "N", "K"}; }
    Sizes default_sizes() const override { return {{"M", 512}, {"N", 512}, {"K", 512}}; }
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override;
    ProblemInstance at(const Sizes& sizes) const override;
    std::optional<std::string> find_checking_limit(const Sizes& sizes) const override;
    bool has_host_library() const override { return true; }
    Spellings spellings() const override;
};

}  // namespace kwb
