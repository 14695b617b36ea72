// SPDX-License-Identifier: Apache-2.0
// Messages in the corner of the window.
#include <algorithm>

#include "base/text.hpp"
#include "gui/dialogs/modal.hpp"

namespace kwb::gui {
namespace {

struct NoticeLook {
    Tone tone;
    const char* icon;
    const char* title;
};

/// In the order of Notice::Kind.
constexpr NoticeLook kLooks[] = {{Tone::Accent, kIconInfo, "Note"},
                                 {Tone::Warning, kIconWarning, "Warning"},
                                 {Tone::Danger, kIconBad, "Error"}};

constexpr const char *kDismiss = "\u00d7", *kOpen = "Open";

constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysAutoResize;

void draw_notice(const Notice& notice, Commands& commands) {
    const auto& [tone, icon, title] = kLooks[static_cast<std::size_t>(notice.kind)];
    const std::string id = "notice/" + std::to_string(notice.number);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float open = notice.written.empty() ? 0 : button_width(kOpen) + tokens().hair;
    const float buttons = open + button_width(kDismiss), width = ImGui::GetContentRegionAvail().x;
    const Banner banner(id, tone, icon, title, notice.sentence);
    // The buttons stand at the right of the title.
    const ImVec2 below = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({corner.x + width - buttons, corner.y});
    if (open > 0) {
        if (button(id + "/open", kOpen,
                   {.kind = ButtonKind::Quiet, .tooltip = "With the desktop's program for such files"}))
            commands.emplace_back(command::OpenOutside{notice.written});
        ImGui::SameLine(0, tokens().hair);
    }
    if (button(id + "/dismiss", kDismiss, {.kind = ButtonKind::Quiet, .tooltip = "Dismiss (Esc)"}))
        commands.emplace_back(command::DismissNotice{notice.number});
    ImGui::SetCursorScreenPos(below);
}

}  // namespace

void draw_notices(const DeskState& state, Commands& commands) {
    if (state.notices.empty() || modal_is_open()) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float width = std::min(28 * compat::size_of(*fonts().body), window.x - 2 * tokens().gap);
    ImGui::SetNextWindowPos({window.x - tokens().gap, window.y - tokens().status_height - tokens().gap_small},
                            ImGuiCond_Always, {1, 1});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, window.y / 2});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, colors().popup.vec());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(tokens().hair, tokens().hair));
    ImGui::Begin("notices", nullptr, kFlags);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    constexpr std::size_t kFew = 3;
    if (state.notices.size() > kFew) {
        text("notice/count", counted(state.notices.size(), "notice"), {.tone = Tone::Muted, .in_row = true});
        ImGui::SameLine();
        align_right(button_width("Dismiss all"));
        if (button("notice/all", "Dismiss all", {.kind = ButtonKind::Quiet}))
            for (const Notice& notice : state.notices)
                commands.emplace_back(command::DismissNotice{notice.number});
    }
    for (const Notice& notice : state.notices) draw_notice(notice, commands);
    // The newest is at the bottom.
    const int newest = static_cast<int>(state.notices.back().number);
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID key = ImGui::GetID("newest");
    if (storage.GetInt(key) != newest || ImGui::IsWindowAppearing()) ImGui::SetScrollHereY(1);
    storage.SetInt(key, newest);
    ImGui::End();
    // Popups and text fields handle Escape themselves.
    const bool is_free = !state.is_running() && !ImGui::GetIO().WantTextInput &&
                         !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    if (is_free && pressed(Action::DismissNotice))
        commands.emplace_back(command::DismissNotice{state.notices.back().number});
}

}  // namespace kwb::gui
