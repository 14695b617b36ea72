// SPDX-License-Identifier: Apache-2.0
// Parts of a group's record that is too long for one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "model/recording.hpp"
#include "model/xray.hpp"

namespace kwb::debug {

/// A part of a group's record: the one that has an event, or the first one in which a work-item has begun.
struct WantedPart {
    static constexpr std::uint64_t kLast = UINT64_MAX;
    std::uint64_t event = kLast;  ///< its number in the group; kLast: the last part
    std::optional<std::uint32_t> item = {};
};
/// Shows a part in the player. @return  empty, or a sentence: why it could not
using TurnTo = std::function<std::string(const WantedPart& wanted)>;

/// @param what  the options of the first part. A later one has more time: the group may run from its
/// beginning
XrayOptions options_for_part(XrayOptions what, const WantedPart& wanted);

/// @param part  nullptr: nothing was recorded in time
bool is_wanted_part(const Recording* part, const WantedPart& wanted);

}  // namespace kwb::debug
