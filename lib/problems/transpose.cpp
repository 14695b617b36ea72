#include "problems/transpose.hpp"

#include "problems/element_types.hpp"
#include "problems/extents.hpp"

namespace kwb {

std::vector<Sizes> TransposeProblem::awkward_sizes(std::int64_t tile) const {
    std::vector<Sizes> all;
    for (const Extent2& e : awkward_extents(tile)) all.push_back({{"M", e.rows}, {"N", e.columns}});
    return all;
}

ProblemInstance TransposeProblem::at(const Sizes& sizes) const {
    const std::int64_t m = extent_of(sizes, "M");
    const std::int64_t n = extent_of(sizes, "N");
    const auto um = static_cast<std::uint64_t>(m);
    const auto un = static_cast<std::uint64_t>(n);

    ProblemInstance instance;
    instance.problem = name();
    instance.sizes = sizes;
    instance.buffers = {{"A", kFloat, Access::Read, {um, un}}, {"B", kFloat, Access::Write, {un, um}}};
    instance.scalars = {{"M", kInt, m}, {"N", kInt, n}};
    // Each number is read once and written once; nothing is computed.
    instance.cost = {0, 8 * static_cast<double>(m) * static_cast<double>(n)};
    return instance;
}

Spellings TransposeProblem::spellings() const {
    return {{"M", height_words()}, {"N", width_words()}};
}

}  // namespace kwb
