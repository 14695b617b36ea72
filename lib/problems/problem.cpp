#include "problems/problem.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/text.hpp"
#include "problems/convolution.hpp"
#include "problems/copy.hpp"
#include "problems/extents.hpp"
#include "problems/fma_chain.hpp"
#include "problems/histogram.hpp"
#include "problems/matmul.hpp"
#include "problems/reduce.hpp"
#include "problems/scan.hpp"
#include "problems/stencil.hpp"
#include "problems/transpose.hpp"
#include "problems/vector_add.hpp"

namespace kwb {
namespace {

/// Beyond this an extent cannot be held as an `int` argument of a kernel.
constexpr std::int64_t kLargestExtent = INT32_MAX;

[[noreturn]] void refuse_size(const Problem& problem, std::string_view text, const std::string& finding) {
    const std::vector<std::string> names = problem.size_names();
    const std::string all = names.size() == 1 ? "" : ", or " + join(names, "x") + ", e.g. 512x256x1024";
    throw BadInput("size '" + std::string(text) + "': " + finding + "; give one number, e.g. 512" + all);
}

std::int64_t parse_extent(const Problem& problem, std::string_view whole, std::string_view piece) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
    if (error == std::errc::result_out_of_range)
        refuse_size(problem, whole, "'" + std::string(piece) + "' is too large");
    if (error != std::errc{} || end != piece.data() + piece.size())
        refuse_size(problem, whole, "'" + std::string(piece) + "' is not a whole number");
    if (value < 1) refuse_size(problem, whole, "every size must be at least 1");
    if (value > kLargestExtent)
        refuse_size(problem, whole,
                    std::to_string(value) + " is more than a kernel's int can hold (" +
                        std::to_string(kLargestExtent) + ")");
    return value;
}

}  // namespace

Sizes Problem::square(std::int64_t edge) const {
    Sizes sizes;
    for (const std::string& name : size_names()) sizes.push_back({name, edge});
    return sizes;
}

std::vector<const Problem*> all_problems() {
    static const MatmulProblem matmul;
    static const TransposeProblem transpose;
    static const SumProblem sum;
    static const MaxProblem max;
    static const ScanProblem scan;
    static const HistogramProblem histogram;
    static const ConvolutionProblem convolution;
    static const StencilProblem stencil;
    static const VectorAddProblem vector_add;
    static const SaxpyProblem saxpy;
    static const CopyProblem copy;
    static const FmaChainProblem fma_chain;
    return {&matmul,      &transpose, &sum,        &max,   &scan, &histogram,
            &convolution, &stencil,   &vector_add, &saxpy, &copy, &fma_chain};
}

std::optional<std::string> Problem::find_checking_limit(const Sizes&) const {
    return std::nullopt;
}

const Problem* find_problem(std::string_view name) {
    for (const Problem* problem : all_problems())
        if (problem->name() == name) return problem;
    return nullptr;
}

Spellings spellings_of(const ProblemInstance& instance) {
    if (const Problem* problem = find_problem(instance.problem)) return problem->spellings();
    // A person's own problem: names that mean the same wherever they stand. Those of matmul do not.
    Spellings all;
    for (const char* name : {"convolution", "stencil", "histogram", "sum", "max"})
        for (const auto& [word, others] : get_problem(name).spellings()) {
            auto known = std::ranges::find(all, word, &Named<std::vector<std::string>>::name);
            if (known == all.end()) known = all.insert(known, {word, {}});
            known->value.insert(known->value.end(), others.begin(), others.end());
        }
    return all;
}

const Problem& get_problem(std::string_view name) {
    if (const Problem* problem = find_problem(name)) return *problem;
    if (name == "reduce")
        throw BadInput("'reduce' is a folder of kernels for two problems; name one of them, sum or max");
    std::vector<std::string> names;
    for (const Problem* problem : all_problems()) names.push_back(problem->name());
    throw BadInput("unknown problem '" + std::string(name) + "'; there " +
                   (names.size() == 1 ? "is " : "are ") + enumerate(names));
}

Sizes parse_sizes(const Problem& problem, std::string_view text) {
    const std::vector<std::string> names = problem.size_names();
    const std::vector<std::string> pieces = split(to_lower(text), 'x');
    if (pieces.size() != 1 && pieces.size() != names.size())
        refuse_size(problem, text,
                    std::to_string(pieces.size()) + " sizes, but " + problem.name() + " has " +
                        std::to_string(names.size()) + " (" + join(names, ", ") + ")");
    if (pieces.size() == 1) return problem.square(parse_extent(problem, text, pieces[0]));
    Sizes sizes;
    for (std::size_t i = 0; i < names.size(); ++i)
        sizes.push_back({names[i], parse_extent(problem, text, pieces[i])});
    return sizes;
}

}  // namespace kwb
