// Controls in rows: beside each other while there is room, else in the next row.
#pragma once

#include "gui/imgui_compat.hpp"

namespace kwb::gui {

/// The next item, of this width, goes beside the last one if it fits there. Not before the first one.
inline void flow_next(float width, float gap = -1) {
    const float spacing = gap < 0 ? ImGui::GetStyle().ItemSpacing.x : gap;
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    if (ImGui::GetItemRectMax().x + spacing + width <= right) ImGui::SameLine(0, spacing);
}

}  // namespace kwb::gui
