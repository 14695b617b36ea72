// SPDX-License-Identifier: Apache-2.0
#include "catalog/type_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "model/element.hpp"

namespace kwb {
namespace {

/// The largest finite value of IEEE 754 binary16.
constexpr double kMostHalf = 65504;

/// Doubles represent all whole numbers up to 2^53 exactly.
constexpr double kMostWhole = 9007199254740992.0;

/// Normal numbers are generated from uniform ones in steps of 2^-53, so the largest deviation is
/// sqrt(-2 ln 2^-53) = 8.57.
constexpr double kMostDeviations = 8.6;

struct Range {
    double least = 0;
    double most = 0;
};

/// The finite values of a type; for an integer type, limited to those that a double represents exactly.
Range range_of(const ElementType& type) {
    const auto symmetric = [](double most) { return Range{-most, most}; };
    if (type.scalar == Scalar::Float16) return symmetric(kMostHalf);
    if (type.scalar == Scalar::Float32)
        return symmetric(static_cast<double>(std::numeric_limits<float>::max()));
    if (type.scalar == Scalar::Float64) return symmetric(std::numeric_limits<double>::max());
    const NpyType npy = npy_type(type);
    const double values = std::ldexp(1.0, static_cast<int>(8 * npy.item_bytes));
    const Range all = npy.kind == 'u' ? Range{0, values - 1} : Range{-values / 2, values / 2 - 1};
    return {std::max(all.least, -kMostWhole), std::min(all.most, kMostWhole)};
}

/// Smallest and largest number that a fill generates.
Range range_of(const Fill& fill, const BufferSpec& buffer) {
    switch (fill.kind) {
        case FillKind::Uniform:
        case FillKind::Integers:
            return {fill.first, fill.second};
        case FillKind::Normal:
            return {fill.first - kMostDeviations * fill.second, fill.first + kMostDeviations * fill.second};
        case FillKind::Ramp: {
            const double steps = static_cast<double>(buffer.elements()) * buffer.type.width - 1;
            const double last = fill.first + steps * fill.second;
            return {std::min(fill.first, last), std::max(fill.first, last)};
        }
        case FillKind::Constant:
        case FillKind::Array:
            break;
    }
    return {fill.first, fill.first};
}

/// Describes the values of a fill that do not fit its type.
std::string describe(const Fill& fill, const Range& made, const Sizes& sizes) {
    const std::string range = fmt::format("{} … {}", made.least, made.most);
    if (fill.kind == FillKind::Ramp) return fmt::format("a ramp of {} (at {})", range, to_string(sizes));
    if (fill.kind == FillKind::Normal) return "normal numbers, which may be " + range;
    return fill.kind == FillKind::Constant ? fmt::format("{}", fill.first) : range;
}

}  // namespace

double least_value(const ElementType& type) {
    return range_of(type).least;
}

std::string find_fill_fault(const Fill& fill, const BufferSpec& buffer, const Sizes& sizes) {
    if (fill.kind == FillKind::Array) return "";
    // The end of a uniform range is excluded: [1, 1) holds nothing.
    const bool is_empty = fill.kind == FillKind::Uniform    ? fill.first >= fill.second
                          : fill.kind == FillKind::Integers ? fill.first > fill.second
                                                            : false;
    if (is_empty)
        return fmt::format("the range [{}, {}] is empty. Give the smaller number first", fill.first,
                           fill.second);
    if (fill.kind == FillKind::Normal && fill.second < 0) return "a standard deviation cannot be negative";
    if (fill.kind == FillKind::Integers || !buffer.type.is_floating())
        for (const double value : {fill.first, fill.second})
            if (value != std::floor(value) || std::fabs(value) > kMostWhole)
                return fmt::format("{} is not a whole number up to 2^53", value);
    const Range held = range_of(buffer.type);
    const Range made = range_of(fill, buffer);
    if (made.least >= held.least && made.most <= held.most) return "";
    return fmt::format("{} cannot hold {}, only {} … {}. Give other numbers, or another type",
                       to_string(buffer.type), describe(fill, made, sizes), held.least, held.most);
}

std::string find_range_fault(const Number& value, const ElementType& type) {
    // Every Number is finite as a float.
    if (type.scalar == Scalar::Float16 && std::fabs(value.to_double()) > kMostHalf)
        return fmt::format("is {}, but half holds no more than {}. Give a smaller number, or another type",
                           to_string(value), kMostHalf);
    if (type.is_floating()) return "";
    if (!value.is_whole())
        return fmt::format("is {}, which {} cannot hold. Give a whole number, or another type",
                           to_string(value), to_string(type));
    const NpyType npy = npy_type(type);
    const std::size_t bits = 8 * npy.item_bytes - (npy.kind == 'u' ? 0 : 1);
    constexpr std::size_t kBitsOfNumber = 63;  // a Number's value bits, which are also those of a long
    const std::int64_t most = bits >= kBitsOfNumber ? INT64_MAX : (std::int64_t{1} << bits) - 1;
    const std::int64_t least = npy.kind == 'u' ? 0 : -most - 1;
    const std::int64_t whole = value.numerator();
    if (whole >= least && whole <= most) return "";
    return fmt::format("is {}, but {} holds {}. Give another number, or another type", whole, to_string(type),
                       bits > kBitsOfNumber ? "no negative numbers" : fmt::format("{} … {}", least, most));
}

}  // namespace kwb
