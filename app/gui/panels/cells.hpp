// SPDX-License-Identifier: Apache-2.0
// Grids of cells, drawn to scale, that can be clicked.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "gui/imgui_compat.hpp"
#include "plot/canvas.hpp"

namespace kwb::gui {

/// A cell narrower than a pixel stays visible.
void fill_cell(const plot::Rect& cell, ImU32 color);

/// An invisible item over what is drawn. @return  true if it was pressed
bool press_area(std::string_view id, const plot::Rect& area);

/// The same over a grid of cells.
struct UsedCells {
    std::optional<std::size_t> hovered, pressed;
};
UsedCells press_cells(std::string_view id, const plot::Rect& area, std::size_t rows, std::size_t columns);

}  // namespace kwb::gui
