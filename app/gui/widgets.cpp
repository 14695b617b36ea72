// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "base/text.hpp"
#include "gui/probe.hpp"
#include "gui/tooltip.hpp"
#include "plot/count_map.hpp"

namespace kwb::gui {
namespace {

std::string with_optional_icon(const char* icon, std::string_view words) {
    return icon != nullptr ? with_icon(icon, words) : std::string(words);
}

/// The background of a message.
Color tint_of(Tone tone) {
    const Color by_tone[] = {colors().raised,         colors().raised,       colors().danger_tint,
                             colors().undefined_tint, colors().warning_tint, colors().success_tint,
                             colors().raised};
    return by_tone[static_cast<std::size_t>(tone)];
}

}  // namespace

std::string icon_alone(const char* icon, std::string_view words) {
    return fonts().has_icons ? icon : std::string(words);
}

float button_width(std::string_view label, const char* icon) {
    const std::string shown = with_optional_icon(icon, label);
    return width_of(shown) + 2 * ImGui::GetStyle().FramePadding.x;
}

bool button(std::string_view id, std::string_view label, const ButtonOptions& options) {
    const std::string shown = with_optional_icon(options.icon, label);
    int pushed = 0;
    const auto paint = [&](ImGuiCol index, Color color) {
        ImGui::PushStyleColor(index, color.vec());
        ++pushed;
    };
    if (options.kind == ButtonKind::Primary) {
        paint(ImGuiCol_Button, colors().accent);
        paint(ImGuiCol_ButtonHovered, colors().accent_hovered);
        paint(ImGuiCol_ButtonActive, colors().accent_active);
        paint(ImGuiCol_Text, colors().on_accent);
    } else {
        if (options.kind == ButtonKind::Quiet) paint(ImGuiCol_Button, colors().raised.with_alpha(0));
        ImGui::PushStyleColor(ImGuiCol_Text, text_color(options.tone));
        ++pushed;
    }
    if (!options.enabled) ImGui::BeginDisabled();
    const bool was_pressed = ImGui::Button((shown + "###" + std::string(id)).c_str(), {options.width, 0});
    probe(id, {.label = shown, .label_padding = 2 * ImGui::GetStyle().FramePadding.x});
    if (!options.enabled) ImGui::EndDisabled();
    ImGui::PopStyleColor(pushed);
    if (!options.tooltip.empty()) tooltip(options.tooltip);
    return was_pressed;
}

bool next_button(std::string_view id, std::string_view label, const ButtonOptions& options) {
    flow_next(std::max(options.width, button_width(label, options.icon)));
    return button(id, label, options);
}

void underline_last(ImU32 color, float inset) {
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const float thick = std::max(2.0f, tokens().hair / 2);
    ImGui::GetWindowDrawList()->AddRectFilled({min.x + inset, max.y - thick}, {max.x - inset, max.y}, color,
                                              thick);
}

ButtonRow::ButtonRow(float spacing) : pushed_(1) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(spacing, spacing));
}

ButtonRow::ButtonRow(float spacing, std::span<const std::string_view> labels) : ButtonRow(spacing) {
    const auto count = static_cast<float>(labels.size());
    float room = ImGui::GetContentRegionAvail().x - (count - 1) * spacing;
    for (const std::string_view label : labels) room -= width_of(label);
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const float fitting = std::floor(room / (2 * count));
    if (fitting >= padding.x || fitting < padding.x / 3) return;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(fitting, padding.y));
    ++pushed_;
}

bool ButtonRow::add(std::string_view id, std::string_view label, const ButtonOptions& options) {
    return std::exchange(is_first_, false) ? button(id, label, options) : next_button(id, label, options);
}

bool ButtonRow::add_tab(std::string_view id, std::string_view label, bool is_front,
                        std::string_view tooltip) {
    const bool is_pressed = add(id, label,
                                {.kind = is_front ? ButtonKind::Normal : ButtonKind::Quiet,
                                 .tooltip = tooltip,
                                 .tone = is_front ? Tone::Accent : Tone::Normal});
    if (is_front) underline_last(colors().accent.u32(), tokens().hair);
    return is_pressed;
}

Popup::Popup(const char* id)
    : open([id] {
          const ImVec2 gap(tokens().gap_small, tokens().gap_small);
          ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, gap);
          const bool is_open = ImGui::BeginPopup(id);
          ImGui::PopStyleVar();
          ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, gap);
          return is_open;
      }()) {}

Popup::~Popup() {
    ImGui::PopStyleVar();
    if (open) ImGui::EndPopup();
}

