// Problems on matrices and images, all row-major floats.
#include <algorithm>

#include "problems/shipped.hpp"

namespace kwb {
namespace {

/// Longest sum that can be checked. Beyond it the error bound is invalid (gamma_n requires n u well below 1),
/// and float sums of integers are rarely exact.
constexpr std::int64_t kLongestSum = 1 << 23;

/// C = A · B with A of M x K, B of K x N, C of M x N, row-major floats.
class MatmulProblem final : public ShippedProblem {
public:
    MatmulProblem()
        : ShippedProblem("matmul", "Matrix multiplication, C = A · B", {{"M", 512}, {"N", 512}, {"K", 512}}) {
    }

    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override {
        const auto cube = [](std::int64_t n) { return Sizes{{"M", n}, {"N", n}, {"K", n}}; };
        const std::int64_t below = std::max<std::int64_t>(1, tile - 1);
        const std::vector<Sizes> all = {
            cube(1),
            cube(below),
            cube(tile),
            cube(tile + 1),
            cube(4 * tile - 1),
            cube(4 * tile),
            cube(4 * tile + 1),
            cube(31),                                         // a prime
            cube(97),                                         // a prime above every common tile size
            cube(128),                                        // a multiple of every common tile size
            {{"M", 61}, {"N", 127}, {"K", 29}},               // different primes: reveal swapped extents
            {{"M", 1}, {"N", 257}, {"K", 64}},                // one row
            {{"M", 257}, {"N", 1}, {"K", 64}},                // one column
            {{"M", 64}, {"N", 64}, {"K", 1}},                 // an outer product
            {{"M", 3}, {"N", 5}, {"K", 2003}},                // long sums, small result
            {{"M", 1009}, {"N", 7}, {"K", 13}},               // tall and thin
            {{"M", tile + 1}, {"N", 2 * tile}, {"K", tile}},  // only one edge is not a multiple of the tile
            {{"M", 2 * tile}, {"N", tile + 1}, {"K", tile}},
            {{"M", 2 * tile}, {"N", tile}, {"K", tile + 1}},
        };
        // With small tiles the list contains duplicates.
        std::vector<Sizes> distinct;
        for (const Sizes& sizes : all)
            if (std::ranges::find(distinct, sizes) == distinct.end()) distinct.push_back(sizes);
        return distinct;
    }

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto m = static_cast<std::uint64_t>(extent_of(sizes, "M"));
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        const auto k = static_cast<std::uint64_t>(extent_of(sizes, "K"));
        instance.buffers = {{"A", kFloat, Access::Read, {m, k}},
                            {"B", kFloat, Access::Read, {k, n}},
                            {"C", kFloat, Access::Write, {m, n}}};
        // Each of the M N dot products takes K multiplications and K additions; each element moves at least
        // once.
        const double dm = static_cast<double>(m);
        const double dn = static_cast<double>(n);
        const double dk = static_cast<double>(k);
        instance.cost = {2 * dm * dn * dk, 4 * (dm * dk + dk * dn + dm * dn)};
        return instance;
    }

    std::optional<std::string> find_checking_limit(const Sizes& sizes) const override {
        const std::int64_t k = extent_of(sizes, "K");
        if (k <= kLongestSum) return std::nullopt;
        return "K = " + std::to_string(k) +
               " is too long to be checked: floats tell right from wrong up to K = " +
               std::to_string(kLongestSum) + "; choose a smaller size";
    }

    bool has_host_library() const override { return true; }

    Spellings spellings() const override {
        return {{"M", {"ha", "heighta", "rowsa", "nrowsa", "hc", "heightc", "rowsc"}},
                {"K", {"wa", "widtha", "colsa", "ncolsa", "hb", "heightb", "rowsb", "common", "inner"}},
                {"N", {"wb", "widthb", "colsb", "ncolsb", "wc", "widthc", "colsc"}}};
    }
};

/// B[j][i] = A[i][j] with A of M x N and B of N x M, row-major floats.
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

constexpr std::int64_t kUsualFilter = 17;
constexpr std::int64_t kLargestFilter = 255;  ///< largest edge for which float sums of integers are exact

/// Two-dimensional convolution without padding: each output is a weighted sum of an F x F image window.
/// result[y][x] = sum over i, j below F of image[y + i][x + j] · filter[i][j], for an H x W result and
/// an image of (H + F - 1) x (W + F - 1). The filter is not flipped: image processing calls this convolution,
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
        // Each output takes F F multiplications and as many additions; each element moves at least once.
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

constexpr std::int64_t kUsualSteps = 4;

/// Five-point Jacobi iteration: in each of S steps, every inner element becomes the mean of its four
/// neighbours. X and Y are H x W; Y is X after S steps. Elements on the border keep their values.
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
            steps = steps % 5 + 1;  // odd and even, below and above the number of steps fused into one launch
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
        // Three additions and a multiplication per inner element and step. Steps can be fused into one
        // launch, so the minimum traffic is one read and one write per element.
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

const Problem& matmul_problem() {
    static const MatmulProblem problem;
    return problem;
}

const Problem& transpose_problem() {
    static const TransposeProblem problem;
    return problem;
}

const Problem& convolution_problem() {
    static const ConvolutionProblem problem;
    return problem;
}

const Problem& stencil_problem() {
    static const StencilProblem problem;
    return problem;
}

}  // namespace kwb
