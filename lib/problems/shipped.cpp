#include "problems/shipped.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

/// Longer arrays find no further bugs and take long on slow devices.
constexpr std::int64_t kLongest = 100003;

}  // namespace

std::int64_t extent_of(const Sizes& sizes, std::string_view name) {
    const std::int64_t* const value = find_named(sizes, name);
    expects(value != nullptr && *value >= 1, "extent_of: a size is missing or below 1");
    return *value;
}

std::vector<std::string> height_words() {
    return {"height", "h", "rows", "nrows", "numrows", "ny", "dimy", "ysize", "sizey", "imageheight"};
}

std::vector<std::string> width_words() {
    return {"width", "w",    "cols",  "columns", "ncols",     "numcols",
            "nx",    "dimx", "xsize", "sizex",   "imagewidth"};
}

ProblemInstance ShippedProblem::start(const Sizes& sizes) const {
    ProblemInstance instance;
    instance.problem = name_;
    instance.sizes = sizes;
    for (const std::string& size : size_names())
        instance.scalars.push_back({size, kInt, extent_of(sizes, size)});
    return instance;
}

std::vector<Sizes> RowProblem::awkward_sizes(std::int64_t tile) const {
    std::vector<Sizes> all;
    for (const std::int64_t length : awkward_lengths(tile)) all.push_back({{"N", length}});
    return all;
}

std::vector<const Problem*> all_problems() {
    return {&matmul_problem(),     &transpose_problem(), &sum_problem(),         &max_problem(),
            &scan_problem(),       &histogram_problem(), &convolution_problem(), &stencil_problem(),
            &vector_add_problem(), &saxpy_problem(),     &copy_problem(),        &fma_chain_problem()};
}

const Problem* find_problem(std::string_view name) {
    for (const Problem* problem : all_problems())
        if (problem->name() == name) return problem;
    return nullptr;
}

const Problem& get_problem(std::string_view name) {
    if (const Problem* problem = find_problem(name)) return *problem;
    if (name == "reduce")
        throw BadInput("'reduce' is a folder of kernels for two problems; name one of them, sum or max");
    std::vector<std::string> names;
    for (const Problem* problem : all_problems()) names.push_back(problem->name());
    throw BadInput("unknown problem '" + std::string(name) + "'; there are " + enumerate(names));
}

Spellings spellings_of(const ProblemInstance& instance) {
    if (const Problem* problem = find_problem(instance.problem)) return problem->spellings();
    // A user-defined problem: use the names that mean the same in every problem. Those of matmul do not.
    Spellings all;
    for (const char* name : {"convolution", "stencil", "histogram", "sum", "max"})
        for (const auto& [word, others] : get_problem(name).spellings()) {
            auto known = std::ranges::find(all, word, &Named<std::vector<std::string>>::name);
            if (known == all.end()) known = all.insert(known, {word, {}});
            known->value.insert(known->value.end(), others.begin(), others.end());
        }
    return all;
}

std::vector<std::int64_t> awkward_lengths(std::int64_t tile) {
    expects(tile >= 1, "awkward_lengths: tile must be at least 1");
    std::set<std::int64_t> lengths = {1,       2, 3, 5, 31, 97, 1009, 4096,  // a power of two
                                      kLongest};                             // a prime
    const auto around = [&](std::int64_t multiple) {
        for (const std::int64_t length : {multiple - 1, multiple, multiple + 1})
            if (length >= 1 && length <= kLongest) lengths.insert(length);
    };
    for (const std::int64_t vector : {4, 16, 128}) around(vector);
    for (const std::int64_t times : {1, 4, 16, 128})
        if (tile <= kLongest / times) around(tile * times);
    return {lengths.begin(), lengths.end()};
}

std::vector<std::int64_t> awkward_edges(std::int64_t tile) {
    expects(tile >= 1, "awkward_edges: tile must be at least 1");
    return {
        1,  2,  3,  std::max<std::int64_t>(1, tile - 1), tile, tile + 1, 4 * tile - 1, 4 * tile, 4 * tile + 1,
        31, 97, 128};
}

std::vector<Extent2> awkward_extents(std::int64_t tile) {
    std::vector<Extent2> all;
    const auto add = [&](std::int64_t rows, std::int64_t columns) {
        const Extent2 extent{rows, columns};
        if (std::find(all.begin(), all.end(), extent) == all.end()) all.push_back(extent);
    };
    for (const std::int64_t edge : awkward_edges(tile)) add(edge, edge);
    add(61, 127);             // two different primes: reveal swapped extents
    add(1, 257);              // one row
    add(257, 1);              // one column
    add(1009, 7);             // tall and thin
    add(5, 2003);             // wide and flat
    add(tile + 1, 2 * tile);  // only one edge is not a multiple of the tile
    add(2 * tile, tile + 1);
    return all;
}

}  // namespace kwb
