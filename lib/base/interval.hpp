// A closed range of numbers.
#pragma once

namespace kwb {

struct Interval {
    double low = 0;
    double high = 0;

    friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace kwb
