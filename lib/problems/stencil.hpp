// Jacobi's iteration with five points: S times, every inner element becomes the mean of its four neighbours.
#pragma once

#include "problems/problem.hpp"

namespace kwb {

/// X and Y are H x W. Elements on the border keep their values. Y is what S steps make of X.
class StencilProblem final : public Problem {
public:
    static constexpr std::int64_t kSteps = 4;  ///< unless said otherwise
    /// Beyond this no pass would be exact: each step may take two bits more.
    static constexpr std::int64_t kMostSteps = 10;

    std::string name() const override { return "stencil"; }
    std::string title() const override { return "Jacobi stencil of five points, S steps"; }
    std::vector<std::string> size_names() const override { return {"H", "W", "S"}; }
    Sizes default_sizes() const override { return {{"H", 2048}, {"W", 2048}, {"S", kSteps}}; }
    Sizes square(std::int64_t edge) const override { return {{"H", edge}, {"W", edge}, {"S", kSteps}}; }
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override;
    ProblemInstance at(const Sizes& sizes) const override;
    std::optional<std::string> find_checking_limit(const Sizes& sizes) const override;
    Spellings spellings() const override;
};

}  // namespace kwb
