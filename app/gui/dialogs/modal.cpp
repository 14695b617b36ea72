// SPDX-License-Identifier: Apache-2.0
#include "gui/dialogs/modal.hpp"

#include <algorithm>
#include <utility>

namespace kwb::gui {
namespace {

bool begin_modal(const char* id, ImVec2 size) {
    if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float margin = 2 * tokens().gap;
    const float width = std::min(size.x, window.x - margin), most = window.y - margin;
    ImGui::SetNextWindowPos({window.x / 2, window.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                             ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                             ImGuiWindowFlags_NoSavedSettings;
    if (size.y > 0) {
        ImGui::SetNextWindowSize({width, std::min(size.y, most)});
        flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    } else {
        ImGui::SetNextWindowSizeConstraints({width, 0}, {width, most});
        flags |= ImGuiWindowFlags_AlwaysAutoResize;
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(tokens().gap_large, tokens().gap_large));
    const bool shown = ImGui::BeginPopupModal(id, nullptr, flags);
    ImGui::PopStyleVar();
    return shown;
}

/// Draws up to six lines of names; scrolls if there are more.
void draw_items(const std::vector<std::string>& items) {
    constexpr std::size_t kMostShown = 6;
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const std::size_t shown = std::min(items.size(), kMostShown);
    const float height =
        line * static_cast<float>(shown) - ImGui::GetStyle().ItemSpacing.y + 2 * tokens().gap;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, colors().surface.vec());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(tokens().gap, tokens().gap));
    compat::begin_child("items", {0, height}, true);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    for (std::size_t i = 0; i < items.size(); ++i)
        text("question/item/" + std::to_string(i), items[i], {.shortens = true});
    ImGui::EndChild();
}

}  // namespace

Modal::Modal(const char* id, ImVec2 size) : visible(begin_modal(id, size)) {}

bool modal_is_open() {
    return ImGui::GetTopMostPopupModal() != nullptr;
}

Question confirm(std::string title, std::string sentence, std::string verb, const char* icon,
                 std::function<void(Commands&)> act) {
    Question question;
    question.title = std::move(title);
    question.sentence = std::move(sentence);
    question.replies = {{.name = "cancel", .label = "Cancel"},
                        {.name = "yes",
                         .label = std::move(verb),
                         .icon = icon,
                         .kind = ButtonKind::Primary,
                         .act = std::move(act)}};
    return question;
}

void QuestionDialog::draw(Commands& commands) {
    if (!question_) return;
    const Modal modal("question", {30 * compat::size_of(*fonts().body), 0});
    if (!modal.visible) return;
    const Question& question = *question_;
    text("question/title", question.title, {.font = fonts().title, .icon = question.icon, .wraps = true});
    ImGui::Dummy({0, 0});
    text("question/sentence", question.sentence, {.wraps = true});
    if (!question.items.empty()) draw_items(question.items);
    ImGui::Dummy({0, tokens().hair});

    float width = -tokens().gap_small;
    for (const Reply& reply : question.replies)
        width += button_width(reply.label, reply.icon) + tokens().gap_small;
    const float room = ImGui::GetContentRegionAvail().x;
    const bool fits = width <= room;  // otherwise they are stacked
    if (fits) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - width);
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < question.replies.size(); ++i) {
        const Reply& reply = question.replies[i];
        if (i > 0 && fits) ImGui::SameLine(0, tokens().gap_small);
        if (button("question/" + reply.name, reply.label,
                   {.icon = reply.icon, .kind = reply.kind, .width = fits ? 0 : room}))
            chosen = i;
        if (i == 0) ImGui::SetItemDefaultFocus();
        if (ImGui::IsItemFocused() && (pressed(plain(Key::Enter)) || pressed(plain(Key::KeypadEnter))))
            chosen = i;  // ImGui itself only reacts to the space bar
    }
    if (!chosen && !pressed(plain(Key::Escape))) return;
    ImGui::CloseCurrentPopup();
    // Clear the question first, because a reply may ask another one.
    const Question answered = *std::exchange(question_, std::nullopt);
    if (chosen && answered.replies[*chosen].act) answered.replies[*chosen].act(commands);
}

}  // namespace kwb::gui
