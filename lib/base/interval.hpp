// SPDX-License-Identifier: Apache-2.0
// A closed interval of real numbers.
#pragma once

namespace kwb {

/// [low, high]: confidence interval of a measured value. The confidence level is documented where it is used.
struct Interval {
    double low = 0;
    double high = 0;

    bool contains(double value) const { return low <= value && value <= high; }
    friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace kwb
