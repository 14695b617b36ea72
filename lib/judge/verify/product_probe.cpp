// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/product_probe.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "judge/reference/host_blas.hpp"
#include "model/error_map.hpp"

namespace kwb {
namespace {

using LineNumbers = std::vector<std::int64_t>;  ///< numbers of rows or columns

/// The probability of missing an error is at most 2^-kMissBits.
constexpr int kMissBits = 32;
/// Maximum number of rows or columns that are computed completely: in the exact pass, where all that differ
/// are wrong, and in the real pass, where rounding makes all of them differ.
constexpr std::size_t kMostExactLines = 64;
constexpr std::size_t kMostRealLines = 16;
/// Maximum number of elements in these rows or columns.
constexpr std::int64_t kMostLineElements = std::int64_t{1} << 23;
/// Outside these extents the vectors would need as much memory as the matrices, or the sums would not be
/// exact.
constexpr std::int64_t kLeastProbedExtent = 1024;
constexpr std::int64_t kMostProbedExtent = std::int64_t{1} << 22;
/// Sums of the exact pass stay below 2^24 (reference/matrices.cpp).
constexpr int kExactBits = 24;
constexpr int kDoubleBits = 53;

/// How random vectors are drawn.
struct RandomVectors {
    int bits = 1;   ///< each entry has 2^bits possible values
    int count = 1;  ///< number of vectors

    /// Draws `length` times `count` numbers.
    std::vector<double> draw(std::int64_t length, std::uint64_t stream, const Checkpoint& checkpoint) const {
        auto numbers = make_zeros<double>(static_cast<std::size_t>(length * count), checkpoint);
        const double half = std::ldexp(1, bits - 1);
        in_steps(numbers.size(), checkpoint, [&](std::size_t first, std::size_t n) {
            for (std::size_t i = first; i < first + n; ++i) {
                const auto entry = static_cast<double>(random_at(stream, i) >> (64 - bits));
                numbers[i] = bits == 1 ? 2 * entry - 1 : entry - half;
            }
        });
        return numbers;
    }
};

/// In the exact pass, entries have a magnitude of at most 2^(bits - 1): their product with 2^24 and the
/// longest sum stays exact.
RandomVectors choose_vectors(const ProductExtents& e, Pass pass) {
    if (pass == Pass::Real) return {1, kMissBits};
    const auto longest = static_cast<std::uint64_t>(std::max(e.m, e.n));
    const int bits =
        std::min(20, kDoubleBits - kExactBits + 1 - static_cast<int>(std::bit_width(longest - 1)));
    return {bits, (kMissBits + bits - 1) / bits};
}

/// One random row (or column) in each row (or column) of cells of the error map.
LineNumbers pick_bands(std::int64_t extent, std::uint64_t stream) {
    const std::int64_t bands = std::min<std::int64_t>(extent, 256);
    LineNumbers picked;
    for (std::int64_t band = 0; band < bands; ++band) {
        const std::int64_t first = (band * extent + bands - 1) / bands;
        const std::int64_t end = ((band + 1) * extent + bands - 1) / bands;
        const auto width = static_cast<std::uint64_t>(end - first);
        picked.push_back(
            first + static_cast<std::int64_t>(random_at(stream, static_cast<std::uint64_t>(band)) % width));
    }
    return picked;
}

/// Compares selected elements of a large output and collects the results.
class ComparedElements {
public:
    /// @param spec  a matrix of floats
    /// @param got   its content
    ComparedElements(const BufferSpec& spec, std::span<const float> got)
        : got_(got), map_(empty_error_map(spec)) {
        map_.worst_elements.resize(map_.worst_share.size());
    }

    /// The same element may be compared more than once.
    /// @param bound  largest error allowed; 0: must be equal
    void compare(std::uint64_t element, double expected, double bound) {
        ++compared_;
        const auto got = static_cast<double>(got_[element]);
        const float share = got == expected ? 0 : share_to_float(std::fabs(got - expected) / bound);
        if (share > 1) wrong_.push_back({element, expected});
        const std::size_t cell = cell_of(map_, element);
        if (share <= map_.worst_share[cell]) return;
        map_.worst_share[cell] = share;
        map_.worst_elements[cell] = {element, static_cast<double>(static_cast<float>(expected)), got};
    }

