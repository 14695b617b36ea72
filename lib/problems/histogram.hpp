// H[b] = how many of X[0], …, X[N-1] are b.
#pragma once

#include "problems/length_problem.hpp"

namespace kwb {

class HistogramProblem final : public LengthProblem {
public:
    static constexpr std::int64_t kBins = 256;

    std::string name() const override { return "histogram"; }
    std::string title() const override { return "Histogram of N numbers below 256"; }
    Sizes default_sizes() const override { return {{"N", 1 << 22}}; }
    /// Arguments: X (N unsigned ints below BINS), H (BINS unsigned ints), N, BINS.
    ProblemInstance at(const Sizes& sizes) const override;
    Spellings spellings() const override;
};

}  // namespace kwb
