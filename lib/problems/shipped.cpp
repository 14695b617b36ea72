// SPDX-License-Identifier: Apache-2.0
// The shipped problems, described in one table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace {

constexpr ElementType kFloat{Scalar::Float32, 1};
constexpr ElementType kInt{Scalar::Int32, 1};
constexpr ElementType kUInt{Scalar::UInt32, 1};

/// Largest value of a size at which results can be checked.
struct CheckingLimit {
    const char* size = "";
    std::int64_t most = 0;
    const char* sentence = "";  ///< a format for the size's value and `most`
};

std::vector<Sizes> awkward_rows(std::int64_t tile) {
    std::vector<Sizes> all;
    for (const std::int64_t length : awkward_lengths(tile)) all.push_back({{"N", length}});
    return all;
}

/// Which numbers can take the place of a problem's own.
enum class Numbers {
    Any,
    Floating,  ///< means and long chains are of no use in integers
    Counted    ///< integers: each is the number of a bin
};

/// The properties that distinguish shipped problems; see Problem for the meaning.
struct Description {
    const char* name = "";
    const char* title = "";
    Sizes usual = {{"N", 1 << 24}};
    const char* kept_size = "";  ///< keeps its usual value in Problem::square()
    std::vector<Sizes> (*awkward_sizes)(std::int64_t tile) = awkward_rows;
    /// Add the buffers, the scalars other than the sizes, and the floating-point operations.
    void (*complete)(ProblemInstance& instance) = nullptr;
    CheckingLimit limit = {};
    bool has_host_library = false;
    Spellings spellings = {};
    Numbers numbers = Numbers::Any;
};

std::int64_t size_of(const Sizes& sizes, std::string_view name) {
    const std::int64_t* const value = find_named(sizes, name);
    expects(value != nullptr && *value >= 1, "a size is missing or below 1");
    return *value;
}

std::uint64_t extent_of(const ProblemInstance& instance, std::string_view name) {
    return static_cast<std::uint64_t>(size_of(instance.sizes, name));
}

double number_of(const ProblemInstance& instance, std::string_view name) {
    return static_cast<double>(size_of(instance.sizes, name));
}

class ShippedProblem final : public Problem {
public:
    ShippedProblem(Description description) : about_(std::move(description)) {}  // NOLINT: rows of the table

    /// The same problem with another type of numbers.
    ShippedProblem(const ShippedProblem& other, const ElementType& type) : ShippedProblem(other) {
        type_ = type;
    }

    std::string name() const override {
        return type_ ? fmt::format("{}:{}", about_.name, to_string(*type_)) : about_.name;
    }
    std::string title() const override {
        return type_ ? fmt::format("{}, in {}", about_.title, to_string(*type_)) : about_.title;
    }
    std::vector<std::string> size_names() const override { return names_of(about_.usual); }
    Sizes default_sizes() const override { return about_.usual; }
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override { return about_.awkward_sizes(tile); }
    bool has_host_library() const override { return about_.has_host_library && !type_; }
    Spellings spellings() const override { return about_.spellings; }

    Sizes square(std::int64_t edge) const override {
        Sizes sizes = about_.usual;
        for (auto& [size, value] : sizes)
            if (size != about_.kept_size) value = edge;
        return sizes;
    }

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance;
        instance.problem = name();
        instance.sizes = sizes;
        for (const std::string& size : size_names())
            instance.scalars.push_back({size, kInt, size_of(sizes, size)});
        about_.complete(instance);
        if (type_) change_type(instance);
        // Each element must be read or written at least once, and both if it is changed in place.
        for (const BufferSpec& buffer : instance.buffers)
            instance.cost.bytes += static_cast<double>(buffer.elements()) *
                                   static_cast<double>(buffer.type.bytes()) *
                                   (buffer.access == Access::ReadWrite ? 2 : 1);
        return instance;
    }

    std::optional<std::string> find_checking_limit(const Sizes& sizes) const override {
        const std::int64_t* const value = find_named(sizes, about_.limit.size);
        if (value == nullptr || *value <= about_.limit.most) return std::nullopt;
        return fmt::format(fmt::runtime(about_.limit.sentence), *value, about_.limit.most);
    }

    ElementType type() const { return at(about_.usual).buffers.front().type; }

    /// The types that its numbers can have, the own one among them.
    std::vector<ElementType> types() const {
        std::vector<ElementType> types;
        for (const unsigned width : {1u, 2u, 4u, 8u, 16u})
            for (const Scalar scalar : {Scalar::Float32, Scalar::Float64, Scalar::Int32, Scalar::UInt32}) {
                const ElementType type{scalar, width};
                if (about_.numbers == Numbers::Floating && !type.is_floating()) continue;
                if (about_.numbers == Numbers::Counted && (type.is_floating() || width > 1)) continue;
                types.push_back(type);
            }
        return types;
    }

