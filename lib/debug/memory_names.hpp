// SPDX-License-Identifier: Apache-2.0
// Finds what the source calls the memory that an access has touched, and writes what it held.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "debug/player.hpp"

namespace kwb::debug {

/// A variable, element, member or component.
struct NamedMemory {
    std::string name;  ///< "sum", "tile[3][4]", "range.end", "v.x"; empty: the source has none
    std::uint32_t type = kUnknownType;
    std::string index = {};  ///< "[1][0]" of an element of a buffer with several dimensions
};

/// @param frame  the call in which it is accessed. A caller's variable is named as "history[3] of f"
NamedMemory name_memory(const Player& player, std::uint64_t address, std::uint64_t bytes, Moment moment,
                        std::uint32_t frame);

/// The name of so many bytes from there on: "C[4]", "C[4 … 7]", "C[4] ([1][0])".
std::string text_of(const NamedMemory& memory, std::uint64_t bytes, const Recording& recording);

/// One value of this type, or several next to each other: "1, 2, 3, 4".
/// @param unset  as in MemoryBytes
std::string values_text(const Recording& recording, std::uint32_t type, std::string_view bytes,
                        std::string_view unset = {});

}  // namespace kwb::debug
