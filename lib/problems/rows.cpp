// Problems on one-dimensional arrays. Most of them are limited by memory bandwidth.
#include "problems/shipped.hpp"

namespace kwb {
namespace {

/// Y = X: copies N floats. The best time gives the device's memory bandwidth.
class CopyProblem final : public RowProblem {
public:
    CopyProblem() : RowProblem("copy", "Copy, Y = X") {}

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::Write, {n}}};
        // Each number is read once and written once; nothing is computed.
        instance.cost = {0, 8 * static_cast<double>(n)};
        return instance;
    }

    bool has_host_library() const override { return true; }
};

/// C = A + B.
class VectorAddProblem final : public RowProblem {
public:
    VectorAddProblem() : RowProblem("vector_add", "Vector addition, C = A + B") {}

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"A", kFloat, Access::Read, {n}},
                            {"B", kFloat, Access::Read, {n}},
                            {"C", kFloat, Access::Write, {n}}};
        // Per element: one addition, two floats read, one written.
        instance.cost = {static_cast<double>(n), 12 * static_cast<double>(n)};
        return instance;
    }
};

/// Has few significant bits, so that products with integers are exact in the exact pass.
constexpr double kAlpha = 2.5;

/// Y = alpha · X + Y, in place.
class SaxpyProblem final : public RowProblem {
public:
    SaxpyProblem() : RowProblem("saxpy", "saxpy, Y = alpha · X + Y") {}

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::ReadWrite, {n}}};
        instance.scalars.push_back({"alpha", kFloat, kAlpha});
        // Per element: a multiplication and an addition, two floats read, one written.
        instance.cost = {2 * static_cast<double>(n), 12 * static_cast<double>(n)};
        return instance;
    }

    Spellings spellings() const override { return {{"alpha", {"a"}}}; }
};

/// Y = X after S steps of x ← A · x + B: N independent chains of multiply-adds. The best time gives the
/// device's arithmetic throughput.
class FmaChainProblem final : public RowProblem {
public:
    FmaChainProblem()
        : RowProblem("fma_chain", "Chains of multiply-adds, Y = X after S steps of x ← A · x + B", 1 << 20) {}

    /// A and B are buffers of one float, not constants, so that the compiler cannot shorten the chain.
    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto chains = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"X", kFloat, Access::Read, {chains}},
                            {"A", kFloat, Access::Read, {1}},
                            {"B", kFloat, Access::Read, {1}},
                            {"Y", kFloat, Access::Write, {chains}}};
        instance.scalars.push_back({"S", kInt, kFmaChainSteps});
        // A multiplication and an addition per step; X, A and B are read, Y is written.
        const auto number = static_cast<double>(chains);
        instance.cost = {2 * number * static_cast<double>(kFmaChainSteps), 4 * (2 * number + 2)};
        return instance;
    }

    Spellings spellings() const override { return {{"S", {"steps", "iterations", "nsteps", "niter"}}}; }
};

constexpr std::int64_t kBins = 256;

/// H[b] = how many of X[0], …, X[N-1] equal b. X and H hold unsigned ints; the values in X are below BINS.
class HistogramProblem final : public RowProblem {
public:
    HistogramProblem() : RowProblem("histogram", "Histogram of N numbers below 256", 1 << 22) {}

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        constexpr auto kCounts = static_cast<std::uint64_t>(kBins);
        instance.buffers = {{"X", kUInt, Access::Read, {n}}, {"H", kUInt, Access::Write, {kCounts}}};
        instance.scalars.push_back({"BINS", kInt, kBins});
        // No floating-point operations; each element is read once and each count written once.
        instance.cost = {0, 4 * static_cast<double>(n + kCounts)};
        return instance;
    }

    Spellings spellings() const override {
        return {{"H", {"hist", "histogram", "bins", "counts"}}, {"BINS", {"nbins", "numbins", "bincount"}}};
    }
};

/// Reduction: R[0] is the sum or the maximum of X[0], …, X[N-1].
class ReduceProblem final : public RowProblem {
public:
    ReduceProblem(std::string name, std::string title, std::vector<std::string> words)
        : RowProblem(std::move(name), std::move(title)), words_(std::move(words)) {}

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"R", kFloat, Access::Write, {1}}};
        // N - 1 operations; each element is read once and the result written once.
        instance.cost = {static_cast<double>(n - 1), 4 * static_cast<double>(n) + 4};
        return instance;
    }

    Spellings spellings() const override { return {{"R", words_}}; }

private:
    std::vector<std::string> words_;
};

/// Inclusive prefix sum: Y[i] = X[0] + … + X[i].
class ScanProblem final : public RowProblem {
public:
    ScanProblem() : RowProblem("scan", "Inclusive prefix sum, Y[i] = X[0] + … + X[i]", 1 << 22) {}

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::Write, {n}}};
        // N - 1 additions (of the sequential scan); each element is read once and each sum written once.
        instance.cost = {static_cast<double>(n - 1), 8 * static_cast<double>(n)};
        return instance;
    }
};

}  // namespace

const Problem& copy_problem() {
    static const CopyProblem problem;
    return problem;
}

const Problem& vector_add_problem() {
    static const VectorAddProblem problem;
    return problem;
}

const Problem& saxpy_problem() {
    static const SaxpyProblem problem;
    return problem;
}

const Problem& fma_chain_problem() {
    static const FmaChainProblem problem;
    return problem;
}

const Problem& histogram_problem() {
    static const HistogramProblem problem;
    return problem;
}

const Problem& sum_problem() {
    static const ReduceProblem problem("sum", "Sum of N numbers", {"sum", "total"});
    return problem;
}

const Problem& max_problem() {
    static const ReduceProblem problem("max", "Largest of N numbers", {"max", "maximum", "largest"});
    return problem;
}

const Problem& scan_problem() {
    static const ScanProblem problem;
    return problem;
}

}  // namespace kwb
