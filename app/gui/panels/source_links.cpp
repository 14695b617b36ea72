// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/source_links.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

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
    ButtonRow row(tokens().hair);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const std::string label = shortened(shown[i].label, ImGui::GetWindowWidth() / 2);
        if (row.add(id + "/" + std::to_string(i), label,
                    {.kind = i == chosen_ ? ButtonKind::Normal : ButtonKind::Quiet,
                     .tooltip = label == shown[i].label ? std::string_view() : shown[i].label})) {
            chosen_ = i;
            is_clicked = true;
        }
        underline_last(series_color(i, i == chosen_ ? 255 : 110), tokens().hair);
    }
    return is_clicked;
}

}  // namespace kwb::gui
