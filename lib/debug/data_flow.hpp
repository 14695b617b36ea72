// SPDX-License-Identifier: Apache-2.0
// Follows a stored value back to the elements of buffers that it was computed from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

#include "debug/player.hpp"

namespace kwb::debug {

/// What the lines have read that computed a value, and those that computed what they read, and so on. A line
/// counts with all that it reads (an index, a condition), and so do the functions that it calls and the other
/// lines of its statement. So what is missing here has had no part in the value, except through conditions
/// of other lines, while not everything that is here must have had one.
struct ReadsBehind {
    /// By number of the region: elements that nothing in the recording had stored before, and how often each
    /// was read.
    std::map<std::size_t, std::map<std::uint64_t, std::uint32_t>> elements;
    bool is_complete = true;  ///< false: it leads to an asynchronous copy, or it became too much
};

/// @param store           an event that stores
/// @param ends_statement  whether a line's last word ends a statement or a block, or begins one
ReadsBehind reads_behind(const Player& player, std::uint32_t store,
                         const std::function<bool(const XrayPlace&)>& ends_statement);

}  // namespace kwb::debug
