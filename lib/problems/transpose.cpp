// B[j][i] = A[i][j] with A of M x N and B of N x M, row-major floats.
#include "problems/awkward.hpp"
#include "problems/shipped.hpp"

namespace kwb {
namespace {

class TransposeProblem final : public ShippedProblem {
public:
    TransposeProblem()
        : ShippedProblem("transpose", "Matrix transposition, B[j][i] = A[i][j]", {{"M", 2048}, {"N", 2048}}) {
    }

    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override {
        std::vector<Sizes> all;
        for (const Extent2& e : awkward_extents(tile)) all.push_back({{"M", e.rows}, {"N", e.columns}});
        return all;
    }

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto m = static_cast<std::uint64_t>(extent_of(sizes, "M"));
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"A", kFloat, Access::Read, {m, n}}, {"B", kFloat, Access::Write, {n, m}}};
        // Each number is read once and written once; nothing is computed.
        instance.cost = {0, 8 * static_cast<double>(m) * static_cast<double>(n)};
        return instance;
    }

    bool has_host_library() const override { return true; }
    Spellings spellings() const override { return {{"M", height_words()}, {"N", width_words()}}; }
};

}  // namespace

const Problem& transpose_problem() {
    static const TransposeProblem problem;
    return problem;
}

}  // namespace kwb