const plot::Theme& chart_theme() {
    return look().theme() == Theme::Dark ? plot::dark_theme() : plot::light_theme();
}

ImU32 series_color(std::size_t slot, int alpha) {
    const plot::Color color = chart_theme().series_color(slot);
    return IM_COL32(color.r, color.g, color.b, alpha);
}

ImVec4 text_color(Tone tone) {
    const Color by_tone[] = {colors().text,    colors().text_muted, colors().danger,     colors().undefined,
                             colors().warning, colors().success,    colors().accent_text};
    return by_tone[static_cast<std::size_t>(tone)].vec();
}

float width_of(std::string_view words) {
    return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x;
}

float width_of(std::string_view words, ImFont* font) {
    const FontScope scope(font);
    return width_of(words);
}

std::string shortened(std::string_view words, float room) {
    std::string cut(words);
    if (width_of(cut) <= room) return cut;
    while (!cut.empty()) {
        while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xc0) == 0x80) cut.pop_back();
        if (!cut.empty()) cut.pop_back();
        if (width_of(cut + "\u2026") <= room) break;
    }
    return cut + "\u2026";
}

std::vector<std::string> wrapped(std::string_view words, float room, std::size_t most) {
    std::vector<std::string> lines;
    while (!words.empty()) {
        if (lines.size() + 1 == most) {
            lines.push_back(shortened(words, room));
            break;
        }
        std::string_view taken;
        for (std::size_t end = 0; end != std::string_view::npos && end < words.size();) {
            end = words.find(' ', end + 1);
            const std::string_view tried = words.substr(0, end);
            if (!taken.empty() && width_of(tried) > room) break;
            taken = tried;
        }
        lines.emplace_back(taken);
        words.remove_prefix(std::min(words.size(), taken.size() + 1));
    }
    return lines;
}

std::string end_of_path(const std::string& path, float room) {
    const auto fits = [&](const std::string& words) { return width_of(words) <= room; };
    std::string shown = path;
    for (std::size_t slash = path.find('/', 1); !fits(shown) && slash != std::string::npos;
         slash = path.find('/', slash + 1))
        shown = "\u2026" + path.substr(slash);
    return fits(shown) ? shown : "";
}

void text(std::string_view id, std::string_view words, const TextOptions& options) {
    const FontScope font(options.font != nullptr ? options.font : fonts().body);
    const std::string whole = with_optional_icon(options.icon, words);
    const float room = options.room > 0 ? options.room : ImGui::GetContentRegionAvail().x;
    const std::string shown = options.shortens ? shortened(whole, room) : whole;
    if (options.in_row) ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, text_color(options.tone));
    const bool at_edge = options.wraps && ImGui::GetCurrentWindow()->DC.TextWrapPos < 0;
    if (at_edge) ImGui::PushTextWrapPos(0);
    if (options.wraps &&
        options.icon != nullptr) {  // further lines begin below the words, not below the icon
        ImGui::BeginGroup();
        ImGui::TextUnformatted(with_optional_icon(options.icon, "").c_str());
        ImGui::SameLine(0, 0);
        ImGui::TextUnformatted(words.data(), words.data() + words.size());
        ImGui::EndGroup();
    } else {
        ImGui::TextUnformatted(shown.c_str(), shown.c_str() + shown.size());
    }
    if (at_edge) ImGui::PopTextWrapPos();
    probe(id, {.label = shown, .wraps = options.wraps});
    ImGui::PopStyleColor();
    if (shown != whole) tooltip(words);
}

void paint_text(std::string_view id, ImVec2 at, std::string_view words, Tone tone) {
    ImGui::GetWindowDrawList()->AddText(at, ImGui::GetColorU32(text_color(tone)), words.data(),
                                        words.data() + words.size());
    probe_rect(id, {at.x, at.y, at.x + width_of(words), at.y + ImGui::GetTextLineHeight()}, {.label = words});
}

void remark(std::string_view id, std::string_view words, Tone tone, const char* icon) {
    text(id, words, {.tone = tone, .font = fonts().small, .icon = icon, .wraps = true});
}

namespace {

void draw_tooltip(std::string_view words, const ImRect& list) {
    if (!explains_last_item()) return;
    const FontScope font(fonts().body);
    const float most = tooltip_width(26 * ImGui::GetFontSize());
    const Tooltip box(explained_part(),
                      ImGui::CalcTextSize(words.data(), words.data() + words.size(), false, most), list);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + most);
    ImGui::TextUnformatted(words.data(), words.data() + words.size());
    ImGui::PopTextWrapPos();
    probe("tooltip", {.label = words, .wraps = true});
}

}  // namespace

