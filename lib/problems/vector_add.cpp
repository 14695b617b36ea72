#include "problems/vector_add.hpp"

#include "problems/element_types.hpp"

namespace kwb {

ProblemInstance VectorAddProblem::at(const Sizes& sizes) const {
    ProblemInstance instance = start(sizes);
    const auto n = static_cast<std::uint64_t>(length_of(sizes));
    instance.buffers = {{"A", kFloat, Access::Read, {n}},
                        {"B", kFloat, Access::Read, {n}},
                        {"C", kFloat, Access::Write, {n}}};
    // One addition; two numbers are read and one is written.
    instance.cost = {static_cast<double>(n), 12 * static_cast<double>(n)};
    return instance;
}

ProblemInstance SaxpyProblem::at(const Sizes& sizes) const {
    ProblemInstance instance = start(sizes);
    const auto n = static_cast<std::uint64_t>(length_of(sizes));
    instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::ReadWrite, {n}}};
    instance.scalars.push_back({"alpha", kFloat, kAlpha});
    // A multiplication and an addition; two numbers are read and one is written.
    instance.cost = {2 * static_cast<double>(n), 12 * static_cast<double>(n)};
    return instance;
}

Spellings SaxpyProblem::spellings() const {
    return {{"alpha", {"a"}}};
}

}  // namespace kwb
