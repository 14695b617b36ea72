// SPDX-License-Identifier: Apache-2.0
// A grid of values, coloured by their size: of an expression in all work-items, or of memory.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gui/widgets.hpp"

namespace kwb::gui {

struct ValueCell {
    std::string text;                   ///< drawn where there is room
    std::optional<double> number = {};  ///< nullopt: the cell has no colour
    bool is_faded = false;              ///< there is no value
    ImU32 outline = 0;                  ///< 0: none
};

/// Draws into at most this width, with cells wide enough for their texts if possible.
/// @param cells    row-major
/// @param columns  at least 1
UsedCells draw_value_grid(std::string_view id, std::span<const ValueCell> cells, std::size_t columns,
                          float width);

}  // namespace kwb::gui
