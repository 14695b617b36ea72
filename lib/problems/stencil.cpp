#include "problems/stencil.hpp"

#include "problems/element_types.hpp"
#include "problems/extents.hpp"

namespace kwb {

std::vector<Sizes> StencilProblem::awkward_sizes(std::int64_t tile) const {
    std::vector<Sizes> all;
    std::int64_t steps = 1;
    for (const Extent2& e : awkward_extents(tile)) {
        all.push_back({{"H", e.rows}, {"W", e.columns}, {"S", steps}});
        steps = steps % 5 + 1;  // odd and even, below and above what a launch may take at once
    }
    for (const std::int64_t s : {1, 2, 3, 4, 7, 8}) all.push_back({{"H", 61}, {"W", 97}, {"S", s}});
    return all;
}

ProblemInstance StencilProblem::at(const Sizes& sizes) const {
    const std::int64_t h = extent_of(sizes, "H");
    const std::int64_t w = extent_of(sizes, "W");
    const std::int64_t s = extent_of(sizes, "S");
    const auto uh = static_cast<std::uint64_t>(h);
    const auto uw = static_cast<std::uint64_t>(w);

    ProblemInstance instance;
    instance.problem = name();
    instance.sizes = sizes;
    instance.buffers = {{"X", kFloat, Access::Read, {uh, uw}}, {"Y", kFloat, Access::Write, {uh, uw}}};
    instance.scalars = {{"H", kInt, h}, {"W", kInt, w}, {"S", kInt, s}};
    // Three additions and a multiplication for each inner element and step. However many steps a launch
    // takes, each number must be read once and written once.
    const double inner = static_cast<double>(h > 2 ? h - 2 : 0) * static_cast<double>(w > 2 ? w - 2 : 0);
    instance.cost = {4 * inner * static_cast<double>(s), 8 * static_cast<double>(h) * static_cast<double>(w)};
    return instance;
}

std::optional<std::string> StencilProblem::find_checking_limit(const Sizes& sizes) const {
    const std::int64_t steps = extent_of(sizes, "S");
    if (steps <= kMostSteps) return std::nullopt;
    return "S = " + std::to_string(steps) + " steps are too many to be checked to the bit: choose at most " +
           std::to_string(kMostSteps);
}

Spellings StencilProblem::spellings() const {
    return {{"H", height_words()}, {"W", width_words()}, {"S", {"steps", "iterations", "nsteps", "niter"}}};
}

}  // namespace kwb