void tooltip(std::string_view words) {
    draw_tooltip(words, current_list());
}

void row_tooltip(std::string_view words) {
    draw_tooltip(words, ImGui::GetCurrentWindow()->Rect());
}

void empty_state(std::string_view id, const char* icon, std::string_view title, std::string_view sentence) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float column = std::min(room.x, 30 * compat::size_of(*fonts().body));
    const std::string heading = with_icon(icon, title);
    const float sentence_height =
        compat::text_size(*fonts().body, compat::size_of(*fonts().body), sentence.data(),
                          sentence.data() + sentence.size(), column)
            .y;
    const float height = compat::size_of(*fonts().title) + tokens().gap_small + sentence_height;
    const ImVec2 start = ImGui::GetCursorPos();
    const float left = start.x + std::max(0.0f, (room.x - column) / 2);
    ImGui::SetCursorPos({left, start.y + std::max(0.0f, (room.y - height) * 0.42f)});
    const std::string name(id);
    ImGui::SetCursorPosX(left + std::max(0.0f, (column - width_of(heading, fonts().title)) / 2));
    text(name + "/title", heading, {.font = fonts().title});
    // Centre each line of the sentence in the column.
    int line = 0;
    for (const std::string& words : wrapped(sentence, column)) {
        ImGui::SetCursorPosX(left + std::max(0.0f, (column - width_of(words)) / 2));
        text(name + "/sentence/" + std::to_string(line++), words, {.tone = Tone::Muted});
    }
    // A panel without controls still needs an item that can have keyboard focus.
    const ImVec2 end = ImGui::GetCursorPos(), end_pixel = ImGui::GetCursorScreenPos();
    const ImVec2 offset = {end_pixel.x - end.x, end_pixel.y - end.y};
    const float top = start.y + std::max(0.0f, (room.y - height) * 0.42f);
    const ImRect box(offset.x + left, offset.y + top, offset.x + left + column, end_pixel.y);
    const ImGuiID item = ImGui::GetID(name.c_str());
    ImGui::ItemAdd(box, item);
    compat::draw_focus_ring(box, item);
}

Card::Card(std::string_view id, ImVec2 size, std::string_view title, const char* icon)
    : visible([&] {
          const std::string name(id);
          ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(tokens().gap, tokens().gap));
          const bool shown = compat::begin_child(name.c_str(), size, true);
          ImGui::PopStyleVar();
          const ImRect rect = ImGui::GetCurrentWindow()->Rect();
          // The child's own clip rectangle excludes its border.
          ImGui::PushClipRect(rect.Min, rect.Max, false);
          probe_rect(id, rect, {.container = true});
          ImGui::PopClipRect();
          if (!title.empty()) text(name + "/heading", title, {.font = fonts().strong, .icon = icon});
          return shown;
      }()) {}

Banner::Banner(std::string_view id, Tone tone, const char* icon, std::string_view title,
               std::string_view sentence)
    : id_(id), tone_(tone), corner_(ImGui::GetCursorScreenPos()), width_(ImGui::GetContentRegionAvail().x) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.ChannelsSplit(2);  // the background is painted once the height is known
    list.ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos({corner_.x + tokens().gap + tokens().hair, corner_.y + tokens().gap_small});
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width_ - 2 * tokens().gap - tokens().hair);
    {
        const FontScope strong(fonts().strong);
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
    ImGui::EndGroup();
    const float bottom = ImGui::GetItemRectMax().y + tokens().gap_small;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.ChannelsSetCurrent(0);
    list.AddRectFilled(corner_, {corner_.x + width_, bottom}, tint_of(tone_).u32(), tokens().rounding);
    list.AddRectFilled(corner_, {corner_.x + tokens().hair, bottom}, ImGui::GetColorU32(text_color(tone_)),
                       tokens().rounding, ImDrawFlags_RoundCornersLeft);
    list.ChannelsMerge();
    ImGui::SetCursorScreenPos(corner_);
    ImGui::Dummy({width_, bottom - corner_.y});
    probe(id_, {.container = true});
}

void notice(std::string_view id, Tone tone, const char* icon, std::string_view title,
            std::string_view sentence) {
    const Banner banner(id, tone, icon, title, sentence);
}

void dim_from(float top) {
    const ImRect& clip = ImGui::GetCurrentWindow()->InnerClipRect;
    ImGui::GetWindowDrawList()->AddRectFilled({clip.Min.x, std::max(top, clip.Min.y)}, clip.Max,
                                              colors().surface.with_alpha(0.6f).u32());
}

