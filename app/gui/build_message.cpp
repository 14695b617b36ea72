#include "gui/build_message.hpp"

#include <string>

#include "gui/look.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
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
