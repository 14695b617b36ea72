// SPDX-License-Identifier: Apache-2.0
// The stores of a recording by what they store to, under names that two recordings have in common.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "debug/same_values.hpp"

namespace kwb::debug {

/// A variable of a work-item, or with kGroupCopy an element of memory that the work-items share.
struct StoredPlace {
    std::string name;          ///< a buffer as the problem calls it, or a function and its variable
    std::uint64_t offset = 0;  ///< bytes, in a buffer
    std::uint32_t item = kGroupCopy;

    bool is_element() const { return item == kGroupCopy; }
    friend auto operator<=>(const StoredPlace&, const StoredPlace&) = default;
};

/// What an event stores to one variable or element.
struct StoredPart {
    std::uint32_t event = 0;
    std::uint32_t offset = 0;  ///< in the event
    std::uint32_t bytes = 0;
    std::uint32_t type = kUnknownType;
};

struct PlaceStores {
    std::string shown;  ///< "sum", "a[0][14]"; empty: an element of a buffer, see name_of_element()
    std::vector<StoredPart> parts;
};

/// @param has_variables  false: only elements of the problem's buffers
std::map<StoredPlace, PlaceStores> stores_by_place(const RecordedSide& side, bool has_variables);

std::string_view bytes_of(const Player& player, const StoredPart& part);

/// "C[4]", "C[4] ([1][0])"; empty: the side has no such buffer
std::string name_of_element(const RecordedSide& side, const StoredPlace& element, std::uint64_t bytes);

}  // namespace kwb::debug
