#include "judge/reference/gamma_bound.hpp"

#include "base/error.hpp"

namespace kwb {

double gamma_bound(double n) {
    constexpr double kUnitRoundoff = 0x1p-24;
    expects(n >= 1 && n <= 0x1p23, "gamma_bound: n out of range");
    return n * kUnitRoundoff / (1 - n * kUnitRoundoff);
}

}  // namespace kwb
