#include "gui/banner.hpp"

#include <string>

#include "gui/look.hpp"
#include "gui/widgets.hpp"

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

namespace {

std::string_view first_line(std::string_view lines) {
    return lines.substr(0, lines.find('\n'));
}

std::string_view without_first(std::string_view lines) {
    const std::size_t end = lines.find('\n');
    return end == std::string_view::npos ? std::string_view() : lines.substr(end + 1);
}

/// " 10 |     ^~~", as gcc and newer clang write it, or just "    ^~~".
bool is_pointer_line(std::string_view line) {
    return line.find('^') != std::string_view::npos &&
           line.find_first_not_of(" \t|0123456789^~") == std::string_view::npos;
}

void draw_lines(std::string_view words) {
    const Fonts& fonts = look().fonts();
    while (!words.empty()) {
        const bool is_excerpt = begins_excerpt(words);
        for (int line = 0; line < (is_excerpt ? 2 : 1); ++line) {
            const std::string_view shown = first_line(words);
            words = without_first(words);
            const FontScope font(is_excerpt ? fonts.mono : fonts.body);
            if (is_excerpt) ImGui::PushTextWrapPos(-1);
            ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
            if (is_excerpt) ImGui::PopTextWrapPos();
        }
    }
}

}  // namespace

bool begins_excerpt(std::string_view lines) {
    return is_pointer_line(first_line(without_first(lines)));
}

void message_text(std::string_view id, std::string_view words) {
    ImGui::BeginGroup();
    draw_lines(words);
    ImGui::EndGroup();
    probe(id, {.label = words, .wraps = true});
}

void message_tooltip(std::string_view heading, std::string_view words) {
    if (!compat::begin_item_tooltip()) return;
    ImGui::PushTextWrapPos(34 * ImGui::GetFontSize());
    ImGui::TextUnformatted(heading.data(), heading.data() + heading.size());
    draw_lines(words);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace kwb::gui
