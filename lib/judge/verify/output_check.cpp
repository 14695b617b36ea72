// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/output_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "base/error.hpp"
#include "base/half.hpp"
#include "model/error_map.hpp"

namespace kwb {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
double read_as(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
}

using Reader = double (*)(const std::byte*);

Reader reader_of(Scalar scalar) {
    return with_scalar_type(scalar, []<class T>(T) -> Reader { return read_as<T>; });
}

template <class T>
double whole_distance(const std::byte* at, const std::byte* other) {
    T a, b;
    std::memcpy(&a, at, sizeof a);
    std::memcpy(&b, other, sizeof b);
    return static_cast<double>(a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                                     : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a));
}

/// Largest error that a tolerance allows; 0 if none, e.g. for a relative tolerance where 0 is expected.
double allowed_error(const Tolerance& tolerance, double expected, Scalar scalar) {
    const double bound = tolerance.absolute + tolerance.relative * std::fabs(expected);
    if (tolerance.ulp == 0) return bound;
    return std::max(bound, tolerance.ulp * unit_in_last_place(expected, scalar));
}

/// Not inlined, because inlining slows down the comparison with stored bounds.
[[gnu::noinline]] double ruled_share(double error, double expected, Scalar scalar,
                                     const Tolerance& tolerance) {
    if (tolerance.ulp == 0) return error / (tolerance.absolute + tolerance.relative * std::fabs(expected));
    return error / allowed_error(tolerance, expected, scalar);
}

/// The error of one element as a share of its bound: 0 is equal, above 1 is wrong; infinite where only
/// equality is allowed.
/// @param at  the address from which `got` was read
double error_share(Scalar scalar, const std::byte* at, double got, const OutputReference& reference,
                   std::size_t i, std::span<const std::uint8_t> poison) {
    const double expected = reference.expected[i];
    double error = std::fabs(got - expected);
    if (!reference.content.empty()) {
        const std::byte* const right = &reference.content[i * scalar_bytes(scalar)];
        error = scalar == Scalar::Int64 ? whole_distance<std::int64_t>(at, right)
                                        : whole_distance<std::uint64_t>(at, right);
        if (error == 0) return 0;
    } else if (got == expected) {
        return 0;
    }
    // NaN is correct where NaN is expected, unless it is the poison.
    if (std::isnan(expected) && std::isnan(got))
        return std::memcmp(at, poison.data(), std::min(scalar_bytes(scalar), poison.size())) == 0 ? kInfinity
                                                                                                  : 0;
    if (!std::isfinite(error)) return kInfinity;
    if (!reference.bound.empty()) [[likely]]
        return error / static_cast<double>(reference.bound[i]);
    return ruled_share(error, expected, scalar, reference.tolerance);
}

std::string whole_text(Scalar scalar, const std::byte* at) {
    if (scalar == Scalar::Int64) {
        std::int64_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return std::to_string(value);
    }
    std::uint64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return std::to_string(value);
}

/// The expected and actual value of an element as text.
/// @param at  the address from which `got` was read
[[gnu::noinline, gnu::cold]] NumberTexts words_of(Scalar scalar, const std::byte* at, double got,
                                                  const OutputReference& reference, std::size_t i) {
    constexpr int kLeastDigits = 7;
    const NumberTexts texts = tell_apart(reference.expected[i], got, kLeastDigits);
    if (reference.content.empty() || texts.first != texts.second) return texts;
    return {whole_text(scalar, &reference.content[i * scalar_bytes(scalar)]), whole_text(scalar, at)};
}

/// Divides the rows of an output into pieces, each within one cell of its error map. Updating the map once
/// per piece takes almost no time; looking up the cell of every element took longer than the comparison
/// itself.
class CellPieces {
public:
    explicit CellPieces(const ErrorMap& map) : map_(map), columns_(map.extents->columns) {
        for (std::uint64_t c = 1; c <= map.columns; ++c)  // the first column for which floor(...) is c
            ends_.push_back((c * columns_ + map.columns - 1) / map.columns);
    }

    /// Calls `piece(cell, first, end)` for the elements in [first, end), in order.
    template <class Piece>
    void over(std::uint64_t first, std::uint64_t end, Piece&& piece) const {
        for (std::uint64_t row = first / columns_; row * columns_ < end; ++row) {
            const std::uint64_t start = row * columns_;
            const std::uint64_t cells = row * map_.rows / map_.extents->rows * map_.columns;
            std::uint64_t i = std::max(first, start);
            for (std::uint64_t c = (i - start) * map_.columns / columns_; c < map_.columns && i < end; ++c) {
                const std::uint64_t stop = std::min(end, start + ends_[c]);
                piece(static_cast<std::size_t>(cells + c), static_cast<std::size_t>(i),
                      static_cast<std::size_t>(stop));
                i = stop;
            }
        }
    }

