// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/cells.hpp"

#include <algorithm>
#include <string>

#include "gui/probe.hpp"
#include "plot/count_map.hpp"

namespace kwb::gui {

void fill_cell(const plot::Rect& cell, ImU32 color) {
    constexpr float kLeast = 1.5f;  // pixels
    ImGui::GetWindowDrawList()->AddRectFilled(
        {cell.x, cell.y}, {cell.x + std::max(cell.width, kLeast), cell.y + std::max(cell.height, kLeast)},
        color);
}

bool press_area(std::string_view id, const plot::Rect& area) {
    ImGui::SetCursorScreenPos({area.x, area.y});
    const bool pressed = ImGui::InvisibleButton(("##" + std::string(id)).c_str(), {area.width, area.height});
    probe(id, {.container = true});
    compat::draw_focus_ring({{area.x, area.y}, {area.right(), area.bottom()}}, ImGui::GetItemID());
    return pressed;
}

UsedCells press_cells(std::string_view id, const plot::Rect& area, std::size_t rows, std::size_t columns) {
    const bool pressed = press_area(id, area);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto pointed = plot::cell_at(area, rows, columns, {mouse.x, mouse.y});
    UsedCells used;
    if (ImGui::IsItemHovered()) used.hovered = pointed;
    if (pressed) used.pressed = pointed.value_or(0);  // by the keyboard
    return used;
}

}  // namespace kwb::gui
