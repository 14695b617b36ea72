// SPDX-License-Identifier: Apache-2.0
// A 16-bit float for compilers without a native one.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

namespace kwb {

/// IEEE 754 binary16, the memory layout of OpenCL C's `half`: 1 sign bit, 5 exponent bits, 10 fraction bits.
/// Other types convert via double. The conversion from double rounds once, to nearest, ties to even.
class Half {
public:
    Half() = default;
    template <class T>
    requires std::integral<T> || std::floating_point<T>
    explicit Half(T value) : bits_(round(static_cast<double>(value))) {}

    static Half from_bits(std::uint16_t bits) {
        Half half;
        half.bits_ = bits;
        return half;
    }
    std::uint16_t bits() const { return bits_; }

    /// Exact: every half is representable as a double.
    explicit operator double() const {
        const int exponent = bits_ >> 10 & 0x1f;
        const int fraction = bits_ & 0x3ff;
        double magnitude = fraction * 0x1p-24;  // zero and the subnormal numbers
        if (exponent == 0x1f)
            magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::quiet_NaN();
        else if (exponent > 0)
            magnitude = std::bit_cast<double>(std::uint64_t(exponent - 15 + 1023) << 52 |
                                              std::uint64_t(fraction) << 42);
        return std::copysign(magnitude, bits_ >> 15 != 0 ? -1.0 : 1.0);
    }

private:
    static std::uint16_t round(double value) {
        const std::uint64_t wide = std::bit_cast<std::uint64_t>(value);
        const auto sign = static_cast<std::uint16_t>(wide >> 48 & 0x8000);
        const double magnitude = std::fabs(value);
        const auto signed_bits = [&](std::uint64_t bits) { return static_cast<std::uint16_t>(sign | bits); };
        if (std::isnan(value)) return signed_bits(0x7e00);
        if (magnitude >= 65520)
            return signed_bits(0x7c00);  // halfway between the largest half, 65504, and 2^16
        // Below 2^-14 (subnormals) the spacing of halves is 2^-24. Doubles from 2^28 to 2^29 have the
        // same spacing, so adding 2^28 rounds to it.
        if (magnitude < 0x1p-14)
            return signed_bits(std::bit_cast<std::uint64_t>(magnitude + 0x1p28) -
                               std::bit_cast<std::uint64_t>(0x1p28));
        // Drop 42 fraction bits, rounding to even. A carry out of the fraction correctly increments the
        // exponent.
        const std::uint64_t kept = (wide & ~(std::uint64_t{1} << 63)) - (std::uint64_t{1023 - 15} << 52);
        const std::uint64_t is_odd = kept >> 42 & 1;
        return signed_bits((kept + (std::uint64_t{1} << 41) - 1 + is_odd) >> 42);
    }

    std::uint16_t bits_ = 0;
};

static_assert(sizeof(Half) == 2);

}  // namespace kwb
