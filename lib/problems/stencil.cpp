// Jacobi's iteration with five points: S times, every inner element becomes the mean of its four neighbours.
#include "problems/awkward.hpp"
#include "problems/shipped.hpp"

namespace kwb {
namespace {

constexpr std::int64_t kUsualSteps = 4;

/// X and Y are H x W; Y is X after S steps. Elements on the border keep their values.
class StencilProblem final : public ShippedProblem {
public:
    StencilProblem()
        : ShippedProblem("stencil", "Jacobi stencil of five points, S steps",
                         {{"H", 2048}, {"W", 2048}, {"S", kUsualSteps}}) {}

    Sizes square(std::int64_t edge) const override { return {{"H", edge}, {"W", edge}, {"S", kUsualSteps}}; }

    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override {
        std::vector<Sizes> all;
        std::int64_t steps = 1;
        for (const Extent2& e : awkward_extents(tile)) {
            all.push_back({{"H", e.rows}, {"W", e.columns}, {"S", steps}});
            steps = steps % 5 + 1;  // odd and even, fewer and more than a launch may take at once
        }
        for (const std::int64_t s : {1, 2, 3, 4, 7, 8}) all.push_back({{"H", 61}, {"W", 97}, {"S", s}});
        return all;
    }

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const std::int64_t h = extent_of(sizes, "H");
        const std::int64_t w = extent_of(sizes, "W");
        const std::vector<std::uint64_t> shape = {static_cast<std::uint64_t>(h),
                                                  static_cast<std::uint64_t>(w)};
        instance.buffers = {{"X", kFloat, Access::Read, shape}, {"Y", kFloat, Access::Write, shape}};
        // Three additions and a multiplication for each inner element and step. However many steps a launch
        // takes, each number must be read once and written once.
        const double inner = static_cast<double>(h > 2 ? h - 2 : 0) * static_cast<double>(w > 2 ? w - 2 : 0);
        instance.cost = {4 * inner * static_cast<double>(extent_of(sizes, "S")),
                         8 * static_cast<double>(h) * static_cast<double>(w)};
        return instance;
    }

    std::optional<std::string> find_checking_limit(const Sizes& sizes) const override {
        const std::int64_t steps = extent_of(sizes, "S");
        if (steps <= kMostStencilSteps) return std::nullopt;
        return "S = " + std::to_string(steps) +
               " steps are too many to be checked to the bit: choose at most " +
               std::to_string(kMostStencilSteps);
    }

    Spellings spellings() const override {
        return {
            {"H", height_words()}, {"W", width_words()}, {"S", {"steps", "iterations", "nsteps", "niter"}}};
    }
};

}  // namespace

const Problem& stencil_problem() {
    static const StencilProblem problem;
    return problem;
}

}  // namespace kwb