private:
    /// Sizes remain integers.
    void change_type(ProblemInstance& instance) const {
        for (BufferSpec& buffer : instance.buffers) buffer.type = *type_;
        for (ScalarSpec& scalar : instance.scalars)
            if (scalar.type.is_floating()) {
                scalar.type = {type_->scalar, 1};
                if (!type_->is_floating()) scalar.value = std::llround(std::get<double>(scalar.value));
            }
        instance.cost.flops *= type_->width;
    }

    Description about_;
    std::optional<ElementType> type_;  ///< nullopt: its own
};

// ---- Awkward sizes ----

std::vector<Sizes> distinct(const std::vector<Sizes>& all) {
    std::vector<Sizes> found;
    for (const Sizes& sizes : all)
        if (std::ranges::find(found, sizes) == found.end()) found.push_back(sizes);
    return found;
}

/// Matrix shapes: squares of awkward_edges(), two different primes, a row, a column, tall and thin, wide and
/// flat, and one extent a tile plus one.
std::vector<Sizes> awkward_matrices(const char* rows, const char* columns, std::int64_t tile) {
    std::vector<Sizes> all;
    const auto add = [&](std::int64_t m, std::int64_t n) { all.push_back({{rows, m}, {columns, n}}); };
    for (const std::int64_t edge : awkward_edges(tile)) add(edge, edge);
    add(61, 127);             // two different primes: reveal swapped extents
    add(1, 257);              // one row
    add(257, 1);              // one column
    add(1009, 7);             // tall and thin
    add(5, 2003);             // wide and flat
    add(tile + 1, 2 * tile);  // only one edge is not a multiple of the tile
    add(2 * tile, tile + 1);
    return distinct(all);
}

std::vector<Sizes> awkward_products(std::int64_t tile) {
    std::vector<Sizes> all;
    const auto add = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
        all.push_back({{"M", m}, {"N", n}, {"K", k}});
    };
    const std::int64_t below = std::max<std::int64_t>(1, tile - 1);
    // 31 is a prime, 97 a prime above every common tile size, 128 a multiple of each.
    for (const std::int64_t edge : {std::int64_t{1}, below, tile, tile + 1, 4 * tile - 1, 4 * tile,
                                    4 * tile + 1, std::int64_t{31}, std::int64_t{97}, std::int64_t{128}})
        add(edge, edge, edge);
    add(61, 127, 29);               // different primes: reveal swapped extents
    add(1, 257, 64);                // one row
    add(257, 1, 64);                // one column
    add(64, 64, 1);                 // an outer product
    add(3, 5, 2003);                // long sums, small result
    add(1009, 7, 13);               // tall and thin
    add(tile + 1, 2 * tile, tile);  // only one edge is not a multiple of the tile
    add(2 * tile, tile + 1, tile);
    add(2 * tile, tile, tile + 1);
    return distinct(all);
}

constexpr std::int64_t kUsualFilter = 17;

std::vector<Sizes> awkward_convolutions(std::int64_t tile) {
    std::vector<Sizes> all = awkward_matrices("H", "W", tile);
    for (Sizes& sizes : all) sizes.push_back({"F", kUsualFilter});
    for (const std::int64_t filter : {1, 2, 3, 5, 16, 31})
        all.push_back({{"H", 61}, {"W", 97}, {"F", filter}});
    return all;
}

std::vector<Sizes> awkward_stencils(std::int64_t tile) {
    std::vector<Sizes> all = awkward_matrices("H", "W", tile);
    std::int64_t steps = 1;
    for (Sizes& sizes : all) {
        sizes.push_back({"S", steps});
        steps = steps % 5 + 1;  // odd and even, below and above the number of steps fused into one launch
    }
    for (const std::int64_t s : {1, 2, 3, 4, 7, 8}) all.push_back({{"H", 61}, {"W", 97}, {"S", s}});
    return all;
}

