// Two-dimensional convolution without padding: every output is a weighted sum of the window below it.
#include "problems/awkward.hpp"
#include "problems/shipped.hpp"

namespace kwb {
namespace {

constexpr std::int64_t kUsualFilter = 17;
constexpr std::int64_t kLargestFilter = 255;  ///< up to here float sums of integers are exact

/// result[y][x] = sum over i, j below F of image[y + i][x + j] · filter[i][j], for an H x W result and an
/// image of (H + F - 1) x (W + F - 1). The filter is not flipped: image processing calls this convolution,
/// mathematics correlation.
class ConvolutionProblem final : public ShippedProblem {
public:
    ConvolutionProblem()
        : ShippedProblem("convolution", "2-D convolution of an image with a small filter",
                         {{"H", 1024}, {"W", 1024}, {"F", kUsualFilter}}) {}

    Sizes square(std::int64_t edge) const override { return {{"H", edge}, {"W", edge}, {"F", kUsualFilter}}; }

    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override {
        std::vector<Sizes> all;
        for (const Extent2& e : awkward_extents(tile))
            all.push_back({{"H", e.rows}, {"W", e.columns}, {"F", kUsualFilter}});
        for (const std::int64_t filter : {1, 2, 3, 5, 16, 31})
            all.push_back({{"H", 61}, {"W", 97}, {"F", filter}});
        return all;
    }

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto h = static_cast<std::uint64_t>(extent_of(sizes, "H"));
        const auto w = static_cast<std::uint64_t>(extent_of(sizes, "W"));
        const auto f = static_cast<std::uint64_t>(extent_of(sizes, "F"));
        instance.buffers = {{"image", kFloat, Access::Read, {h + f - 1, w + f - 1}},
                            {"filter", kFloat, Access::Read, {f, f}},
                            {"result", kFloat, Access::Write, {h, w}}};
        // Each output takes F F multiplications and additions; each number moves at least once.
        const double outputs = static_cast<double>(h) * static_cast<double>(w);
        const double weights = static_cast<double>(f) * static_cast<double>(f);
        const double inputs = static_cast<double>(h + f - 1) * static_cast<double>(w + f - 1);
        instance.cost = {2 * outputs * weights, 4 * (outputs + inputs + weights)};
        return instance;
    }

    std::optional<std::string> find_checking_limit(const Sizes& sizes) const override {
        const std::int64_t edge = extent_of(sizes, "F");
        if (edge <= kLargestFilter) return std::nullopt;
        return "F = " + std::to_string(edge) +
               " is too large to be checked: filters have an edge of at most " +
               std::to_string(kLargestFilter);
    }

    Spellings spellings() const override {
        return {{"H", height_words()},
                {"W", width_words()},
                {"F", {"filtersize", "filterwidth", "maskwidth", "masksize", "kernelsize", "filteredge"}},
                {"filter", {"mask", "kernel", "coefficients", "weights", "stencil"}},
                {"image", {"img", "picture"}}};
    }
};

}  // namespace

const Problem& convolution_problem() {
    static const ConvolutionProblem problem;
    return problem;
}

}  // namespace kwb
