// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/contestant_strip.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "gui/widgets.hpp"

namespace kwb::gui {

std::size_t ContestantStrip::follow(const DeskState& state) {
    const auto& contestants = state.preview.contestants;
    chosen_ = std::min(chosen_, contestants.size() - 1);
    if (state.front == std::exchange(followed_, state.front) || !state.front) return chosen_;
    const Document* const front = state.find_document(*state.front);
    const auto is_its = [&](const Preview::Contestant& one) {
        return front != nullptr && front->path() == std::filesystem::path(one.file);
    };
    // A kernel may take part several times; one of them may be shown already.
    if (is_its(contestants[chosen_])) return chosen_;
    const auto found = std::ranges::find_if(contestants, is_its);
    if (found != contestants.end()) chosen_ = static_cast<std::size_t>(found - contestants.begin());
    return chosen_;
}

bool ContestantStrip::draw(const DeskState& state, const std::string& id) {
    const auto& shown = state.preview.contestants;
    if (shown.size() < 2) return false;
    bool is_clicked = false;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().hair, tokens().hair));
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const std::string label = shortened(shown[i].label, ImGui::GetWindowWidth() / 2);
        if (i > 0) flow_next(button_width(label));
        if (button(id + "/" + std::to_string(i), label,
                   {.kind = i == chosen_ ? ButtonKind::Normal : ButtonKind::Quiet,
                    .tooltip = label == shown[i].label ? std::string_view() : shown[i].label})) {
            chosen_ = i;
            is_clicked = true;
        }
        underline_last(series_color(i, i == chosen_ ? 255 : 110), tokens().hair);
    }
    ImGui::PopStyleVar();
    return is_clicked;
}

}  // namespace kwb::gui
