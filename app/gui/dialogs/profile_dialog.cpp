// SPDX-License-Identifier: Apache-2.0
#include "gui/dialogs/profile_dialog.hpp"

#include <cmath>
#include <string>

#include "experiment/profile_view.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/draw_list_canvas.hpp"

namespace kwb::gui {

void ProfileDialog::draw(const DeskState& state, Commands& commands) {
    if (state.profile == nullptr) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const Modal modal("profile", {std::floor(0.9f * window.x), std::floor(0.9f * window.y)});
    if (!modal.visible) return;
    const ProfileView& view = *state.profile;
    text("profile/title", view.title, {.font = fonts().title, .icon = kIconClock, .shortens = true});
    text("profile/summary", view.summary, {.tone = Tone::Muted, .shortens = true});
    const float foot = ImGui::GetFrameHeight() + tokens().gap;
    if (compat::begin_child("profile/content", {0, -foot}, false)) {
        const float room = ImGui::GetContentRegionAvail().x;
        if (made_of_ != state.profile) {
            tables_.clear();
            for (const XrayTable& table : view.tables) tables_.emplace_back(table, "", std::vector<Term>());
            timeline_.reset();
        }
        if (!timeline_ || made_width_ != room) timeline_.emplace(view.rows, view.names, room);
        made_of_ = state.profile;
        made_width_ = room;
        if (!timeline_->is_empty()) {
            DrawListCanvas canvas(*ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos());
            timeline_->draw(canvas, chart_theme());
            ImGui::Dummy({timeline_->size().width, timeline_->size().height});
        } else {
            text("profile/no_timeline", "A trace has the timeline: kwb profile --trace trace.json PROGRAM",
                 {.tone = Tone::Muted, .wraps = true});
        }
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            ImGui::Dummy({0, tokens().gap_small});
            tables_[i].draw("profile/table/" + std::to_string(i), room, state, commands);
        }
    }
    ImGui::EndChild();
    align_right(button_width("Close", kIconCheck));
    const bool closes = button("profile/close", "Close", {.icon = kIconCheck, .kind = ButtonKind::Primary});
    if (!closes && !pressed(plain(Key::Escape))) return;
    commands.push_back(command::CloseProfile{});
    ImGui::CloseCurrentPopup();
}

}  // namespace kwb::gui