    /// The end of the piece that contains an element.
    std::uint64_t end_of(std::uint64_t element) const {
        const std::uint64_t column = element % columns_;
        return element - column + ends_[column * map_.columns / columns_];
    }

private:
    const ErrorMap& map_;
    std::uint64_t columns_;
    std::vector<std::uint64_t> ends_;  ///< the end of the columns of each cell
};

/// 2^exponent for -1022 … 1023. Called for every element, and much faster than std::ldexp.
double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// The e for which |value| is in [2^e, 2^(e+1)); -1023 for subnormal numbers.
int exponent_of(double value) {
    return static_cast<int>((std::bit_cast<std::uint64_t>(value) >> 52) & 0x7ff) - 1023;
}

void say_pattern(Finding& wrong, const FoundPattern& found) {
    wrong.texts.push_back({"pattern", std::string(to_string(found.pattern))});
    wrong.numbers.insert(wrong.numbers.end(), found.numbers.begin(), found.numbers.end());
}

/// `value` as meant in a declaration: 0.1 for a float means 0.1f, which is slightly larger.
/// @param most  the type's largest finite number
template <class T>
double at_least_as(double value, double most) {
    return value > most ? value : std::max(value, static_cast<double>(static_cast<T>(value)));
}

}  // namespace

std::vector<std::uint64_t> index_of(std::uint64_t element, const std::vector<std::uint64_t>& shape) {
    std::vector<std::uint64_t> index(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        index[d] = element % shape[d];
        element /= shape[d];
    }
    return index;
}

ErrorMap empty_error_map(const BufferSpec& spec) {
    constexpr std::uint64_t kMostCells = 256;
    const std::uint64_t columns = spec.shape.back();
    const std::uint64_t rows = spec.elements() / columns;
    ErrorMap map;
    map.buffer = spec.name;
    map.rows = static_cast<std::uint32_t>(std::min(rows, kMostCells));
    map.columns = static_cast<std::uint32_t>(std::min(columns, kMostCells));
    map.extents = MapExtents{rows, columns};
    map.worst_share.assign(std::size_t{map.rows} * map.columns, -1);
    return map;
}

float share_to_float(double share) {
    return share <= static_cast<double>(std::numeric_limits<float>::max())
               ? static_cast<float>(share)
               : std::numeric_limits<float>::infinity();
}

OutputCheck check_output(const BufferSpec& spec, std::span<const std::byte> got,
                         const OutputReference& reference, std::span<const std::uint8_t> poison,
                         const Checkpoint& checkpoint) {
    if (spec.type.width > 1) return check_output(as_scalars(spec), got, reference, poison, checkpoint);
    expects(got.size() == spec.bytes() && reference.expected.size() == spec.elements(),
            "check_output: sizes differ");
    const Reader read = reader_of(spec.type.scalar);
    const std::size_t step = spec.type.bytes();
    OutputCheck check;
    check.error_map = empty_error_map(spec);
    check.worst_pieces.resize(check.error_map.worst_share.size());
    const auto share_at = [&](std::size_t i) {
        const std::byte* at = got.data() + i * step;
        const double value = read(at);
        const double expected = reference.expected[i];
        const double share = error_share(spec.type.scalar, at, value, reference, i, poison);
        if (share <= 1) return share;
        ++check.wrong;
        const bool unwritten = std::memcmp(at, poison.data(), std::min(step, poison.size())) == 0;
        if (unwritten)
            ++check.unwritten;
        else if (!std::isfinite(value))
            ++check.not_a_number;
        if (check.first_wrong.empty())
            check.first_words = words_of(spec.type.scalar, at, value, reference, i);
        if (check.first_wrong.size() < kFirstWrong)
            check.first_wrong.push_back({index_of(i, spec.shape), expected, value, spec.name});
        return share;
    };
    const CellPieces pieces(check.error_map);
    float* const shares = check.error_map.worst_share.data();
    std::uint64_t* const worst_pieces = check.worst_pieces.data();
    in_steps(reference.expected.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        pieces.over(first, first + count, [&](std::size_t cell, std::size_t from, std::size_t to) {
            double worst = 0;
            for (std::size_t i = from; i < to; ++i) worst = std::max(worst, share_at(i));
            check.worst_share = std::max(check.worst_share, worst);
            // Branchless: the outcome is random, and a misprediction takes as long as a piece.
            float& shown = shares[cell];
            std::uint64_t& piece = worst_pieces[cell];
            const float share = share_to_float(worst);
            const bool is_worse = share > shown;
            piece ^= (piece ^ from) & (std::uint64_t{0} - std::uint64_t{is_worse});
            shown = std::max(shown, share);
        });
    });
    return check;
}

