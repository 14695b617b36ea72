// B[j][i] = A[i][j] with A of M x N and B of N x M, row-major floats.
#pragma once

#include "problems/problem.hpp"

namespace kwb {

class TransposeProblem final : public Problem {
public:
    std::string name() const override { return "transpose"; }
    std::string title() const override { return "Matrix transposition, B[j][i] = A[i][j]"; }
    std::vector<std::string> size_names() const override { return {"M", "N"}; }
    Sizes default_sizes() const override { return {{"M", 2048}, {"N", 2048}}; }
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override;
    ProblemInstance at(const Sizes& sizes) const override;
    bool has_host_library() const override { return true; }
    Spellings spellings() const override;
};

}  // namespace kwb
