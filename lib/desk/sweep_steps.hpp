// Which sizes a sweep goes over.
#pragma once

#include <cstdint>
#include <vector>

#include "desk/choices.hpp"

namespace kwb {

struct SweepRange {
    std::int64_t from = 1;
    std::int64_t to = 1;  ///< not below `from`
    friend bool operator==(const SweepRange&, const SweepRange&) = default;
};

/// As chosen: the ends of Choices::sweep_edges, if there are any. Where no end is: the power of two at or
/// below the largest of the chosen sizes, or 512 if those are smaller. Where no beginning is: six times half
/// of the end, but not below 16.
SweepRange sweep_range(const Choices& choices);

/// What every button that begins a sweep measures: Choices::sweep_edges, else from the beginning on, each
/// twice the one before, and the end itself.
/// @return  ascending, 1 … kMostSweepSizes edges
std::vector<std::int64_t> sweep_steps(const Choices& choices);

}  // namespace kwb
