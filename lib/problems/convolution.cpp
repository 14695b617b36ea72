#include "problems/convolution.hpp"

#include "problems/element_types.hpp"
#include "problems/extents.hpp"

namespace kwb {

std::vector<Sizes> ConvolutionProblem::awkward_sizes(std::int64_t tile) const {
    std::vector<Sizes> all;
    for (const Extent2& e : awkward_extents(tile))
        all.push_back({{"H", e.rows}, {"W", e.columns}, {"F", kFilter}});
    for (const std::int64_t filter : {1, 2, 3, 5, 16, 31})
        all.push_back({{"H", 61}, {"W", 97}, {"F", filter}});
    return all;
}

ProblemInstance ConvolutionProblem::at(const Sizes& sizes) const {
    const std::int64_t h = extent_of(sizes, "H");
    const std::int64_t w = extent_of(sizes, "W");
    const std::int64_t f = extent_of(sizes, "F");
    const auto uh = static_cast<std::uint64_t>(h);
    const auto uw = static_cast<std::uint64_t>(w);
    const auto uf = static_cast<std::uint64_t>(f);

    ProblemInstance instance;
    instance.problem = name();
    instance.sizes = sizes;
    instance.buffers = {{"image", kFloat, Access::Read, {uh + uf - 1, uw + uf - 1}},
                        {"filter", kFloat, Access::Read, {uf, uf}},
                        {"result", kFloat, Access::Write, {uh, uw}}};
    instance.scalars = {{"H", kInt, h}, {"W", kInt, w}, {"F", kInt, f}};
    // Each output takes F F multiplications and additions; each number moves at least once.
    const double outputs = static_cast<double>(h) * static_cast<double>(w);
    const double weights = static_cast<double>(f) * static_cast<double>(f);
    const double inputs = static_cast<double>(h + f - 1) * static_cast<double>(w + f - 1);
    instance.cost = {2 * outputs * weights, 4 * (outputs + inputs + weights)};
    return instance;
}

std::optional<std::string> ConvolutionProblem::find_checking_limit(const Sizes& sizes) const {
    const std::int64_t edge = extent_of(sizes, "F");
    if (edge <= kLargestFilter) return std::nullopt;
    return "F = " + std::to_string(edge) + " is too large to be checked: filters have an edge of at most " +
           std::to_string(kLargestFilter);
}

Spellings ConvolutionProblem::spellings() const {
    return {{"H", height_words()},
            {"W", width_words()},
            {"F", {"filtersize", "filterwidth", "maskwidth", "masksize", "kernelsize", "filteredge"}},
            {"filter", {"mask", "kernel", "coefficients", "weights", "stencil"}},
            {"image", {"img", "picture"}}};
}

}  // namespace kwb
