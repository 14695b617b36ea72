#include "problems/reduce.hpp"

#include "problems/element_types.hpp"

namespace kwb {
namespace {

/// X of N floats, R of one; N - 1 operations; each number is read once.
void reduce_to_one(ProblemInstance& instance, std::uint64_t n) {
    instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"R", kFloat, Access::Write, {1}}};
    instance.cost = {static_cast<double>(n - 1), 4 * static_cast<double>(n) + 4};
}

}  // namespace

ProblemInstance SumProblem::at(const Sizes& sizes) const {
    ProblemInstance instance = start(sizes);
    reduce_to_one(instance, static_cast<std::uint64_t>(length_of(sizes)));
    return instance;
}

ProblemInstance MaxProblem::at(const Sizes& sizes) const {
    ProblemInstance instance = start(sizes);
    reduce_to_one(instance, static_cast<std::uint64_t>(length_of(sizes)));
    return instance;
}

Spellings SumProblem::spellings() const {
    return {{"R", {"sum", "total"}}};
}

Spellings MaxProblem::spellings() const {
    return {{"R", {"max", "maximum", "largest"}}};
}

}  // namespace kwb
