// The right side of the workspace's heading bar: what is shown, keys, theme.
#include <string>
#include <string_view>

#include "gui/fields.hpp"
#include "gui/key_table.hpp"
#include "gui/look.hpp"
#include "gui/workspace.hpp"

namespace kwb::gui {
namespace {

constexpr const char* kView = "View";
constexpr const char* kKeysPanel = "Keys";

/// A sign before what is shown, as much room before what is not.
std::string checked(bool is_shown, std::string_view label) {
    const std::string sign = "\u2713  ";
    if (is_shown) return sign + std::string(label);
    std::string room;
    while (ImGui::CalcTextSize(room.c_str()).x < ImGui::CalcTextSize(sign.c_str()).x) room += ' ';
    return room + std::string(label);
}

float view_width() {
    return button_width(kView, kIconColumns);
}

float keys_width() {
    return button_width(kKeysPanel, kIconKeyboard) + ImGui::GetStyle().ItemSpacing.x;
}

}  // namespace

Workspace::Tools Workspace::tools_for(float room) const {
    // What the subject needs stands back for nothing but View.
    const float subject = 12 * ImGui::GetFontSize();
    const float theme = theme_button_width() + ImGui::GetStyle().ItemSpacing.x;
    if (room >= subject + view_width() + keys_width() + theme) return Tools::All;
    if (room >= subject + view_width() + keys_width()) return Tools::NoTheme;
    return Tools::OnlyView;
}

float Workspace::tools_width(float room) const {
    float width = view_width();
    const Tools tools = tools_for(room);
    if (tools != Tools::OnlyView) width += keys_width();
    if (tools == Tools::All) width += theme_button_width() + ImGui::GetStyle().ItemSpacing.x;
    return width;
}

void Workspace::draw_tools(float room) {
    const Tools tools = tools_for(room);
    const float top = ImGui::GetCursorPosY();
    const auto next = [&] {
        ImGui::SameLine();
        ImGui::SetCursorPosY(top);
    };
    if (button("workspace/view", kView,
               {.icon = kIconColumns, .kind = ButtonKind::Quiet, .tooltip = "What is shown, and how large"}))
        ImGui::OpenPopup("workspace/view/menu");
    draw_view_menu({ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + look().tokens().hair});
    if (tools != Tools::OnlyView) {
        next();
        if (button("workspace/keys", kKeysPanel,
                   {.icon = kIconKeyboard, .kind = ButtonKind::Quiet, .tooltip = keys_of(Action::Keys)}))
            keys_.open();
    }
    if (tools == Tools::All) {
        next();
        draw_theme_button();
    }
}

/// Below its button, which stays to be seen.
void Workspace::draw_view_menu(ImVec2 right_top) {
    const float padding = look().tokens().gap_small;
    ImGui::SetNextWindowPos(right_top, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSizeConstraints({16 * ImGui::GetFontSize(), 0}, ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(padding, padding));
    if (ImGui::BeginPopup("workspace/view/menu")) {
        for (const Panel panel : kAllPanels) {
            const bool shown = is_shown(panel);
            if (option("workspace/view/" + std::string(name_of(panel)), checked(shown, title_of(panel)),
                       {.remark = keys_of(focus_action(panel))}))
                show(panel, !shown);
        }
        ImGui::Separator();
        const bool dark = look().theme() == Theme::Dark;
        if (option("workspace/view/theme", dark ? "Light theme" : "Dark theme"))
            look().set_theme(dark ? Theme::Light : Theme::Dark);
        if (option("workspace/view/larger", "Larger", {.remark = keys_of(Action::ScaleUp)}))
            look().step_scale(+1);
        if (option("workspace/view/smaller", "Smaller", {.remark = keys_of(Action::ScaleDown)}))
            look().step_scale(-1);
        if (option("workspace/view/full_screen", "Full screen", {.remark = keys_of(Action::FullScreen)}))
            toggle_full_screen();
        if (option("workspace/view/keys", "All keys", {.remark = keys_of(Action::Keys)})) keys_.open();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(2);
}

}  // namespace kwb::gui
