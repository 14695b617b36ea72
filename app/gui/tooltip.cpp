// SPDX-License-Identifier: Apache-2.0
#include "gui/tooltip.hpp"

#include <algorithm>
#include <cmath>

namespace kwb::gui {
namespace {

/// What an arrow of this size at the pointer covers.
ImRect around_pointer() {
    const ImVec2 at = ImGui::GetIO().MousePos;
    const float side = ImGui::GetFontSize();
    return {at.x - side / 2, at.y - side / 2, at.x + side, at.y + side};
}

}  // namespace

ImVec2 place_tooltip(ImVec2 size, const TooltipRoom& room) {
    const auto& [about, list, answer, left, screen] = room;
    const float gap = tokens().hair;
    const auto inside = [](float at, float length, float most) {
        return std::max(0.0f, std::min(at, most - length));
    };
    const float x = inside(left, size.x, screen.x), y = inside(about.Min.y, size.y, screen.y);
    const float under_answer = answer.Max.y + gap, right = about.Max.x + gap,
                beside = about.Min.x - gap - size.x;
    const ImVec2 below = {x, about.Max.y + gap};
    const bool is_in_way = ImRect(below, {below.x + size.x, below.y + size.y}).Overlaps(answer);
    const auto fits = [&](ImVec2 place, const ImRect& explained) {
        const ImRect box(place.x, place.y, place.x + size.x, place.y + size.y);
        return ImRect({0, 0}, room.screen).Contains(box) && !box.Overlaps(explained) &&
               !box.Overlaps(room.answer);
    };
    const ImVec2 around_list[] = {{list.Max.x + gap, y},
                                  {list.Min.x - gap - size.x, y},
                                  {x, list.Max.y + gap},
                                  {x, list.Min.y - gap - size.y}};
    const bool has_list = list.GetWidth() > 0 && list.GetHeight() > 0;
    for (const ImVec2 place : around_list)
        if (has_list && fits(place, list)) return place;
    const ImVec2 places[] = {below,
                             is_in_way ? ImVec2(x, under_answer) : below,
                             {x, about.Min.y - gap - size.y},
                             {right, y},
                             {right, under_answer},
                             {beside, y},
                             {beside, under_answer}};
    for (const ImVec2 place : places)
        if (fits(place, about)) return place;
    return {below.x, inside(below.y, size.y, screen.y)};
}

ImRect current_list() {
    const ImGuiWindow& window = *GImGui->CurrentWindow;
    const bool is_popup = (window.Flags & (ImGuiWindowFlags_Popup | ImGuiWindowFlags_Modal)) ==
                          static_cast<ImGuiWindowFlags>(ImGuiWindowFlags_Popup);
    return is_popup ? window.Rect() : compat::current_table_rect();
}

bool explains_last_item() {
    return ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) &&
           !(compat::keyboard_hovers() && look().tab_order().hides_help());
}

ImRect explained_part() {
    constexpr float kTall = 4;  // lines
    const ImRect item(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (compat::keyboard_hovers() || item.GetHeight() <= kTall * ImGui::GetFontSize()) return item;
    return around_pointer();
}

float tooltip_width(float wanted) {
    return std::min(wanted, ImGui::GetIO().DisplaySize.x - 2 * ImGui::GetStyle().WindowPadding.x);
}

Tooltip::Tooltip(const ImRect& about, std::optional<ImVec2> content, const ImRect& list) {
    ImGuiContext& context = *GImGui;
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    ImVec2 size = {0, 0};
    if (content) {
        size = {std::ceil(content->x) + 2 * padding.x, std::ceil(content->y) + 2 * padding.y};
        // Otherwise ImGui uses the size of the previous frame's content.
        ImGui::SetNextWindowSize(size);
    } else if (const ImGuiWindow* last = ImGui::FindWindowByName("##Tooltip_00"); last != nullptr) {
        size = last->Size;
    }
    const float left = compat::keyboard_hovers() ? about.Min.x : context.IO.MousePos.x;
    ImGui::SetNextWindowPos(place_tooltip(size, {.about = about,
                                                 .list = list,
                                                 .answer = look().answer(),
                                                 .left = left,
                                                 .screen = context.IO.DisplaySize}));
    ImGui::BeginTooltip();
}

}  // namespace kwb::gui
