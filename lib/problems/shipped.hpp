// Base classes and helpers of the shipped problems, and their list. They are defined in rows.cpp and
// matrices.cpp.
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

/// @return  the extent with this name
/// @throws ContractError  it is missing or below 1
std::int64_t extent_of(const Sizes& sizes, std::string_view name);

/// Common names for the number of rows ("rows", "ny", "height", …), and for the number of columns.
std::vector<std::string> height_words();
std::vector<std::string> width_words();

/// A shipped problem with a name, a title and default sizes.
class ShippedProblem : public Problem {
public:
    ShippedProblem(std::string name, std::string title, Sizes usual)
        : name_(std::move(name)), title_(std::move(title)), usual_(std::move(usual)) {}

    std::string name() const final { return name_; }
    std::string title() const final { return title_; }
    std::vector<std::string> size_names() const final { return names_of(usual_); }
    Sizes default_sizes() const final { return usual_; }

protected:
    /// An instance with these sizes and an int argument for each of them, but without buffers and cost.
    ProblemInstance start(const Sizes& sizes) const;

private:
    std::string name_;
    std::string title_;
    Sizes usual_;
};

/// A problem on one-dimensional arrays of N elements.
class RowProblem : public ShippedProblem {
public:
    RowProblem(std::string name, std::string title, std::int64_t usual_length = 1 << 24)
        : ShippedProblem(std::move(name), std::move(title), {{"N", usual_length}}) {}

    /// N = each of awkward_lengths().
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

/// Awkward array lengths: 1, primes, a power of two, and the sizes of a vector, of a work-group and of a
/// work-group with several vectors per work-item, each also minus and plus one. Ascending, without
/// duplicates, at most 100003.
/// @param tile  number of work-items in a work-group, at least 1
std::vector<std::int64_t> awkward_lengths(std::int64_t tile);

/// Awkward edges of squares and cubes: 1, primes, a power of two, and one and four tiles, also minus and plus
/// one. At least 1; may contain duplicates.
/// @param tile  edge length of the kernel's tiles, at least 1
std::vector<std::int64_t> awkward_edges(std::int64_t tile);

struct Extent2 {
    std::int64_t rows = 1;
    std::int64_t columns = 1;

    friend bool operator==(const Extent2&, const Extent2&) = default;
};

/// Awkward matrix shapes: squares of awkward_edges(), two different primes, a row, a column, tall and thin,
/// wide and flat, and one extent a tile plus one. No duplicates.
/// @param tile  edge length of the kernel's tiles, at least 1
std::vector<Extent2> awkward_extents(std::int64_t tile);

}  // namespace kwb
