// For loops whose counter has constant bounds.
#pragma once

#include <cstdint>
#include <optional>

#include "hints/values.hpp"

namespace kwb::hints {

/// Larger numbers are not evaluated, so that sums and products of a few of them do not overflow.
inline constexpr std::int64_t kMostCounted = std::int64_t{1} << 31;

/// The range of a counter; all values are within kMostCounted of 0.
struct CountedLoop {
    SymbolId counter = kNone;
    bool runs = false;  ///< false: no iteration at all; then `first` and `last` are meaningless
    /// Values in the first and the last iteration; last < first: it counts down.
    std::int64_t first = 0, last = 0;
};

/// Analyzes loops such as `for (int k = 0; k < 16; ++k)`: start, end and step are constants; < <= > >= !=,
/// with the counter on either side; ++, --, +=, -= and k = k + 1. Does not check whether the body changes the
/// counter.
/// @param id  a for loop
std::optional<CountedLoop> read_counted_loop(const Values& values, StatementId id);

/// True if the loop's body stores to the counter or takes its address.
bool body_changes(const Values& values, StatementId loop, SymbolId counter);

}  // namespace kwb::hints
