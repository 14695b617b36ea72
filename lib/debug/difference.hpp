// SPDX-License-Identifier: Apache-2.0
// Where two recorded work-groups part: of two versions of a kernel, or of two kernels of the same problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "debug/moves.hpp"
#include "debug/player.hpp"

namespace kwb::debug {

/// A store that the other recording does not have, or that has another value there.
struct Difference {
    std::string name;         ///< as text_of(): "sum", "a[0][14]"
    std::string here, there;  ///< values; empty: it is not stored there once more
    std::string here_line, there_line;
    std::uint32_t item = 0;  ///< local linear id, or kGroupCopy
    /// Before the line that stores it; if this recording lacks the store, before the last line up to which
    /// the work-item has stored the same in both.
    Moment moment;
    std::uint64_t event = 0;  ///< its number in the group, by which they are in order
};

struct Comparison {
    std::string with;           ///< the other kernel, for the person
    bool is_part = false;       ///< at least one of the groups does more than is recorded
    bool has_variables = true;  ///< false: only what both store last to elements of buffers was compared
    std::size_t compared = 0;   ///< variables and elements that both store to
    std::vector<Difference> differences;  ///< in the order of their events
};

/// A recording, and what the problem calls the buffers that are its first regions.
struct RecordedSide {
    const Player& player;
    const std::vector<std::string>& buffers;
};

/// If both have the same launch and most variables have the same names, what each work-item stores to each
/// variable is compared, in order, and so are elements of local and global memory; each is listed once, with
/// its first difference. Else only what both store last to each element of a buffer counts.
/// Floating-point numbers that differ by no more than rounding count as equal.
Comparison compare(const RecordedSide& ours, const RecordedSide& theirs, std::string with);

/// The next one behind a moment. @param whose  WorkItem: only of that work-item
const Difference* next_difference(const Comparison& comparison, const Player& ours, Moment moment,
                                  Whose whose);

/// A line for each difference at this moment: "sum differs from matmul/tiled in work-item (0, 0): line 53
/// stores -33, there line 53 stores -21."
std::string differences_text(const Comparison& comparison, Moment moment, const Recording& ours);
/// Of a comparison without differences.
std::string no_difference_text(const Comparison& comparison);

}  // namespace kwb::debug
