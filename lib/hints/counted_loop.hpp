// For loops whose counter takes values that the text tells.
#pragma once

#include <cstdint>
#include <optional>

#include "hints/values.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

/// Greater numbers are not followed, so that sums and products of a few do not overflow.
inline constexpr std::int64_t kMostCounted = std::int64_t{1} << 31;

/// The values of a counter, all at most kMostCounted away from 0.
struct CountedLoop {
    SymbolId counter = kNone;
    bool runs = false;                 ///< false: not even one round; then `first` and `last` say nothing
    std::int64_t first = 0, last = 0;  ///< in the first and the last round; last < first: it counts down
};

/// Read `for (int k = 0; k < 16; ++k)`: start, end and step are constants; < <= > >= !=, either way round;
/// ++, --, +=, -= and k = k + 1. Whether the body leaves the counter alone is not looked at.
/// @param id  a for loop
std::optional<CountedLoop> read_counted_loop(const Values& values, StatementId id);

/// Does the loop's body store to the counter or take its address?
bool body_changes(const Program& program, StatementId loop, SymbolId counter, Steps& steps);

}  // namespace kwb::hints