namespace {

std::string_view first_line(std::string_view lines) {
    return lines.substr(0, lines.find('\n'));
}

std::string_view without_first(std::string_view lines) {
    const std::size_t end = lines.find('\n');
    return end == std::string_view::npos ? std::string_view() : lines.substr(end + 1);
}

/// " 10 |     ^~~", as gcc and newer clang print it, or just "    ^~~".
bool is_pointer_line(std::string_view line) {
    return line.find('^') != std::string_view::npos &&
           line.find_first_not_of(" \t|0123456789^~") == std::string_view::npos;
}

/// Whether a source excerpt begins with this line, that is, whether the next line has only spaces and ^, ~.
bool begins_excerpt(std::string_view lines) {
    return is_pointer_line(first_line(without_first(lines)));
}

void draw_lines(std::string_view words) {
    while (!words.empty()) {
        const bool is_excerpt = begins_excerpt(words);
        for (int line = 0; line < (is_excerpt ? 2 : 1); ++line) {
            const std::string_view shown = first_line(words);
            words = without_first(words);
            const FontScope font(is_excerpt ? fonts().mono : fonts().body);
            if (is_excerpt) ImGui::PushTextWrapPos(-1);
            ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
            if (is_excerpt) ImGui::PopTextWrapPos();
        }
    }
}

}  // namespace

void message_text(std::string_view id, std::string_view words) {
    ImGui::BeginGroup();
    draw_lines(words);
    ImGui::EndGroup();
    probe(id, {.label = words, .wraps = true});
}

void message_tooltip(std::string_view heading, std::string_view words) {
    if (!explains_last_item()) return;
    const float most = tooltip_width(34 * ImGui::GetFontSize());
    const Tooltip box(explained_part());
    ImGui::PushTextWrapPos(most);
    ImGui::TextUnformatted(heading.data(), heading.data() + heading.size());
    draw_lines(words);
    ImGui::PopTextWrapPos();
}

std::string short_kernel_name(std::string_view kernel) {
    const std::size_t slash = kernel.rfind('/');
    if (slash != std::string_view::npos && slash + 1 < kernel.size()) kernel.remove_prefix(slash + 1);
    if (kernel.ends_with(".cl")) kernel.remove_suffix(3);
    return to_utf8(kernel);
}

std::string local_time(std::chrono::system_clock::time_point when, const char* pattern) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(when);
    std::tm parts{};
    char words[64] = "";
    if (::localtime_r(&seconds, &parts) != nullptr) std::strftime(words, sizeof words, pattern, &parts);
    return words;
}

void Hovered::link_last(std::size_t slot) {
    constexpr int kTint = 45;  // of 255; texts remain readable
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) point_at(slot);
    if (lit_ != slot) return;
    if (ImGui::TableGetColumnCount() > 0)  // the item spans the row
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg1, series_color(slot, kTint));
    else
        ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                                  series_color(slot, kTint), tokens().rounding);
}

void Hovered::end_frame() {
    if (next_ != lit_) look().want_frame();
    lit_ = std::exchange(next_, {});
}

void draw_swatch(ImVec2 at, float line_height, std::size_t slot) {
    const float side = tokens().grip, top = at.y + (line_height - side) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, series_color(slot),
                                              side / 4);
}

void fill_cell(const plot::Rect& cell, ImU32 color) {
    constexpr float kLeast = 1.5f;  // pixels
    ImGui::GetWindowDrawList()->AddRectFilled(
        {cell.x, cell.y}, {cell.x + std::max(cell.width, kLeast), cell.y + std::max(cell.height, kLeast)},
        color);
}

bool press_area(std::string_view id, const plot::Rect& area) {
    ImGui::SetCursorScreenPos({area.x, area.y});
    const bool pressed = ImGui::InvisibleButton(("##" + std::string(id)).c_str(), {area.width, area.height});
    probe(id, {.container = true});
    compat::draw_focus_ring({{area.x, area.y}, {area.right(), area.bottom()}}, ImGui::GetItemID());
    return pressed;
}

UsedCells press_cells(std::string_view id, const plot::Rect& area, std::size_t rows, std::size_t columns) {
    const bool pressed = press_area(id, area);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto pointed = plot::cell_at(area, rows, columns, {mouse.x, mouse.y});
    UsedCells used;
    if (ImGui::IsItemHovered()) used.hovered = pointed;
    if (pressed) used.pressed = pointed.value_or(0);  // by the keyboard
    return used;
}

}  // namespace kwb::gui
