// A closed range of numbers.
#pragma once

namespace kwb {

/// [low, high]: what is known of a value that was measured, with the confidence that its owner states.
struct Interval {
    double low = 0;
    double high = 0;

    bool contains(double value) const { return low <= value && value <= high; }
    friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace kwb
