// SPDX-License-Identifier: Apache-2.0
// Where to begin in the recording of a wrong element, or of undefined behaviour, and what to tell first.
#pragma once

#include <optional>
#include <string>

#include "base/named.hpp"
#include "debug/moves.hpp"
#include "debug/player.hpp"
#include "debug/wrong_words.hpp"
#include "model/problem.hpp"
#include "model/result.hpp"
#include "model/xray.hpp"

namespace kwb::debug {

/// A recorded run whose outputs were compared.
struct WrongRun {
    const Player& player;
    const XrayReport& report;
    const WrongElement& wrong;
    const ProblemInstance& instance;
    bool is_shipped = true;                 ///< the problem, so that what its elements need is known
    std::string size;                       ///< as text
    const NamedList<std::string>& sources;  ///< of the kernel's files, its own one without a name
    TurnTo turn = {};                       ///< as for Moves::turn_with()
};

struct WrongStart {
    Moment moment;
    std::optional<std::uint32_t> store = {};  ///< the last store to the element: event
    std::string text = {};                    ///< lines: what is wrong, and what was never read for it
};

/// At the last store to the element; if none is recorded, the work-item whose global id is the element's
/// index, if it is in the group.
WrongStart find_wrong_start(const WrongRun& run);

/// Where the work-item does what is undefined.
Moment moment_of_undefined(const Player& player, const UndefinedPlace& place);

}  // namespace kwb::debug
