// SPDX-License-Identifier: Apache-2.0
#include "gui/shell.hpp"

#include "base/version.hpp"

namespace kwb::gui {
namespace {

/// A full-width strip of the window without border and scrolling.
class Strip : Scope {
public:
    Strip(const char* id, float height) {
        ImGui::PushStyleColor(ImGuiCol_ChildBg, colors().window.vec());
        ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0.0f);
        compat::begin_child(id, {0, height}, false,
                            ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        ImGui::PopStyleVar();
        ImGui::PopStyleColor();
    }
    ~Strip() { ImGui::EndChild(); }
};

const char* other_theme_icon() {
    return look().theme() == Theme::Dark ? kIconSun : kIconMoon;
}

/// Centres the next item, of this height, vertically in the strip.
void center_vertically(float strip_height, float item_height) {
    ImGui::SetCursorPosY((strip_height - item_height) / 2);
}

}  // namespace

void Shell::draw() {
    begin_frame();
    mend_keyboard();
    look().tab_order().begin_frame();
    handle_keys();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(tokens().gap, 0));
    ImGui::Begin("shell", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(3);  // popups and tooltips opened from here use the style's padding and border
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().gap_small, 0));
    draw_heading();
    {
        const Strip body("shell/body", size.y - tokens().heading_height - tokens().status_height);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().gap_small, tokens().gap_small));
        draw_body();
        ImGui::PopStyleVar();
    }
    draw_status();
    ImGui::PopStyleVar();
    draw_overlays();
    ImGui::End();
    look().tab_order().end_frame();
    end_frame();
}

void Shell::handle_keys() {
    Look& current = look();
    if (pressed(Action::ScaleUp, true)) current.step_scale(+1);
    if (pressed(Action::ScaleDown, true)) current.step_scale(-1);
    if (pressed(Action::ScaleReset)) current.set_scale(1);
    if (pressed(Action::FullScreen)) toggle_full_screen();
    if (pressed(Action::Quit) && may_close()) ends_ = true;
}

void Shell::draw_theme_button() {
    if (button("shell/theme", other_theme_label(), {.icon = other_theme_icon()})) switch_theme();
}

float Shell::theme_button_width() {
    return button_width(other_theme_label(), other_theme_icon());
}

const char* Shell::other_theme_label() {
    return look().theme() == Theme::Dark ? "Light theme" : "Dark theme";
}

void Shell::switch_theme() {
    look().set_theme(look().theme() == Theme::Dark ? Theme::Light : Theme::Dark);
}

void Shell::draw_heading() {
    const Strip strip("shell/heading", tokens().heading_height);
    constexpr const char* kName = "Kernel Workbench";
    const float width = width_of(kName, fonts().title);
    if (ImGui::GetWindowWidth() - width - tokens().gap >= tools_width()) {
        center_vertically(tokens().heading_height, compat::size_of(*fonts().title));
        text("shell/name", kName, {.font = fonts().title});
        ImGui::SameLine(0, tokens().gap);
    }
    center_vertically(tokens().heading_height, ImGui::GetFrameHeight());
    draw_tools(ImGui::GetWindowWidth() - ImGui::GetCursorPosX());
}

void Shell::draw_status() {
    const Strip strip("shell/status", tokens().status_height);
    const FontScope font(fonts().small);
    const TextOptions muted = {.tone = Tone::Muted, .font = fonts().small};
    center_vertically(tokens().status_height, ImGui::GetFontSize());
    const std::string right =
        std::to_string(static_cast<int>(look().scale() * 100 + 0.5f)) + " %   kwb " + kwb_version();
    const float room = ImGui::GetWindowWidth() - ImGui::CalcTextSize(right.c_str()).x - 2 * tokens().gap;
    text("shell/state", shortened(status(), room), muted);
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowWidth() - ImGui::CalcTextSize(right.c_str()).x);
    center_vertically(tokens().status_height, ImGui::GetFontSize());
    text("shell/version", right, muted);
}

}  // namespace kwb::gui
