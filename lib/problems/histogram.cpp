// H[b] = how many of X[0], …, X[N-1] equal b. X and H hold unsigned ints, those of X below BINS.
#include "problems/shipped.hpp"

namespace kwb {
namespace {

constexpr std::int64_t kBins = 256;

class HistogramProblem final : public RowProblem {
public:
    HistogramProblem() : RowProblem("histogram", "Histogram of N numbers below 256", 1 << 22) {}

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        constexpr auto kCounts = static_cast<std::uint64_t>(kBins);
        instance.buffers = {{"X", kUInt, Access::Read, {n}}, {"H", kUInt, Access::Write, {kCounts}}};
        instance.scalars.push_back({"BINS", kInt, kBins});
        // No floating-point operation; each number is read once and each count written once.
        instance.cost = {0, 4 * static_cast<double>(n + kCounts)};
        return instance;
    }

    Spellings spellings() const override {
        return {{"H", {"hist", "histogram", "bins", "counts"}}, {"BINS", {"nbins", "numbins", "bincount"}}};
    }
};

}  // namespace

const Problem& histogram_problem() {
    static const HistogramProblem problem;
    return problem;
}

}  // namespace kwb