// ---- The table ----

/// Two problems that differ only in the operation.
void complete_reduction(ProblemInstance& reduction) {
    reduction.buffers = {{"X", kFloat, Access::Read, {extent_of(reduction, "N")}},
                         {"R", kFloat, Access::Write, {1}}};
    reduction.cost.flops = number_of(reduction, "N") - 1;
}

const std::vector<ShippedProblem>& shipped_problems() {
    static const std::vector<std::string> height = {"height", "h",    "rows",  "nrows", "numrows",
                                                    "ny",     "dimy", "ysize", "sizey", "imageheight"};
    static const std::vector<std::string> width = {
        "width", "w", "cols", "columns", "ncols", "numcols", "nx", "dimx", "xsize", "sizex", "imagewidth"};
    static const std::vector<std::string> steps = {"steps", "iterations", "nsteps", "niter"};
    static const std::vector<ShippedProblem> problems = {
        // A of M x K, B of K x N, C of M x N. All matrices are row-major.
        Description{
            .name = "matmul",
            .title = "Matrix multiplication, C = A · B",
            .usual = {{"M", 512}, {"N", 512}, {"K", 512}},
            .awkward_sizes = awkward_products,
            .complete =
                [](ProblemInstance& product) {
                    const auto m = extent_of(product, "M"), n = extent_of(product, "N");
                    const auto k = extent_of(product, "K");
                    product.buffers = {{"A", kFloat, Access::Read, {m, k}},
                                       {"B", kFloat, Access::Read, {k, n}},
                                       {"C", kFloat, Access::Write, {m, n}}};
                    // Each of the M N dot products takes K multiplications and K additions.
                    product.cost.flops =
                        2 * number_of(product, "M") * number_of(product, "N") * number_of(product, "K");
                    product.cost.is_multiply_adds = true;
                },
            // Beyond this, the error bound is invalid (gamma_n requires n u well below 1), and float sums of
            // integers are rarely exact.
            .limit = {"K", 1 << 23,
                      "K = {} is too long to check, because the error bound is valid only up to K = {}. "
                      "Choose a smaller size"},
            .has_host_library = true,
            .spellings = {{"M", {"ha", "heighta", "rowsa", "nrowsa", "hc", "heightc", "rowsc"}},
                          {"K",
                           {"wa", "widtha", "colsa", "ncolsa", "hb", "heightb", "rowsb", "common", "inner"}},
                          {"N", {"wb", "widthb", "colsb", "ncolsb", "wc", "widthc", "colsc"}}}},
        // A of M x N, B of N x M.
        Description{.name = "transpose",
                    .title = "Matrix transposition, B[j][i] = A[i][j]",
                    .usual = {{"M", 2048}, {"N", 2048}},
                    .awkward_sizes = [](std::int64_t tile) { return awkward_matrices("M", "N", tile); },
                    .complete =
                        [](ProblemInstance& transposition) {
                            const auto m = extent_of(transposition, "M"), n = extent_of(transposition, "N");
                            transposition.buffers = {{"A", kFloat, Access::Read, {m, n}},
                                                     {"B", kFloat, Access::Write, {n, m}}};
                        },
                    .has_host_library = true,
                    .spellings = {{"M", height}, {"N", width}}},
        // R[0] is the sum of X[0], …, X[N-1].
        Description{.name = "sum",
                    .title = "Sum of N numbers",
                    .complete = complete_reduction,
                    .spellings = {{"R", {"sum", "total"}}}},
        Description{.name = "max",
                    .title = "Largest of N numbers",
                    .complete = complete_reduction,
                    .spellings = {{"R", {"max", "maximum", "largest"}}}},
        Description{
            .name = "scan",
            .title = "Inclusive prefix sum, Y[i] = X[0] + … + X[i]",
            .usual = {{"N", 1 << 22}},
            .complete =
                [](ProblemInstance& scan) {
                    const auto n = extent_of(scan, "N");
                    scan.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::Write, {n}}};
                    scan.cost.flops = number_of(scan, "N") - 1;  // of the sequential scan
                }},
        // H[b] = how many of X[0], …, X[N-1] equal b; all of them are below BINS.
        Description{.name = "histogram",
                    .title = "Histogram of N numbers below 256",
                    .usual = {{"N", 1 << 22}},
                    .complete =
                        [](ProblemInstance& histogram) {
                            constexpr std::int64_t kBins = 256;
                            histogram.buffers = {{"X", kUInt, Access::Read, {extent_of(histogram, "N")}},
                                                 {"H", kUInt, Access::Write, {std::uint64_t{kBins}}}};
                            histogram.scalars.push_back({"BINS", kInt, kBins});
                        },
                    .spellings = {{"H", {"hist", "histogram", "bins", "counts"}},
                                  {"BINS", {"nbins", "numbins", "bincount"}}},
                    .numbers = Numbers::Counted},
        // result[y][x] = sum over i, j below F of image[y + i][x + j] · filter[i][j], without padding. The
        // filter is not flipped: image processing calls this convolution, mathematics correlation.
        Description{.name = "convolution",
                    .title = "2-D convolution of an image with a small filter",
                    .usual = {{"H", 1024}, {"W", 1024}, {"F", kUsualFilter}},
                    .kept_size = "F",
                    .awkward_sizes = awkward_convolutions,
                    .complete =
                        [](ProblemInstance& convolution) {
                            const auto h = extent_of(convolution, "H"), w = extent_of(convolution, "W");
                            const auto f = extent_of(convolution, "F");
                            convolution.buffers = {{"image", kFloat, Access::Read, {h + f - 1, w + f - 1}},
                                                   {"filter", kFloat, Access::Read, {f, f}},
                                                   {"result", kFloat, Access::Write, {h, w}}};
                            // Each output takes F F multiplications and as many additions.
                            const double edge = number_of(convolution, "F");
                            convolution.cost.flops =
                                2 * number_of(convolution, "H") * number_of(convolution, "W") * (edge * edge);
                            convolution.cost.is_multiply_adds = true;
                        },
                    // Largest edge for which float sums of integers are exact.
                    .limit = {"F", 255, "F = {} is too large to check. Choose a filter edge of at most {}"},
                    .spellings = {{"H", height},
                                  {"W", width},
                                  {"F",
                                   {"filtersize", "filterwidth", "maskwidth", "masksize", "kernelsize",
                                    "filteredge"}},
                                  {"filter", {"mask", "kernel", "coefficients", "weights", "stencil"}},
                                  {"image", {"img", "picture"}}}},
        // Five-point Jacobi iteration: in each step, every inner element becomes the mean of its four
        // neighbours. Y is X after S steps; elements on the border keep their values. Steps can be fused into
        // one launch, so they do not add to the bytes moved.
        Description{
            .name = "stencil",
            .title = "Jacobi stencil of five points, S steps",
            .usual = {{"H", 2048}, {"W", 2048}, {"S", 4}},
            .kept_size = "S",
            .awkward_sizes = awkward_stencils,
            .complete =
                [](ProblemInstance& stencil) {
                    const auto h = extent_of(stencil, "H"), w = extent_of(stencil, "W");
                    stencil.buffers = {{"X", kFloat, Access::Read, {h, w}},
                                       {"Y", kFloat, Access::Write, {h, w}}};
                    // Three additions and a multiplication per inner element and step.
                    const double inner = std::max(0.0, number_of(stencil, "H") - 2) *
                                         std::max(0.0, number_of(stencil, "W") - 2);
                    stencil.cost.flops = 4 * inner * number_of(stencil, "S");
                },
            .limit = {"S", kMostStencilSteps,
                      "S = {} steps are too many for an exact check. Choose at most {}"},
            .spellings = {{"H", height}, {"W", width}, {"S", steps}},
            .numbers = Numbers::Floating},
        Description{
            .name = "vector_add",
            .title = "Vector addition, C = A + B",
            .complete =
                [](ProblemInstance& addition) {
                    const auto n = extent_of(addition, "N");
                    addition.buffers = {{"A", kFloat, Access::Read, {n}},
                                        {"B", kFloat, Access::Read, {n}},
                                        {"C", kFloat, Access::Write, {n}}};
                    addition.cost.flops = number_of(addition, "N");
                }},
        Description{
            .name = "saxpy",
            .title = "saxpy, Y = alpha · X + Y",
            .complete =
                [](ProblemInstance& saxpy) {
                    const auto n = extent_of(saxpy, "N");
                    saxpy.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::ReadWrite, {n}}};
                    // Few significant bits: products with integers are exact in the exact pass.
                    saxpy.scalars.push_back({"alpha", kFloat, 2.5});
                    saxpy.cost.flops = 2 * number_of(saxpy, "N");
                    saxpy.cost.is_multiply_adds = true;
                },
            .spellings = {{"alpha", {"a"}}}},
        // The best time gives the device's memory bandwidth.
        Description{
            .name = "copy",
            .title = "Copy, Y = X",
            .complete =
                [](ProblemInstance& copy) {
                    const auto n = extent_of(copy, "N");
                    copy.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::Write, {n}}};
                },
            .has_host_library = true},
        // N independent chains. The best time gives the device's arithmetic throughput. A and B are buffers
        // of one float, not constants, so that the compiler cannot shorten the chain.
        Description{
            .name = "fma_chain",
            .title = "Chains of multiply-adds, Y = X after S steps of x ← A · x + B",
            .usual = {{"N", 1 << 20}},
            .complete =
                [](ProblemInstance& chains) {
                    const auto n = extent_of(chains, "N");
                    chains.buffers = {{"X", kFloat, Access::Read, {n}},
                                      {"A", kFloat, Access::Read, {1}},
                                      {"B", kFloat, Access::Read, {1}},
                                      {"Y", kFloat, Access::Write, {n}}};
                    chains.scalars.push_back({"S", kInt, kFmaChainSteps});
                    chains.cost.flops = 2 * number_of(chains, "N") * static_cast<double>(kFmaChainSteps);
                    chains.cost.is_multiply_adds = true;
                },
            .spellings = {{"S", steps}},
            .numbers = Numbers::Floating},
    };
    return problems;
}

}  // namespace

