#include "catalog/scalar_range.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "model/element.hpp"

namespace kwb {
namespace {

/// The largest finite half: IEEE 754, binary16. Every Number is a finite float.
constexpr double kMostHalf = 65504;

}  // namespace

std::string find_range_fault(const Number& value, const ElementType& type) {
    if (type.scalar == Scalar::Float16 && std::fabs(value.to_double()) > kMostHalf)
        return fmt::format("is {}, but half holds no more than {}; give a smaller number, or another type",
                           to_string(value), kMostHalf);
    if (type.is_floating()) return "";
    if (!value.is_whole())
        return fmt::format("is {}, which {} cannot hold; give a whole number, or another type",
                           to_string(value), to_string(type));
    const NpyType npy = npy_type(type);
    const std::size_t bits = 8 * npy.item_bytes - (npy.kind == 'u' ? 0 : 1);
    constexpr std::size_t kBitsOfNumber = 63;  // a Number's, without its sign: all of a long's
    const std::int64_t most = bits >= kBitsOfNumber ? INT64_MAX : (std::int64_t{1} << bits) - 1;
    const std::int64_t least = npy.kind == 'u' ? 0 : -most - 1;
    const std::int64_t whole = value.numerator();
    if (whole >= least && whole <= most) return "";
    return fmt::format("is {}, but {} holds {}; give another number, or another type", whole, to_string(type),
                       bits > kBitsOfNumber ? "nothing below 0" : fmt::format("{} … {}", least, most));
}

}  // namespace kwb