    std::uint64_t count() const { return compared_; }

    /// Wrong elements in index order, without duplicates.
    struct Wrong {
        std::uint64_t element;
        double expected;
    };
    const std::vector<Wrong>& sorted_wrong() {
        std::ranges::sort(wrong_, {}, &Wrong::element);
        const auto is_same = [](const Wrong& a, const Wrong& b) { return a.element == b.element; };
        wrong_.erase(std::unique(wrong_.begin(), wrong_.end(), is_same), wrong_.end());
        return wrong_;
    }

    /// Each cell shows its worst compared element. Requires at least one compared element in each cell.
    const ErrorMap& map() const { return map_; }

private:
    std::span<const float> got_;
    std::uint64_t compared_ = 0;
    std::vector<Wrong> wrong_;
    ErrorMap map_;
};

/// Checks one output.
class ProductJudging {
public:
    ProductJudging(const ProductExtents& e, Pass pass, const BufferSpec& spec, std::span<const float> got,
                   const PassData& data, std::uint64_t secret, const Checkpoint& checkpoint)
        : e_(e),
          pass_(pass),
          got_(got),
          a_{numbers_in<float>(find_named(data.inputs, "A")[0]), e.m, e.k},
          b_{numbers_in<float>(find_named(data.inputs, "B")[0]), e.k, e.n},
          c_{got, e.m, e.n},
          secret_(secret),
          checkpoint_(checkpoint),
          vectors_(choose_vectors(e, pass)),
          compared_(spec, got) {}

    OutputCheck perform(std::span<const std::uint8_t> poison) {
        look_at_each(poison);
        compare_in_every_part();
        const bool rows_known = compare_suspects(Side::Rows);
        if (!rows_known) check_.counted_all = compare_suspects(Side::Columns);
        // In the lines that were not computed, rounding may hide small errors.
        if (pass_ == Pass::Real && !compared_.sorted_wrong().empty()) check_.counted_all = false;
        sum_up();
        if (pass_ == Pass::Exact && check_.wrong > 0 && is_column_major())
            check_.pattern = FoundPattern{WrongPattern::ColumnMajor};
        return std::move(check_);
    }

private:
    enum class Side { Rows, Columns };

    /// False for values that no sum can have: NaN or infinity; in the exact pass also too large a value or
    /// one with a fraction.
    bool is_possible(float value) const {
        return pass_ == Pass::Exact ? std::fabs(value) <= 0x1p24f && value == std::trunc(value)
                                    : std::isfinite(value);
    }

    void look_at_each(std::span<const std::uint8_t> poison) {
        impossible_in_row_.resize(static_cast<std::size_t>(e_.m));
        const auto columns = static_cast<std::size_t>(e_.n);
        for (std::size_t row = 0; row < impossible_in_row_.size(); ++row) {
            if (row % 256 == 0) checkpoint_();
            for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
                if (is_possible(got_[i])) [[likely]]
                    continue;
                ++impossible_in_row_[row];
                if (std::memcmp(&got_[i], poison.data(), std::min(sizeof(float), poison.size())) == 0)
                    ++check_.unwritten;
                else if (!std::isfinite(got_[i]))
                    ++check_.not_a_number;
            }
        }
    }

    /// Compares one element in each cell of the error map.
    void compare_in_every_part() {
        const LineNumbers rows = pick_bands(e_.m, derive_seed(secret_, "sample of rows"));
        const LineNumbers columns = pick_bands(e_.n, derive_seed(secret_, "sample of columns"));
        const auto width = static_cast<std::int64_t>(columns.size());
        const auto multiply = [&] {
            const std::vector<double> sampled = take_columns(b_, columns, checkpoint_);
            std::vector<float> some_rows;
            for (const std::int64_t row : rows) {
                const auto values =
                    a_.values.subspan(static_cast<std::size_t>(row * e_.k), static_cast<std::size_t>(e_.k));
                some_rows.insert(some_rows.end(), values.begin(), values.end());
            }
            return multiply_right({some_rows, static_cast<std::int64_t>(rows.size()), e_.k}, sampled, width,
                                  checkpoint_);
        };
        compare_all(rows, columns, multiply);
    }

