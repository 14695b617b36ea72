#include "judge/reference/error_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace kwb {

double gamma_bound(double n) {
    constexpr double kUnitRoundoff = 0x1p-24;
    expects(n >= 1 && n <= 0x1p23, "gamma_bound: n out of range");
    return n * kUnitRoundoff / (1 - n * kUnitRoundoff);
}

double random_sum_bound(double n, double magnitudes) {
    expects(n >= 1 && magnitudes >= 0, "random_sum_bound: n or magnitudes out of range");
    constexpr double kUnitRoundoff = 0x1p-24;
    constexpr double kSafety = 8;
    const double likely = kSafety * kUnitRoundoff * n / std::sqrt(6.0);
    constexpr double kLongest = 0x1p23;  // gamma_bound is valid up to this
    const double worst = n <= kLongest ? gamma_bound(n) * magnitudes : likely;
    return std::max(std::min(likely, worst), 0x1p-126);
}

}  // namespace kwb
