// SPDX-License-Identifier: Apache-2.0
// Moving panels, by their menu or by dragging, and saved layouts.
#include <utility>

#include "base/text.hpp"
#include "gui/fields.hpp"
#include "gui/workspace.hpp"

namespace kwb::gui {
namespace {

constexpr std::size_t kMostLayoutName = 60;  ///< bytes

}  // namespace

std::vector<Area> Workspace::areas() const {
    if (presents_) return {};
    return areas_of(body_size_.x, body_size_.y);
}

void Workspace::move_panel(Panel panel, const Area& to) {
    const std::string key = place_key(body_size_.x, body_size_.y, panel);
    change_settings([key, area = std::string(to.name), is_usual = to.has(panel)](Settings& kept) {
        if (is_usual)
            std::erase_if(kept.areas, [&](const auto& place) { return place.name == key; });
        else
            put_named(kept.areas, key, area);
    });
    remember_front(to, panel);
}

const Area* Workspace::area_with(Panel panel) const {
    for (const auto& column : arrangement_)
        for (const Area& area : column)
            if (area.has(panel)) return &area;
    return nullptr;
}

/// Call after a panel's tab or title: a drag moves it, the right button opens its menu.
/// @param rect  of the tab or title on the screen
void Workspace::take_hold(Panel panel, const ImRect& rect) {
    if (areas().size() < 2 || !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) ||
        !rect.Contains(ImGui::GetIO().MousePos))
        return;
    if (ImGui::IsMouseClicked(0)) held_ = panel;
    if (ImGui::IsMouseClicked(1)) opens_move_menu_of_ = panel;
}

/// Marks the area where a panel that is being dragged would be dropped, and drops it.
void Workspace::drag_panel() {
    if (!held_) return;
    const Area* const from = area_with(*held_);
    // An area without panels has no room on the screen: only the menu leads there.
    std::optional<AreaOnScreen> target;
    if (ImGui::IsMouseDragging(0) || ImGui::IsMouseReleased(0))
        for (const AreaOnScreen& area : on_screen_)
            if (from != nullptr && area.name != from->name && area.rect.Contains(ImGui::GetIO().MousePos))
                target = area;
    if (ImGui::IsMouseDown(0)) {
        if (!ImGui::IsMouseDragging(0)) return;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (!target) return;
        ImDrawList& list = *ImGui::GetForegroundDrawList();
        const float round = tokens().rounding_card;
        list.AddRectFilled(target->rect.Min, target->rect.Max, colors().accent.with_alpha(0.2f).u32(), round);
        list.AddRect(target->rect.Min, target->rect.Max, colors().accent.u32(), round, 0, tokens().hair);
        probe_rect("workspace/drop", target->rect, {.container = true});
        return;
    }
    if (target)
        for (const Area& area : areas())
            if (area.name == target->name) move_panel(*held_, area);
    held_.reset();
}

void Workspace::draw_move_menu() {
    if (opens_move_menu_of_) {
        move_menu_of_ = *std::exchange(opens_move_menu_of_, std::nullopt);
        ImGui::OpenPopup("workspace/move/menu");
    }
    ImGui::SetNextWindowSizeConstraints({16 * ImGui::GetFontSize(), 0}, ImGui::GetIO().DisplaySize);
    const Popup popup("workspace/move/menu");
    if (!popup.open) return;
    const Area* const from = area_with(move_menu_of_);
    field_label("workspace/move/label", "Move " + std::string(title_of(move_menu_of_)) + " to");
    for (const Area& area : areas()) {
        const bool is_there = from != nullptr && from->name == area.name;
        if (option("workspace/move/" + std::string(area.name), ticked(is_there, area.title)) && !is_there)
            move_panel(move_menu_of_, area);
    }
    ImGui::Separator();
    if (option("workspace/move/hide", "Hide it", {.remark = "View shows it again"}))
        show(move_menu_of_, false);
}

