// How charts write numbers: done here and nowhere else.
#pragma once

#include <string>
#include <string_view>

#include "base/interval.hpp"

namespace kwb::plot {

/// A number for people: "0.05", "18.1", "1200", "12.3 k", "4.5 M", "2×10⁻⁷", "−3", "∞", "not a number".
/// @param digits  significant ones, 1 … 15; digits before the decimal point are never cut, zeros at the end
///                of the fraction are dropped
/// Below 10 000 as it is, above with k, M, G, T, P; below 0.001 and from 10^18 on as a power of ten.
std::string format_number(double value, int digits = 3);

/// A unit with its prefix changed, so that numbers have one to three digits before the decimal point.
struct ScaledUnit {
    double factor = 1;  ///< value in the old unit * factor = value in the new one
    std::string unit;
};

/// "ms" and 0.02 give "µs" and 1000. Known are seconds (ns, µs, ms, s), FLOP/s, B/s, and FLOP with the usual
/// prefixes; any other unit, and values that are 0 or not finite, stay as they are.
ScaledUnit choose_unit(std::string_view unit, double largest);

/// "ns", "µs", "ms" and "s" are.
bool is_time_unit(std::string_view unit);

/// "18.1 µs" for 0.0181 ms; without a unit as format_number().
std::string format_value(double value, std::string_view unit, int digits = 3);

/// "17.9 – 18.3 µs": both ends in one unit, with enough digits to differ.
std::string format_interval(const Interval& interval, std::string_view unit, int digits = 3);

// The parts of which numbers and tick labels are made.

/// @param decimals  0 … 17
/// @param trim      drop zeros at the end of the fraction
std::string fixed(double value, int decimals, bool trim = false);

/// "2×10⁻⁷", "10⁶": mantissa with `digits` significant digits, left out if it is 1.
std::string power_of_ten(double value, int digits);

}  // namespace kwb::plot