double read_scalar(Scalar scalar, const std::byte* at) {
    return reader_of(scalar)(at);
}

BufferSpec as_scalars(const BufferSpec& spec) {
    expects(spec.type.width != 3, "as_scalars: vectors of three have a fourth, unused component");
    BufferSpec flat = spec;
    flat.type.width = 1;
    if (spec.type.width > 1) flat.shape.push_back(spec.type.width);
    return flat;
}

ErrorMap detailed_map(const OutputCheck& check, const BufferSpec& spec, std::span<const std::byte> got,
                      const OutputReference& reference, std::span<const std::uint8_t> poison,
                      std::uint32_t most_cells) {
    const Reader read = reader_of(spec.type.scalar);
    const std::size_t step = scalar_bytes(spec.type.scalar);
    const bool is_float = spec.type.scalar == Scalar::Float32 || spec.type.scalar == Scalar::Float16;
    const auto got_at = [&](std::uint64_t i) { return read(got.data() + i * step); };
    ErrorMap map = check.error_map;
    for (const std::uint64_t piece : check.worst_pieces) map.worst_elements.push_back({piece, 0, 0});
    map = coarsened(map, most_cells);
    const CellPieces pieces(check.error_map);
    for (WorstElement& worst : map.worst_elements) {
        double worst_share = -1;
        const std::uint64_t first = worst.element;
        for (std::uint64_t i = first; i < pieces.end_of(first); ++i) {
            const double share = error_share(spec.type.scalar, got.data() + i * step, got_at(i), reference,
                                             static_cast<std::size_t>(i), poison);
            if (share <= worst_share) continue;
            worst_share = share;
            worst.element = i;
        }
        worst.expected = reference.expected[worst.element];
        if (is_float) worst.expected = static_cast<double>(static_cast<float>(worst.expected));
        worst.got = got_at(worst.element);
    }
    return map;
}

std::optional<std::size_t> first_difference(std::span<const std::byte> a, std::span<const std::byte> b,
                                            const Checkpoint& checkpoint) {
    expects(a.size() == b.size(), "first_difference: sizes differ");
    std::optional<std::size_t> found;
    in_steps(a.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        if (found || std::memcmp(&a[first], &b[first], count) == 0) return;
        const auto begin = a.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(count);
        const auto other = b.begin() + static_cast<std::ptrdiff_t>(first);
        found = static_cast<std::size_t>(std::mismatch(begin, end, other).first - a.begin());
    });
    return found;
}

std::optional<Unwritten> find_unwritten(const BufferSpec& buffer, const FilledOutput& one,
                                        const FilledOutput& other, const Checkpoint& checkpoint) {
    const BufferSpec flat = as_scalars(buffer);
    const std::size_t step = flat.type.bytes();
    const auto is_left = [step](const FilledOutput& output, std::size_t i) {
        return std::memcmp(&output.content[i * step], output.pattern.data(), step) == 0;
    };
    std::optional<Unwritten> found;
    in_steps(flat.elements(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            if (!is_left(one, i) || !is_left(other, i)) continue;
            if (!found)
                found = {0, fmt::format("{}[{}]", buffer.name, fmt::join(index_of(i, flat.shape), "]["))};
            ++found->elements;
        }
    });
    return found;
}

Finding find_wrong(const OutputCheck& check, const BufferSpec& spec, std::string_view inputs) {
    const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
    Finding wrong{
        .code = check.unwritten == check.wrong ? FindingCode::NeverWritten : FindingCode::WrongElements,
        .subject = spec.name,
        .place = fmt::format("{}[{}]", spec.name, fmt::join(check.first_wrong.front().index, "][")),
        .numbers = {{"wrong", number(check.wrong)},
                    {"at_least", check.counted_all ? 0.0 : 1.0},
                    {"elements", number(as_scalars(spec).elements())},
                    {"unwritten", number(check.unwritten)},
                    {"not_finite", number(check.not_a_number)}},
        .texts = {{"inputs", std::string(inputs)},
                  {"expected", check.first_words.first},
                  {"got", check.first_words.second}}};
    if (check.pattern) say_pattern(wrong, *check.pattern);
    return wrong;
}

