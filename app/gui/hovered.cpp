// SPDX-License-Identifier: Apache-2.0
#include "gui/hovered.hpp"

#include <utility>

#include "gui/widgets.hpp"

namespace kwb::gui {

void Hovered::link_last(std::size_t slot) {
    constexpr int kTint = 45;  // of 255; texts remain readable
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) point_at(slot);
    if (lit_ == slot)
        ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                                  series_color(slot, kTint), tokens().rounding);
}

void Hovered::end_frame() {
    if (next_ != lit_) look().want_frame();
    lit_ = std::exchange(next_, {});
}

}  // namespace kwb::gui
