// C = A · B with A of M x K, B of K x N, C of M x N, row-major floats.
#include <algorithm>

#include "problems/shipped.hpp"

namespace kwb {
namespace {

/// Above this the error bound no longer holds (gamma_n needs n u well below 1), and sums of integers
/// are hardly exact in floats.
constexpr std::int64_t kLongestSum = 1 << 23;

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
            cube(97),                                         // a prime above every usual tile
            cube(128),                                        // a multiple of every usual tile
            {{"M", 61}, {"N", 127}, {"K", 29}},               // three different primes: swapped extents show
            {{"M", 1}, {"N", 257}, {"K", 64}},                // one row
            {{"M", 257}, {"N", 1}, {"K", 64}},                // one column
            {{"M", 64}, {"N", 64}, {"K", 1}},                 // an outer product
            {{"M", 3}, {"N", 5}, {"K", 2003}},                // long sums, small result
            {{"M", 1009}, {"N", 7}, {"K", 13}},               // tall and thin
            {{"M", tile + 1}, {"N", 2 * tile}, {"K", tile}},  // one edge off at a time
            {{"M", 2 * tile}, {"N", tile + 1}, {"K", tile}},
            {{"M", 2 * tile}, {"N", tile}, {"K", tile + 1}},
        };
        // With small tiles some of them are equal.
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
        // Each of the M N dot products takes K multiplications and K additions; each number moves at least
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

}  // namespace

const Problem& matmul_problem() {
    static const MatmulProblem problem;
    return problem;
}

}  // namespace kwb
