// SPDX-License-Identifier: Apache-2.0
// Number formatting for charts; no other file formats their numbers.
#pragma once

#include <string>
#include <string_view>

#include "base/interval.hpp"

namespace kwb::plot {

/// Formats a number for display: "0.05", "18.1", "1200", "12.3 k", "4.5 M", "2×10⁻⁷", "−3", "∞", "not a
/// number". Numbers from 10 000 on get k, M, G, T or P; numbers below 0.001 and from 10^18 on are written as
/// powers of ten.
/// @param digits  significant digits, 1 … 15; digits before the decimal point are never cut, trailing zeros
/// of
///                the fraction are dropped
std::string format_number(double value, int digits = 3);

/// A unit with an adapted prefix, so that numbers have one to three digits before the decimal point.
struct ScaledUnit {
    double factor = 1;  ///< value in the old unit * factor = value in the new one
    std::string unit;
};

/// "ms" and 0.02 give "µs" and 1000. Supported are seconds (ns, µs, ms, s), FLOP/s, B/s, and FLOP with the
/// usual prefixes; any other unit is returned unchanged, as is any unit if `largest` is 0 or not finite.
ScaledUnit choose_unit(std::string_view unit, double largest);

/// Whether the unit is "ns", "µs", "ms" or "s".
bool is_time_unit(std::string_view unit);

/// "18.1 µs" for 0.0181 ms; without a unit the same as format_number().
std::string format_value(double value, std::string_view unit, int digits = 3);

/// "17.9 – 18.3 µs": both ends in the same unit, with enough digits to differ.
std::string format_interval(const Interval& interval, std::string_view unit, int digits = 3);

// Building blocks of numbers and tick labels.

/// @param decimals  0 … 17
/// @param trim  drop trailing zeros of the fraction
std::string fixed(double value, int decimals, bool trim = false);

/// "2×10⁻⁷", "10⁶": the mantissa has `digits` significant digits and is omitted if it is 1.
std::string power_of_ten(double value, int digits);

}  // namespace kwb::plot
