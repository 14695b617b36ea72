// What the shipped problems have in common, and their list: they are defined in rows.cpp and matrices.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "problems/problem.hpp"

namespace kwb {

inline constexpr ElementType kFloat{Scalar::Float32, 1};
inline constexpr ElementType kInt{Scalar::Int32, 1};
inline constexpr ElementType kUInt{Scalar::UInt32, 1};

/// @return  the extent of that name, which must be there and at least 1
std::int64_t extent_of(const Sizes& sizes, std::string_view name);

/// What people call the number of rows, and of columns: "rows", "ny", "height", …
std::vector<std::string> height_words();
std::vector<std::string> width_words();

/// A shipped problem: its name, its title, and the sizes it usually has.
class ShippedProblem : public Problem {
public:
    ShippedProblem(std::string name, std::string title, Sizes usual)
        : name_(std::move(name)), title_(std::move(title)), usual_(std::move(usual)) {}

    std::string name() const final { return name_; }
    std::string title() const final { return title_; }
    std::vector<std::string> size_names() const final { return names_of(usual_); }
    Sizes default_sizes() const final { return usual_; }

protected:
    /// An instance at these sizes, each of which is also an int argument; without buffers and cost.
    ProblemInstance start(const Sizes& sizes) const;

private:
    std::string name_;
    std::string title_;
    Sizes usual_;
};

/// A problem over a row of N numbers.
class RowProblem : public ShippedProblem {
public:
    RowProblem(std::string name, std::string title, std::int64_t usual_length = 1 << 24)
        : ShippedProblem(std::move(name), std::move(title), {{"N", usual_length}}) {}

    /// Each of awkward_lengths().
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const final;
};

const Problem& matmul_problem();
const Problem& transpose_problem();
const Problem& sum_problem();
const Problem& max_problem();
const Problem& scan_problem();
const Problem& histogram_problem();
const Problem& convolution_problem();
const Problem& stencil_problem();
const Problem& vector_add_problem();
const Problem& saxpy_problem();
const Problem& copy_problem();
const Problem& fma_chain_problem();

/// Lengths of a row: 1, primes, a power of two, and one below and above each of: a vector, a work-group, and
/// a work-group whose work-items take several vectors each; each once, in ascending order, at most 100003.
/// @param tile  the work-items of a work-group, at least 1
std::vector<std::int64_t> awkward_lengths(std::int64_t tile);

/// Edges of squares and cubes: 1, primes, a power of two, and one below and above the tile and four tiles;
/// at least 1, some perhaps twice.
/// @param tile  the edge that matters to the kernel, at least 1
std::vector<std::int64_t> awkward_edges(std::int64_t tile);

struct Extent2 {
    std::int64_t rows = 1;
    std::int64_t columns = 1;

    friend bool operator==(const Extent2&, const Extent2&) = default;
};

/// Matrices: squares of awkward_edges(), two different primes, a row, a column, tall and thin, long and flat;
/// each once.
/// @param tile  the edge that matters to the kernel, at least 1
std::vector<Extent2> awkward_extents(std::int64_t tile);

}  // namespace kwb
