// Two-dimensional convolution without padding: every output is a weighted sum of the window below it.
#pragma once

#include "problems/problem.hpp"

namespace kwb {

/// result[y][x] = sum over i, j below F of image[y + i][x + j] · filter[i][j], for an H x W result and an
/// image of (H + F - 1) x (W + F - 1). The filter is not turned round: what image processing calls
/// convolution, and mathematics correlation.
class ConvolutionProblem final : public Problem {
public:
    static constexpr std::int64_t kFilter = 17;          ///< edge of the filter unless said otherwise
    static constexpr std::int64_t kLargestFilter = 255;  ///< up to here float sums of integers are exact

    std::string name() const override { return "convolution"; }
    std::string title() const override { return "2-D convolution of an image with a small filter"; }
    std::vector<std::string> size_names() const override { return {"H", "W", "F"}; }
    Sizes default_sizes() const override { return {{"H", 1024}, {"W", 1024}, {"F", kFilter}}; }
    Sizes square(std::int64_t edge) const override { return {{"H", edge}, {"W", edge}, {"F", kFilter}}; }
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override;
    ProblemInstance at(const Sizes& sizes) const override;
    std::optional<std::string> find_checking_limit(const Sizes& sizes) const override;
    Spellings spellings() const override;
};

}  // namespace kwb