    /// @param multiply  returns the product of the rows of A and the columns of B
    template <class Multiply>
    void compare_all(const LineNumbers& rows, const LineNumbers& columns, Multiply&& multiply) {
        const std::vector<double> expected = multiply();
        const double bound = pass_ == Pass::Real ? product_bound(e_) : 0;
        std::size_t i = 0;
        for (const std::int64_t row : rows) {
            checkpoint_();
            for (const std::int64_t column : columns) {
                compared_.compare(static_cast<std::uint64_t>(row * e_.n + column), expected[i], bound);
                ++i;
            }
        }
    }

    /// For each row (or column) of C, the largest difference over all vectors.
    std::vector<double> find_differences(Side side) const {
        const Widen widen_possible = [this](std::span<const float> from, double* to) {
            std::transform(from.begin(), from.end(), to,
                           [this](float x) { return is_possible(x) ? static_cast<double>(x) : 0; });
        };
        const std::int64_t count = vectors_.count;
        const bool rows = side == Side::Rows;
        const std::vector<double> x =
            vectors_.draw(rows ? e_.n : e_.m, derive_seed(secret_, rows ? "right" : "left"), checkpoint_);
        std::vector<double> product, claimed;
        if (rows) {
            product = multiply_right(a_, multiply_right(b_, x, count, checkpoint_), count, checkpoint_);
            claimed = multiply_right(c_, x, count, checkpoint_, widen_possible);
        } else {
            product = multiply_left(multiply_left(x, count, a_, checkpoint_), count, b_, checkpoint_);
            claimed = multiply_left(x, count, c_, checkpoint_, widen_possible);
        }
        const auto lines = static_cast<std::size_t>(rows ? e_.m : e_.n);
        const auto vectors = static_cast<std::size_t>(count);
        std::vector<double> most(lines);
        for (std::size_t line = 0; line < lines; ++line)
            for (std::size_t v = 0; v < vectors; ++v) {
                const std::size_t i = rows ? line * vectors + v : v * lines + line;
                most[line] = std::max(most[line], std::fabs(claimed[i] - product[i]));
            }
        return most;
    }

    /// As is_column_major() of wrong_pattern.hpp, by random vectors.
    bool is_column_major() const {
        if (std::ranges::any_of(impossible_in_row_, [](std::uint32_t in_row) { return in_row > 0; }))
            return false;
        const std::int64_t count = vectors_.count;
        const std::vector<double> x = vectors_.draw(e_.m, derive_seed(secret_, "columns"), checkpoint_);
        const std::vector<double> inner = multiply_right({a_.values, e_.k, e_.m}, x, count, checkpoint_);
        return multiply_right({b_.values, e_.n, e_.k}, inner, count, checkpoint_) ==
               multiply_right({got_, e_.n, e_.m}, x, count, checkpoint_);
    }

    std::size_t most_lines(Side side) const {
        const std::int64_t length = side == Side::Rows ? e_.n : e_.m;
        const auto fitting = static_cast<std::size_t>(std::max<std::int64_t>(1, kMostLineElements / length));
        return std::min(fitting, pass_ == Pass::Exact ? kMostExactLines : kMostRealLines);
    }

    /// Computes the rows (or columns) that differ, up to a maximum number.
    /// @return  false: there may be more wrong elements, which the other side can find
    bool compare_suspects(Side side) {
        std::vector<double> differences = find_differences(side);
        if (side == Side::Rows)  // values left out of the sums are certainly wrong
            for (std::size_t row = 0; row < differences.size(); ++row)
                if (impossible_in_row_[row] > 0) differences[row] = INFINITY;
        LineNumbers suspects(differences.size());
        std::iota(suspects.begin(), suspects.end(), 0);
        const auto difference = [&](std::int64_t line) {
            return differences[static_cast<std::size_t>(line)];
        };
        const std::size_t most = most_lines(side);
        bool all_known = true;
        if (pass_ == Pass::Exact) {
            std::erase_if(suspects, [&](std::int64_t line) { return difference(line) == 0; });
            all_known = suspects.size() <= most;
        } else {
            std::ranges::stable_sort(suspects, std::greater<>{}, difference);
            if (side == Side::Rows) hidden_ = most < suspects.size() ? difference(suspects[most]) : 0;
        }
        suspects.resize(std::min(most, suspects.size()));
        const std::size_t wrong_before = compared_.sorted_wrong().size();
        if (side == Side::Rows)
            compare_rows(suspects);
        else
            compare_columns(suspects);
        if (pass_ == Pass::Exact) return all_known;
        return compared_.sorted_wrong().size() < wrong_before + suspects.size();
    }