std::vector<const Problem*> all_problems() {
    std::vector<const Problem*> all;
    for (const ShippedProblem& problem : shipped_problems()) all.push_back(find_problem(problem.name()));
    return all;
}

std::pair<std::string_view, std::string_view> split_typed_name(std::string_view problem) {
    const std::size_t colon = std::min(problem.find(':'), problem.size());
    return {problem.substr(0, colon), problem.substr(std::min(colon + 1, problem.size()))};
}

const Problem* find_problem(std::string_view name) {
    static const auto all = [] {
        std::map<std::string, ShippedProblem, std::less<>> problems;
        for (const ShippedProblem& problem : shipped_problems()) {
            problems.emplace(problem.name(), problem);
            for (const ElementType& type : problem.types()) {
                if (type == problem.type()) continue;
                ShippedProblem other(problem, type);
                problems.emplace(other.name(), std::move(other));
            }
        }
        return problems;
    }();
    const auto [base, type] = split_typed_name(name);
    auto found = all.find(base);
    if (found != all.end() && base.size() != name.size()) {
        const auto known = parse_element_type(type);  // "unsigned int" is "uint"
        if (!known) return nullptr;
        if (*known != found->second.type()) found = all.find(fmt::format("{}:{}", base, to_string(*known)));
    }
    return found != all.end() ? &found->second : nullptr;
}

std::string typed_name(std::string_view problem, std::string_view type) {
    return get_problem(fmt::format("{}:{}", get_problem(problem).name(), type)).name();
}

const Problem& get_problem(std::string_view name) {
    if (const Problem* problem = find_problem(name)) return *problem;
    if (name == "reduce")
        throw BadInput("'reduce' is a folder of kernels for two problems. Name one of them, sum or max");
    std::vector<std::string> names;
    const auto [base, type] = split_typed_name(name);
    for (const ShippedProblem& problem : shipped_problems()) {
        if (base.size() == name.size() || problem.name() != base) continue;
        for (const ElementType& known : problem.types())
            if (known.width == 1) names.push_back(to_string(known));
        throw BadInput(
            fmt::format("{} supports numbers of type {}{}, but not '{}'; {}", base, enumerate(names),
                        problem.types().size() > names.size() ? " and vectors of 2, 4, 8 or 16 of them" : "",
                        type, kOwnProblemAdvice));
    }
    for (const ShippedProblem& problem : shipped_problems()) names.push_back(problem.name());
    throw BadInput("unknown problem '" + std::string(name) + "'; the problems are " + enumerate(names) +
                   "; " + std::string(kOwnProblemAdvice));
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

}  // namespace kwb
