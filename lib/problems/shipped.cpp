#include "problems/shipped.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "problems/awkward.hpp"

namespace kwb {

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
    // A problem of the user's: the names that mean the same in every problem. Those of matmul do not.
    Spellings all;
    for (const char* name : {"convolution", "stencil", "histogram", "sum", "max"})
        for (const auto& [word, others] : get_problem(name).spellings()) {
            auto known = std::ranges::find(all, word, &Named<std::vector<std::string>>::name);
            if (known == all.end()) known = all.insert(known, {word, {}});
            known->value.insert(known->value.end(), others.begin(), others.end());
        }
    return all;
}

}  // namespace kwb
