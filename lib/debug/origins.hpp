// SPDX-License-Identifier: Apache-2.0
// Where values come from: what a line reads, who stored that, and what a store changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "debug/player.hpp"

namespace kwb::debug {

/// A variable or an element of memory, as seen in a call of a function.
struct NamedMemory {
    std::string name;  ///< "sum", "tile[3][4]"; empty: it has none
    std::uint32_t type = kUnknownType;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};
NamedMemory name_memory(const Player& player, std::uint64_t address, Moment moment, std::uint32_t frame);

/// A value that a line reads.
struct Origin {
    NamedMemory memory;
    MemoryBytes value;
    enum class From {
        Store,         ///< by `store`
        Argument,      ///< of the function; `store` is the copy that the function makes first
        BeforeLaunch,  ///< set before the launches
        Unknown        ///< nothing has stored it in this recording
    };
    From from = From::Unknown;
    std::optional<std::uint32_t> store = {};  ///< event
};

/// What the step reads but for pointers, each once, in the order of the accesses; variables last.
/// @param moment  not the end of the work-item
std::vector<Origin> origins_of(const Player& player, Moment moment);

struct Store {
    NamedMemory memory;       ///< whose type has another size than the event: it stores a part, or several
    std::string before, now;  ///< values; "no value yet"; empty: of a part
};
/// @param event  that stores
Store store_of(const Player& player, std::uint32_t event);

/// "7", "not set yet", "not recorded"
/// @param most  as in value_text()
std::string memory_text(const Recording& recording, std::uint32_t type, const MemoryBytes& value,
                        std::size_t most);

}  // namespace kwb::debug
