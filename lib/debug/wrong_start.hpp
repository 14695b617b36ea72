// SPDX-License-Identifier: Apache-2.0
// Where to begin in the recording of a wrong element.
#pragma once

#include <optional>
#include <string>

#include "debug/player.hpp"
#include "model/result.hpp"
#include "model/xray.hpp"

namespace kwb::debug {

struct WrongStart {
    Moment moment;
    std::optional<std::uint32_t> store = {};  ///< the last store to the element: event
};

/// At the last store to the element; if none is recorded, the work-item whose global id is the element's
/// index, if it is in the group.
/// @param report  of the recorded run
WrongStart find_wrong_start(const Player& player, const XrayReport& report, const WrongElement& wrong);

/// "C[0][0] is wrong at size 16: expected -21, got -33", and how often it is stored unless that is once.
/// @param recording  nullptr: nobody's
std::string wrong_sentence(const WrongElement& wrong, const XrayReport& report, const Recording* recording,
                           const std::string& size);

}  // namespace kwb::debug
