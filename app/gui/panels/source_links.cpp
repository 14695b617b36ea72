// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/source_links.hpp"

#include <algorithm>
#include <filesystem>

namespace kwb::gui {

std::optional<DocumentId> document_of(const DeskState& state, const std::string& file) {
    const std::filesystem::path wanted(file);
    for (const auto& document : state.documents)
        if (document->path() == wanted) return document->id();
    for (const auto& document : state.documents)
        if (document->path().filename() == wanted.filename()) return document->id();
    return std::nullopt;
}

void go_to_line(const DeskState& state, const std::string& file, std::uint32_t line, Commands& commands) {
    const auto document = document_of(state, file);
    if (!document) return;
    command::BringToFront front{*document};
    if (line > 0) front.line = line - 1;
    commands.push_back(front);
}

void draw_source_remark(const DeskState& state, const std::string& id, const SourceRemark& remark,
                        Commands& commands) {
    const std::string file(remark.file);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().gap_small, tokens().hair));
    if (document_of(state, file)) {
        if (button(id + "/place", remark.head,
                   {.icon = kIconCode,
                    .kind = ButtonKind::Quiet,
                    .tooltip = remark.line > 0 ? "Go to this line of the source" : "Show this source"}))
            go_to_line(state, file, remark.line, commands);
    } else {
        text(id + "/place", remark.head, {.tone = remark.tone});
    }
    ImGui::PopStyleVar();
    ImGui::PushTextWrapPos(0);
    message_text(id + "/sentence", remark.sentence);
    ImGui::PopTextWrapPos();
}

void draw_contestants(const DeskState& state, const std::string& id, Commands& commands) {
    const auto& shown = state.preview.contestants;
    if (shown.size() < 2) return;
    const std::size_t chosen = selected_contestant(state);
    ButtonRow row(tokens().hair);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const std::string label = shortened(shown[i].label, ImGui::GetWindowWidth() / 2);
        const bool is_shown = i == chosen || i == state.other;
        if (row.add(id + "/" + std::to_string(i), label,
                    {.kind = i == chosen ? ButtonKind::Normal : ButtonKind::Quiet,
                     .tooltip = label == shown[i].label ? std::string_view() : shown[i].label}))
            commands.push_back(command::SelectKernel{i, ImGui::GetIO().KeyCtrl});
        underline_last(series_color(i, is_shown ? 255 : 110), tokens().hair);
    }
}

}  // namespace kwb::gui
