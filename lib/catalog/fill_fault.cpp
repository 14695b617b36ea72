#include "catalog/fill_fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/element.hpp"

namespace kwb {
namespace {

/// Whole numbers up to here are doubles.
constexpr double kMostWhole = 9007199254740992.0;

/// Normal numbers are made of shares in steps of 2^-53: none is farther out, sqrt(-2 ln 2^-53) = 8.57.
constexpr double kMostDeviations = 8.6;

struct Range {
    double least = 0;
    double most = 0;
};

/// Finite values of a type; of whole numbers as far as a double holds them.
Range range_of(const ElementType& type) {
    const auto symmetric = [](double most) { return Range{-most, most}; };
    if (type.scalar == Scalar::Float16) return symmetric(65504);  // IEEE 754, binary16
    if (type.scalar == Scalar::Float32)
        return symmetric(static_cast<double>(std::numeric_limits<float>::max()));
    if (type.scalar == Scalar::Float64) return symmetric(std::numeric_limits<double>::max());
    const NpyType npy = npy_type(type);
    const double values = std::ldexp(1.0, static_cast<int>(8 * npy.item_bytes));
    const Range all = npy.kind == 'u' ? Range{0, values - 1} : Range{-values / 2, values / 2 - 1};
    return {std::max(all.least, -kMostWhole), std::min(all.most, kMostWhole)};
}

/// Least and largest number that a fill makes.
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

/// What of a fill its type cannot hold.
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
        return fmt::format("the range [{}, {}] is empty; give the smaller number first", fill.first,
                           fill.second);
    if (fill.kind == FillKind::Normal && fill.second < 0) return "a standard deviation cannot be negative";
    if (fill.kind == FillKind::Integers || !buffer.type.is_floating())
        for (const double value : {fill.first, fill.second})
            if (value != std::floor(value) || std::fabs(value) > kMostWhole)
                return fmt::format("{} is no whole number up to 2^53", value);
    const Range held = range_of(buffer.type);
    const Range made = range_of(fill, buffer);
    if (made.least >= held.least && made.most <= held.most) return "";
    return fmt::format("{} cannot hold {}, only {} … {}; give other numbers, or another type",
                       to_string(buffer.type), describe(fill, made, sizes), held.least, held.most);
}

}  // namespace kwb
