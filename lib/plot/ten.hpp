// Decimal notation: the small parts from which numbers and tick labels are made.
#pragma once

#include <string>

namespace kwb::plot {

/// @param decimals  0 … 17
/// @param trim      drop zeros at the end of the fraction
std::string fixed(double value, int decimals, bool trim = false);

/// "2×10⁻⁷", "10⁶": mantissa with `digits` significant digits, left out if it is 1.
std::string power_of_ten(double value, int digits);

}  // namespace kwb::plot
