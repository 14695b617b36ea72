#include "gui/banner.hpp"

#include "gui/build_message.hpp"
#include "gui/look.hpp"

namespace kwb::gui {
namespace {

Color tint_of(Tone tone) {
    const Palette& colors = look().colors();
    switch (tone) {
        case Tone::Danger:
            return colors.danger_tint;
        case Tone::Warning:
            return colors.warning_tint;
        case Tone::Success:
            return colors.success_tint;
        default:
            return colors.raised;
    }
}

}  // namespace

Banner::Banner(std::string_view id, Tone tone, const char* icon, std::string_view title,
               std::string_view sentence)
    : id_(id), tone_(tone), corner_(ImGui::GetCursorScreenPos()), width_(ImGui::GetContentRegionAvail().x) {
    const Tokens& tokens = look().tokens();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.ChannelsSplit(2);  // the ground is painted once its height is known
    list.ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos({corner_.x + tokens.gap + tokens.hair, corner_.y + tokens.gap_small});
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width_ - 2 * tokens.gap - tokens.hair);
    {
        const FontScope strong(look().fonts().strong);
        const std::string words = with_icon(icon, title);
        ImGui::PushStyleColor(ImGuiCol_Text, text_color(tone));
        ImGui::TextUnformatted(words.c_str());
        probe(id_ + "/title", {.label = words, .wraps = true});
        ImGui::PopStyleColor();
    }
    if (!sentence.empty()) message_text(id_ + "/sentence", sentence);
    ImGui::PopTextWrapPos();
}

Banner::~Banner() {
    const Tokens& tokens = look().tokens();
    ImGui::EndGroup();
    const float bottom = ImGui::GetItemRectMax().y + tokens.gap_small;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.ChannelsSetCurrent(0);
    list.AddRectFilled(corner_, {corner_.x + width_, bottom}, tint_of(tone_).u32(), tokens.rounding);
    list.AddRectFilled(corner_, {corner_.x + tokens.hair, bottom}, ImGui::GetColorU32(text_color(tone_)),
                       tokens.rounding, ImDrawFlags_RoundCornersLeft);
    list.ChannelsMerge();
    ImGui::SetCursorScreenPos(corner_);
    ImGui::Dummy({width_, bottom - corner_.y});
    probe(id_, {.container = true});
}

void notice(std::string_view id, Tone tone, const char* icon, std::string_view title,
            std::string_view sentence) {
    const Banner banner(id, tone, icon, title, sentence);
}

}  // namespace kwb::gui
