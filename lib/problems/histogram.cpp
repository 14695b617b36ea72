#include "problems/histogram.hpp"

#include "problems/element_types.hpp"

namespace kwb {

ProblemInstance HistogramProblem::at(const Sizes& sizes) const {
    ProblemInstance instance = start(sizes);
    const auto n = static_cast<std::uint64_t>(length_of(sizes));
    constexpr auto kCounts = static_cast<std::uint64_t>(kBins);
    instance.buffers = {{"X", kUInt, Access::Read, {n}}, {"H", kUInt, Access::Write, {kCounts}}};
    instance.scalars.push_back({"BINS", kInt, kBins});
    // No floating-point operation; each number is read once and each count written once.
    instance.cost = {0, 4 * static_cast<double>(n + kCounts)};
    return instance;
}

Spellings HistogramProblem::spellings() const {
    return {{"H", {"hist", "histogram", "bins", "counts"}}, {"BINS", {"nbins", "numbins", "bincount"}}};
}

}  // namespace kwb