void add_pattern(Finding& wrong, const BufferSpec& spec, std::span<const std::byte> got,
                 const OutputReference& reference, std::span<const std::uint8_t> poison,
                 const std::optional<Factors>& factors, const Checkpoint& checkpoint) {
    if (reference.probe || !reference.content.empty()) return;  // not all values are known, or not as doubles
    const Scalar scalar = spec.type.scalar;
    const std::size_t step = scalar_bytes(scalar);
    const Reader read = reader_of(scalar);
    WrongOutput output;
    output.elements = reference.expected.size();
    if (spec.shape.size() == 2 && spec.type.width == 1) output.columns = spec.shape[1];
    output.got = [&, read](std::size_t i) { return read(&got[i * step]); };
    output.expected = [&](std::size_t i) { return reference.expected[i]; };
    output.bound = [&](std::size_t i) {
        return reference.bound.empty() ? allowed_error(reference.tolerance, reference.expected[i], scalar)
                                       : static_cast<double>(reference.bound[i]);
    };
    output.is_wrong = [&, read](std::size_t i) {
        const std::byte* const at = &got[i * step];
        return error_share(scalar, at, read(at), reference, i, poison) > 1;
    };
    std::optional<FoundPattern> found;
    if (factors && is_column_major(output, *factors, checkpoint))
        found = FoundPattern{WrongPattern::ColumnMajor};
    if (!found) found = find_wrong_pattern(output, checkpoint);
    if (!found && factors) found = find_wrong_terms(output, *factors, checkpoint);
    if (found) say_pattern(wrong, *found);
}

double unit_in_last_place(double value, Scalar scalar) {
    // Smallest exponent and relative spacing of IEEE 754 binary16, binary32 and binary64.
    int least = 0;
    double spacing = 0;
    switch (scalar) {
        case Scalar::Float16:
            least = -14, spacing = 0x1p-10;
            break;
        case Scalar::Float32:
            least = -126, spacing = 0x1p-23;
            break;
        case Scalar::Float64:
            least = -1022, spacing = 0x1p-52;
            break;
        default:
            return 1;
    }
    return power_of_two(std::isfinite(value) ? std::max(least, exponent_of(value)) : least) * spacing;
}

OutputReference make_output_reference(const BufferSpec& buffer, std::span<const std::byte> right,
                                      const Tolerance& tolerance, const Checkpoint& checkpoint) {
    const BufferSpec flat = as_scalars(buffer);
    const Scalar scalar = flat.type.scalar;
    OutputReference reference;
    reference.expected = make_zeros<double>(flat.elements(), checkpoint);
    reference.tolerance = tolerance;
    double& absolute = reference.tolerance.absolute;
    if (scalar == Scalar::Float32) absolute = at_least_as<float>(absolute, 0x1.fffffep127);
    if (scalar == Scalar::Float16) absolute = at_least_as<Half>(absolute, 65504);
    const bool is_wide = scalar == Scalar::Int64 || scalar == Scalar::UInt64;
    if (is_wide) reference.content = copy_in_steps(right, checkpoint);
    const std::size_t step = flat.type.bytes();
    in_steps(reference.expected.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i)
            reference.expected[i] = read_scalar(scalar, &right[i * step]);
    });
    return reference;
}

std::vector<std::string> describe_unchecked(const PassData& data, const Checkpoint& checkpoint) {
    std::vector<std::string> sentences;
    for (const auto& [name, reference] : data.outputs) {
        std::ptrdiff_t unfinite = 0;
        in_steps(reference.expected.size(), checkpoint,
                 [&, &values = reference.expected](std::size_t first, std::size_t count) {
                     const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
                     unfinite += std::count_if(begin, begin + static_cast<std::ptrdiff_t>(count),
                                               [](double value) { return !std::isfinite(value); });
                 });
        if (unfinite > 0)
            sentences.push_back(
                fmt::format("{} of {} of {} {} not finite, and the check there is only for "
                            "that. Fill the inputs with other numbers to check more",
                            unfinite, counted(reference.expected.size(), "expected value"), name,
                            unfinite == 1 ? "is" : "are"));
    }
    return sentences;
}

}  // namespace kwb
