// One addition, or one multiply-add, per element: only memory throughput counts.
#include "problems/shipped.hpp"

namespace kwb {
namespace {

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
        // One addition; two numbers are read and one is written.
        instance.cost = {static_cast<double>(n), 12 * static_cast<double>(n)};
        return instance;
    }
};

/// Has few bits, so that the exact pass stays exact.
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
        // A multiplication and an addition; two numbers are read and one is written.
        instance.cost = {2 * static_cast<double>(n), 12 * static_cast<double>(n)};
        return instance;
    }

    Spellings spellings() const override { return {{"alpha", {"a"}}}; }
};

}  // namespace

const Problem& vector_add_problem() {
    static const VectorAddProblem problem;
    return problem;
}

const Problem& saxpy_problem() {
    static const SaxpyProblem problem;
    return problem;
}

}  // namespace kwb
