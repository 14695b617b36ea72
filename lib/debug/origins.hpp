// SPDX-License-Identifier: Apache-2.0
// Where values come from: what a line reads, who stored that, and what a store changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "debug/memory_names.hpp"
#include "debug/player.hpp"

namespace kwb::debug {

/// A value that a line reads.
struct Origin {
    std::string name;   ///< as text_of()
    std::string value;  ///< "7", "not set yet", "not recorded", "3 bytes"
    enum class From {
        Store,         ///< by `store`
        Declaration,   ///< `store` is where the variable comes into being, without a value
        Argument,      ///< of the function; `store` is the copy that the function makes first
        BeforeLaunch,  ///< set before the launches
        Earlier,       ///< of an earlier launch, or of another work-group
        Unknown        ///< nothing has stored it in this recording
    };
    From from = From::Unknown;
    std::optional<std::uint32_t> store = {};  ///< event
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

/// What the step reads, each once, in the order of the accesses; variables last. Pointer arguments are left
/// out: where they lead is in the names of what they are used for.
/// @param moment  not the end of the work-item
std::vector<Origin> origins_of(const Player& player, Moment moment);

struct Store {
    std::string name;             ///< as text_of(); empty: the source has none
    std::string before, now;      ///< values; "no value yet"; empty: it stores only a part of one
    bool is_declaration = false;  ///< the variable comes into being, without a value
};
/// @param event  that stores
Store store_of(const Player& player, std::uint32_t event);
/// "line 53 stores 7 to sum, which held 3"
std::string store_text(const Player& player, std::uint32_t event);
/// "53", "helper.h:7"
std::string line_text(const XrayPlace& place);

}  // namespace kwb::debug