/// The menu of layouts: the place of each panel, and saved layouts.
void Workspace::draw_layouts_menu(ImVec2 right_top) {
    ImGui::SetNextWindowPos(right_top, ImGuiCond_Always, {1, 0});
    const float width = 20 * ImGui::GetFontSize();
    ImGui::SetNextWindowSizeConstraints({width, 0}, ImGui::GetIO().DisplaySize);
    const Popup popup("workspace/layouts/menu");
    if (!popup.open) return;
    field_label("workspace/places/label", "Panel positions");
    draw_places();
    ImGui::Separator();
    field_label("workspace/layouts/label", "Layouts");
    if (option("workspace/layout/standard", "Standard", {.remark = "as at first start"}))
        change_settings([](Settings& kept) { apply_layout(kept, {}); });
    const NamedList<PanelLayout>& layouts = state().settings.layouts;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        const std::string id = "workspace/layout/" + std::to_string(i);
        const std::string cross = "\u00d7";
        const float room = ImGui::GetContentRegionAvail().x - button_width(cross) - tokens().gap_small;
        ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
        const bool chosen = button(id, shortened(layouts[i].name, room - 2 * tokens().control_padding_x),
                                   {.kind = ButtonKind::Quiet, .width = room, .tooltip = layouts[i].name});
        ImGui::PopStyleVar();
        if (chosen) {
            change_settings([layout = layouts[i].value](Settings& kept) { apply_layout(kept, layout); });
            ImGui::CloseCurrentPopup();
        }
        ImGui::SameLine(0, tokens().gap_small);
        if (button(id + "/forget", cross, {.kind = ButtonKind::Quiet, .tooltip = "Forget this layout"}))
            change_settings([name = layouts[i].name](Settings& kept) {
                std::erase_if(kept.layouts, [&](const auto& layout) { return layout.name == name; });
            });
    }
    draw_save_layout();
}

void Workspace::draw_places() {
    const std::vector<Area> all = areas();
    if (all.size() < 2)
        return remark("workspace/places/none", "The window is too narrow for panels side by side.");
    const float label = 7 * ImGui::GetFontSize();
    for (const Panel panel : kAllPanels) {
        const Area* const from = area_with(panel);
        if (from == nullptr) continue;
        const float begin = ImGui::GetCursorPosX();
        text("workspace/place/" + name_of(panel) + "/label", title_of(panel), {.in_row = true});
        ImGui::SameLine();
        ImGui::SetCursorPosX(begin + label);
        const Combo combo("workspace/place/" + name_of(panel), from->title,
                          {.tooltip = "You can also drag its tab or title, or right-click it"});
        if (!combo.open) continue;
        for (const Area& area : all)
            if (option("workspace/place/" + name_of(panel) + "/" + std::string(area.name), area.title,
                       {.chosen = area.name == from->name}))
                move_panel(panel, area);
    }
}

/// The name of an existing layout replaces that layout.
void Workspace::draw_save_layout() {
    const std::string label = "Save";
    const TextFieldState typed = text_field(
        "workspace/layout/name", layout_name_,
        {.hint = "Name of this layout", .width = -(button_width(label, kIconSave) + tokens().gap_small)});
    ImGui::SameLine(0, tokens().gap_small);
    const std::string name(trim(layout_name_));
    const NamedList<PanelLayout>& layouts = state().settings.layouts;
    const bool is_known = find_named(layouts, name) != nullptr;
    const bool is_full = !is_known && layouts.size() >= kMostLayouts;
    const bool fits = !name.empty() && name.size() <= kMostLayoutName && !is_full;
    const std::string why = is_full ? std::to_string(kMostLayouts) + " layouts are saved; forget one first"
                            : name.empty()                  ? "Type a name first"
                            : name.size() > kMostLayoutName ? "The name is too long"
                            : is_known                      ? "Replaces the layout of this name"
                                                            : "Save this layout under this name";
    const bool saves =
        button("workspace/layout/save", label, {.icon = kIconSave, .enabled = fits, .tooltip = why});
    if (!fits || (!saves && !typed.entered)) return;
    change_settings([=](Settings& kept) { put_named(kept.layouts, name, layout_of(kept)); });
    layout_name_.clear();
}

}  // namespace kwb::gui
