#include "problems/matmul.hpp"

#include <algorithm>

#include "problems/element_types.hpp"
#include "problems/extents.hpp"

namespace kwb {

std::vector<Sizes> MatmulProblem::awkward_sizes(std::int64_t tile) const {
    const auto cube = [](std::int64_t n) { return Sizes{{"M", n}, {"N", n}, {"K", n}}; };
    const std::int64_t below = std::max<std::int64_t>(1, tile - 1);
    std::vector<Sizes> all = {
        cube(1),
        cube(below),
        cube(tile),
        cube(tile + 1),
        cube(4 * tile - 1),
        cube(4 * tile),
        cube(4 * tile + 1),
        cube(31),                                         // a prime
        cube(97),                                         // a prime above every usual tile
        cube(128),                                        // a pretty one
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
    // Small tiles make some of them alike.
    std::vector<Sizes> distinct;
    for (const Sizes& sizes : all)
        if (std::find(distinct.begin(), distinct.end(), sizes) == distinct.end()) distinct.push_back(sizes);
    return distinct;
}

ProblemInstance MatmulProblem::at(const Sizes& sizes) const {
    const std::int64_t m = extent_of(sizes, "M");
    const std::int64_t n = extent_of(sizes, "N");
    const std::int64_t k = extent_of(sizes, "K");
    const auto um = static_cast<std::uint64_t>(m);
    const auto un = static_cast<std::uint64_t>(n);
    const auto uk = static_cast<std::uint64_t>(k);

    ProblemInstance instance;
    instance.problem = name();
    instance.sizes = sizes;
    instance.buffers = {{"A", kFloat, Access::Read, {um, uk}},
                        {"B", kFloat, Access::Read, {uk, un}},
                        {"C", kFloat, Access::Write, {um, un}}};
    instance.scalars = {{"M", kInt, m}, {"N", kInt, n}, {"K", kInt, k}};
    // Each of the M N dot products takes K multiplications and K additions; each number moves at least once.
    const double dm = static_cast<double>(m);
    const double dn = static_cast<double>(n);
    const double dk = static_cast<double>(k);
    instance.cost = {2 * dm * dn * dk, 4 * (dm * dk + dk * dn + dm * dn)};
    return instance;
}

std::optional<std::string> MatmulProblem::find_checking_limit(const Sizes& sizes) const {
    const std::int64_t k = extent_of(sizes, "K");
    if (k <= kLongestSum) return std::nullopt;
    return "K = " + std::to_string(k) +
           " is too long to be checked: floats tell right from wrong up to K = " +
           std::to_string(kLongestSum) + "; choose a smaller size";
}

Spellings MatmulProblem::spellings() const {
    return {{"M", {"ha", "heighta", "rowsa", "nrowsa", "hc", "heightc", "rowsc"}},
            {"K", {"wa", "widtha", "colsa", "ncolsa", "hb", "heightb", "rowsb", "common", "inner"}},
            {"N", {"wb", "widthb", "colsb", "ncolsb", "wc", "widthc", "colsc"}}};
}

}  // namespace kwb