    void compare_rows(const LineNumbers& rows) {
        LineNumbers all(static_cast<std::size_t>(e_.n));
        std::iota(all.begin(), all.end(), 0);
        compare_all(rows, all, [&] {
            return multiply_left(take_rows(a_, rows), static_cast<std::int64_t>(rows.size()), b_,
                                 checkpoint_);
        });
    }

    void compare_columns(const LineNumbers& columns) {
        LineNumbers all(static_cast<std::size_t>(e_.m));
        std::iota(all.begin(), all.end(), 0);
        compare_all(all, columns, [&] {
            return multiply_right(a_, take_columns(b_, columns, checkpoint_),
                                  static_cast<std::int64_t>(columns.size()), checkpoint_);
        });
    }

    /// Upper bound of the judge's own rounding error in a difference: sums of N and of K terms in double
    /// precision, where C has magnitudes up to `most`, and A and B up to 1.
    double own_rounding() const {
        float most = 0;
        for (const float x : got_)
            if (is_possible(x)) most = std::max(most, std::fabs(x));
        const auto n = static_cast<double>(e_.n), k = static_cast<double>(e_.k);
        return 0x1p-52 * (n * n * static_cast<double>(most) + (n + k) * k * n);
    }

    void sum_up() {
        const auto& wrong = compared_.sorted_wrong();
        std::uint64_t impossible = 0;
        for (const std::uint32_t in_row : impossible_in_row_) impossible += in_row;
        std::uint64_t found_impossible = 0;
        const auto columns = static_cast<std::uint64_t>(e_.n);
        for (const auto& [element, expected] : wrong) {
            const auto got = static_cast<double>(got_[element]);
            if (!is_possible(got_[element])) ++found_impossible;
            if (check_.first_wrong.empty()) check_.first_words = tell_apart(expected, got, 7);
            if (check_.first_wrong.size() < kFirstWrong)
                check_.first_wrong.push_back({{element / columns, element % columns}, expected, got, "C"});
        }
        check_.wrong = wrong.size() + impossible - found_impossible;
        if (check_.wrong == got_.size()) check_.counted_all = true;
        check_.error_map = compared_.map();
        RandomCheck random{static_cast<std::uint32_t>(vectors_.count),
                           std::ldexp(1, -vectors_.bits * vectors_.count), std::nullopt, compared_.count()};
        if (pass_ == Pass::Real) random.visible_error = hidden_ + own_rounding();
        check_.random = random;
    }

    ProductExtents e_;
    Pass pass_;
    std::span<const float> got_;
    FloatMatrix a_, b_, c_;
    std::uint64_t secret_;
    const Checkpoint& checkpoint_;
    RandomVectors vectors_;
    ComparedElements compared_;
    std::vector<std::uint32_t> impossible_in_row_;
    double hidden_ = 0;  ///< largest difference among the rows that were not computed
    OutputCheck check_;
};

}  // namespace

bool suits_probe(const ProductExtents& e) {
    return std::min({e.m, e.n, e.k}) >= kLeastProbedExtent && std::max({e.m, e.n, e.k}) <= kMostProbedExtent;
}

OutputCheck check_product(const ProductExtents& extents, Pass pass, const BufferSpec& spec,
                          std::span<const std::byte> got, const PassData& data,
                          std::span<const std::uint8_t> poison, std::uint64_t secret,
                          const Checkpoint& checkpoint) {
    expects(
        spec.shape.size() == 2 && got.size() == spec.bytes() && spec.type == ElementType{Scalar::Float32, 1},
        "check_product: not a matrix of floats");
    const std::span values(reinterpret_cast<const float*>(got.data()), got.size() / sizeof(float));
    return ProductJudging(extents, pass, spec, values, data, secret, checkpoint).perform(poison);
}

}  // namespace kwb
