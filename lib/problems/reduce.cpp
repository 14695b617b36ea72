// N numbers become one: R[0] is the sum of X[0], …, X[N-1], or the largest of them.
#include "problems/shipped.hpp"

namespace kwb {
namespace {

class ReduceProblem final : public RowProblem {
public:
    ReduceProblem(std::string name, std::string title, std::vector<std::string> words)
        : RowProblem(std::move(name), std::move(title)), words_(std::move(words)) {}

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"R", kFloat, Access::Write, {1}}};
        // N - 1 operations; each number is read once.
        instance.cost = {static_cast<double>(n - 1), 4 * static_cast<double>(n) + 4};
        return instance;
    }

    Spellings spellings() const override { return {{"R", words_}}; }

private:
    std::vector<std::string> words_;
};

}  // namespace

const Problem& sum_problem() {
    static const ReduceProblem problem("sum", "Sum of N numbers", {"sum", "total"});
    return problem;
}

const Problem& max_problem() {
    static const ReduceProblem problem("max", "Largest of N numbers", {"max", "maximum", "largest"});
    return problem;
}

}  // namespace kwb
