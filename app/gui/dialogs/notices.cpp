// SPDX-License-Identifier: Apache-2.0
// Messages in the corner of the window.
#include <algorithm>
#include <string>

#include "gui/dialogs/modal.hpp"
#include "gui/widgets.hpp"

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
                                    ImGuiWindowFlags_NoNav;

/// A card at the window's right edge, with its lower edge at `bottom`.
class Overlay : Scope {
public:
    Overlay(const std::string& id, ImVec2 size, float bottom, Color ground, ImGuiWindowFlags flags = 0) {
        const float right = ImGui::GetIO().DisplaySize.x - tokens().gap;
        ImGui::SetNextWindowPos({right - size.x, bottom - size.y});
        ImGui::SetNextWindowSize(size);
        ImGui::PushStyleColor(ImGuiCol_WindowBg, ground.vec());
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(tokens().gap, tokens().gap));
        ImGui::Begin(id.c_str(), nullptr, kFlags | flags);
        ImGui::PopStyleVar();
        ImGui::PopStyleColor();
    }
    ~Overlay() { ImGui::End(); }
};

/// Width of the buttons at a notice's right edge.
float buttons_width(const Notice& notice) {
    const float open = notice.written.empty() ? 0 : button_width(kOpen) + tokens().hair;
    return open + button_width(kDismiss);
}

/// Size of a notice's card; the sentence is wrapped, and scrolls if it is very long.
struct CardSize {
    float width, height;
    float words;  ///< width of the sentence
};

CardSize card_size(const Notice& notice, float width, float most) {
    ImFont& font = *fonts().body;
    float words = width - 3 * tokens().gap - buttons_width(notice) - tokens().hair;
    const auto height = [&] {
        const float sentence = compat::text_size(font, compat::size_of(font), notice.sentence.data(),
                                                 notice.sentence.data() + notice.sentence.size(), words)
                                   .y;
        return 2 * tokens().gap + compat::size_of(*fonts().strong) + tokens().hair + sentence;
    };
    const float wanted = height();
    if (wanted > most) words -= tokens().scrollbar;
    return {width, std::min(most, wanted), words};
}

void draw_card(const Notice& notice, const CardSize& size, float bottom, Commands& commands) {
    const auto& [tone, icon, title] = kLooks[static_cast<std::size_t>(notice.kind)];
    const Color ground = tone == Tone::Danger    ? colors().danger_tint
                         : tone == Tone::Warning ? colors().warning_tint
                                                 : colors().popup;
    const std::string id = "notice/" + std::to_string(notice.number);
    const Overlay overlay(id, {size.width, size.height}, bottom, ground);
    const ImVec2 corner = ImGui::GetWindowPos(), end = {corner.x + size.width, corner.y + size.height};
    // The window's own clip rectangle excludes the border.
    ImGui::PushClipRect(corner, end, false);
    probe_rect(id, {corner.x, corner.y, end.x, end.y}, {.container = true});
    ImGui::GetWindowDrawList()->AddRectFilled(corner, {corner.x + tokens().hair, end.y},
                                              ImGui::GetColorU32(text_color(tone)), tokens().rounding_card,
                                              ImDrawFlags_RoundCornersLeft);
    ImGui::PopClipRect();
    const float left = tokens().gap + tokens().hair;
    ImGui::SetCursorPosX(left);
    ImGui::BeginGroup();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().gap_small, tokens().hair));
    text(id + "/title", title, {.tone = tone, .font = fonts().strong, .icon = icon});
    ImGui::PushTextWrapPos(left + size.words);
    ImGui::TextUnformatted(notice.sentence.data(), notice.sentence.data() + notice.sentence.size());
    probe(id + "/sentence", {.label = notice.sentence, .wraps = true});
    ImGui::PopTextWrapPos();
    ImGui::PopStyleVar();
    ImGui::EndGroup();
    ImGui::SetCursorPos({left + size.words + tokens().gap, ImGui::GetScrollY() + tokens().gap_small});
    if (!notice.written.empty()) {
        if (button(id + "/open", kOpen,
                   {.kind = ButtonKind::Quiet, .tooltip = "With the desktop's program for such files"}))
            commands.emplace_back(command::OpenOutside{notice.written});
        ImGui::SameLine(0, tokens().hair);
    }
    if (button(id + "/dismiss", kDismiss, {.kind = ButtonKind::Quiet, .tooltip = "Dismiss (Esc)"}))
        commands.emplace_back(command::DismissNotice{notice.number});
}

/// Draws the number of notices that do not fit.
void draw_rest(const std::vector<Notice>& notices, std::size_t hidden, float width, float bottom,
               Commands& commands) {
    const float height = ImGui::GetFrameHeight() + 2 * tokens().gap_small;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    const Overlay overlay("notice/rest", {width, height}, bottom, colors().popup,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    ImGui::SetCursorPos({tokens().gap, tokens().gap_small});
    ImGui::AlignTextToFramePadding();
    text("notice/more", "and " + std::to_string(hidden) + " earlier", {.tone = Tone::Muted});
    ImGui::SameLine();
    ImGui::SetCursorPos({width - tokens().gap - button_width("Dismiss all"), tokens().gap_small});
    if (button("notice/all", "Dismiss all", {.kind = ButtonKind::Quiet}))
        for (const Notice& notice : notices) commands.emplace_back(command::DismissNotice{notice.number});
}

}  // namespace

void draw_notices(const DeskState& state, Commands& commands) {
    if (state.notices.empty() || modal_is_open()) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float em = compat::size_of(*fonts().body);
    const float width = std::min(28 * em, window.x - 2 * tokens().gap);
    const float top = window.y / 2;
    float bottom = window.y - tokens().status_height - tokens().gap_small;
    std::size_t left = state.notices.size();
    while (left > 0) {
        const Notice& notice = state.notices[left - 1];
        const CardSize size = card_size(notice, width, window.y / 3);
        const bool is_newest = left == state.notices.size();
        if (!is_newest && bottom - size.height < top) break;
        draw_card(notice, size, bottom, commands);
        bottom -= size.height + tokens().gap_small;
        --left;
    }
    if (left > 0) draw_rest(state.notices, left, width, bottom, commands);
    // Popups and text fields handle Escape themselves.
    const bool is_free = !state.is_running() && !ImGui::GetIO().WantTextInput &&
                         !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    if (is_free && pressed(Action::DismissNotice))
        commands.emplace_back(command::DismissNotice{state.notices.back().number});
}

}  // namespace kwb::gui
