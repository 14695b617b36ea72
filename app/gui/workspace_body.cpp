// Drawing of the workspace itself: panels with tabs and splitters, and the right side of the heading bar.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "gui/fields.hpp"
#include "gui/workspace.hpp"

namespace kwb::gui {
namespace {

// In pixels at scale 1.
constexpr float kLeastPanelSide = 260;
constexpr float kLeastMiddle = 320;
constexpr float kLeastHeight = 150;
/// The outer columns are as wide as their texts need; the middle gets the rest.
constexpr float kLeftColumn = 316;
constexpr float kRightColumn = 400;
/// Charts need a little more height than source.
constexpr double kSourceShare = 0.46;

constexpr const char* kLeftSplit = "columns/left";
constexpr const char* kRightSplit = "columns/right";
constexpr const char* kRowSplit = "rows/middle";

float pixels(float at_scale_1) {
    return std::round(at_scale_1 * look().pixels());
}

bool is_column(const std::vector<Area>& column, std::string_view name) {
    return column.front().name == name;
}

}  // namespace

double Workspace::share_of(const std::string& split, const SplitterOptions& options) const {
    const double* share = find_named(shares_, split);
    if (share == nullptr) share = find_named(state().settings.splits, split);
    return hold_share(share != nullptr ? *share : options.default_share, options);
}

void Workspace::draw_split(const std::string& split, const ImRect& rect, const SplitterOptions& options) {
    double share = share_of(split, options);
    const SplitterMove move = splitter("workspace/split/" + split, rect, share, options);
    if (move.moved) put_named(shares_, split, share);
    if (move.finished && find_named(shares_, split) != nullptr)
        put_named(wished_settings().splits, split, share);
}

void Workspace::draw_body() {
    const ImVec2 min = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
    std::array<bool, kPanels> shown{};
    for (const Panel panel : kAllPanels) shown[static_cast<std::size_t>(panel)] = is_shown(panel);
    const float scale = look().pixels();
    arrangement_ = arrange(size.x / scale, size.y / scale, shown);
    drawn_ = {};
    if (arrangement_.empty())
        return empty_state("workspace/nothing", kIconEye, "Every panel is hidden",
                           "Choose what to show from View, or press Ctrl+1 to Ctrl+5.");
    draw_columns({min, {min.x + size.x, min.y + size.y}});
}

void Workspace::draw_columns(const ImRect& room) {
    const float bar = tokens().gap_small, width = room.GetWidth();
    const bool left = arrangement_.size() > 1 && is_column(arrangement_.front(), "left");
    const bool right = arrangement_.size() > (left ? 2u : 1u) && is_column(arrangement_.back(), "right");
    const float least_right = right ? pixels(kLeastPanelSide) + bar : 0;
    float begin = room.Min.x, end = room.Max.x;

    // Compute both bars first, because they determine the columns' widths.
    SplitterOptions left_options;
    left_options.room = width;
    left_options.least_first = pixels(kLeastPanelSide) + bar / 2;
    left_options.least_second = pixels(kLeastMiddle) + least_right + bar / 2;
    left_options.default_share = static_cast<double>(pixels(kLeftColumn) / width);
    if (left)
        begin =
            std::round(room.Min.x + static_cast<float>(share_of(kLeftSplit, left_options)) * width + bar / 2);
    SplitterOptions right_options;
    right_options.room = width;
    right_options.least_first = begin - room.Min.x + pixels(kLeastMiddle) + bar / 2;
    right_options.least_second = pixels(kLeastPanelSide) + bar / 2;
    right_options.default_share = 1 - static_cast<double>(pixels(kRightColumn) / width);
    if (right)
        end = std::round(room.Min.x + static_cast<float>(share_of(kRightSplit, right_options)) * width -
                         bar / 2);

    auto column = arrangement_.begin();
    if (left) {
        draw_column(*column++, {room.Min, {begin - bar, room.Max.y}});
        draw_split(kLeftSplit, {{begin - bar, room.Min.y}, {begin, room.Max.y}}, left_options);
    }
    draw_column(*column++, {{begin, room.Min.y}, {end, room.Max.y}});
    if (right) {
        draw_split(kRightSplit, {{end, room.Min.y}, {end + bar, room.Max.y}}, right_options);
        draw_column(*column, {{end + bar, room.Min.y}, room.Max});
    }
}

void Workspace::draw_column(const std::vector<Area>& column, const ImRect& room) {
    if (column.size() == 1) return draw_area(column.front(), room);
    const float bar = tokens().gap_small;
    SplitterOptions options;
    options.upright = false;
    options.room = room.GetHeight();
    options.least_first = options.least_second = pixels(kLeastHeight) + bar / 2;
    options.default_share = kSourceShare;
    const float middle = room.Min.y + static_cast<float>(share_of(kRowSplit, options)) * options.room;
    const float above = std::round(middle - bar / 2), below = above + bar;
    draw_area(column[0], {room.Min, {room.Max.x, above}});
    draw_split(kRowSplit, {{room.Min.x, above}, {room.Max.x, below}}, options);
    draw_area(column[1], {{room.Min.x, below}, room.Max});
}

Panel Workspace::front_of(const Area& area) const {
    const std::string* kept = find_named(state().settings.tabs, "area/" + std::string(area.name));
    if (kept != nullptr)
        for (const Panel panel : area.panels)
            if (name_of(panel) == *kept) return panel;
    return area.panels.front();
}

void Workspace::draw_area(const Area& area, const ImRect& rect) {
    ImGui::SetCursorScreenPos(rect.Min);
    const std::string id = "workspace/area/" + std::string(area.name);
    const bool alone = area.panels.size() == 1;
    const Panel front = front_of(area);
    const Card card(id, rect.GetSize(), alone ? title_of(front) : std::string_view(),
                    alone ? icon_of(front) : nullptr);
    if (!card.visible) return;
    if (!alone) draw_tabs(area);
    draw_panel(front);
}

void Workspace::draw_tabs(const Area& area) {
    const Panel front = front_of(area);
    const auto take = [&](Panel panel) {
        put_named(wished_settings().tabs, "area/" + std::string(area.name), std::string(name_of(panel)));
    };
    const auto needed = [&](bool icons) {
        float width = 0;
        for (const Panel panel : area.panels)
            width += button_width(title_of(panel), icons ? icon_of(panel) : nullptr) + tokens().hair;
        return width;
    };
    const float room = ImGui::GetContentRegionAvail().x;
    if (needed(false) > room) {
        const Combo combo("workspace/tabs/" + std::string(area.name),
                          with_icon(icon_of(front), title_of(front)));
        if (combo.open)
            for (const Panel panel : area.panels)
                if (option("workspace/tab/" + std::string(name_of(panel)), title_of(panel),
                           {.chosen = panel == front}))
                    take(panel);
        return;
    }
    const bool icons = needed(true) <= room;
    for (const Panel panel : area.panels) {
        if (panel != area.panels.front()) ImGui::SameLine(0, tokens().hair);
        if (button("workspace/tab/" + std::string(name_of(panel)), title_of(panel),
                   {.icon = icons ? icon_of(panel) : nullptr,
                    .kind = ButtonKind::Quiet,
                    .tone = panel == front ? Tone::Normal : Tone::Muted}))
            take(panel);
        if (panel == front) underline_last(colors().accent_text.u32(), tokens().gap_small);
    }
}

void Workspace::draw_panel(Panel panel) {
    drawn_[static_cast<std::size_t>(panel)] = true;
    if (wants_keyboard_ == panel) {
        if (panel == Panel::Source)
            source_.take_keyboard();
        else
            look().tab_order().take_next();
        wants_keyboard_.reset();
    }
    switch (panel) {
        case Panel::Experiment:
            return experiment_.draw(state(), commands_);
        case Panel::Source:
            return source_.draw(state(), commands_);
        case Panel::Times:
            return times_.draw(state(), commands_);
        case Panel::Correctness:
            return correctness_.draw(state(), commands_);
        case Panel::History:
            return history_.draw(state(), commands_);
    }
}

namespace {

constexpr const char* kView = "View";
constexpr const char* kKeysPanel = "Keys";

/// A check mark before the label of a visible panel; otherwise equally wide spaces.
std::string checked(bool is_shown, std::string_view label) {
    const std::string sign = "\u2713  ";
    if (is_shown) return sign + std::string(label);
    std::string room;
    while (ImGui::CalcTextSize(room.c_str()).x < ImGui::CalcTextSize(sign.c_str()).x) room += ' ';
    return room + std::string(label);
}

}  // namespace

/// Widths of the buttons at the right of the heading bar, as many as fit: View, Keys, the other theme. Only
/// View has priority over the heading.
std::vector<float> Workspace::tool_widths(float room) const {
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    std::vector<float> widths = {button_width(kView, kIconColumns)};
    float left = room - 12 * ImGui::GetFontSize() - widths.front();
    for (const float width : {button_width(kKeysPanel, kIconKeyboard), theme_button_width()}) {
        left -= width + spacing;
        if (left < 0) break;
        widths.push_back(width + spacing);
    }
    return widths;
}

float Workspace::tools_width(float room) const {
    const std::vector<float> widths = tool_widths(room);
    return std::accumulate(widths.begin(), widths.end(), 0.0f);
}

void Workspace::draw_tools(float room) {
    const std::size_t count = tool_widths(room).size();
    const float top = ImGui::GetCursorPosY();
    const auto next = [&] {
        ImGui::SameLine();
        ImGui::SetCursorPosY(top);
    };
    if (button("workspace/view", kView,
               {.icon = kIconColumns, .kind = ButtonKind::Quiet, .tooltip = "What is shown, and how large"}))
        ImGui::OpenPopup("workspace/view/menu");
    draw_view_menu({ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + tokens().hair});
    if (count > 1) {
        next();
        if (button("workspace/keys", kKeysPanel,
                   {.icon = kIconKeyboard, .kind = ButtonKind::Quiet, .tooltip = keys_of(Action::Keys)}))
            keys_.open();
    }
    if (count > 2) {
        next();
        draw_theme_button();
    }
}

/// Draws the menu below its button, so that the button stays visible.
void Workspace::draw_view_menu(ImVec2 right_top) {
    ImGui::SetNextWindowPos(right_top, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSizeConstraints({16 * ImGui::GetFontSize(), 0}, ImGui::GetIO().DisplaySize);
    const Popup popup("workspace/view/menu");
    if (!popup.open) return;
    for (const Panel panel : kAllPanels) {
        const bool shown = is_shown(panel);
        if (option("workspace/view/" + std::string(name_of(panel)), checked(shown, title_of(panel)),
                   {.remark = keys_of(focus_action(panel))}))
            show(panel, !shown);
    }
    ImGui::Separator();
    if (option("workspace/view/theme", other_theme_label())) switch_theme();
    if (option("workspace/view/larger", "Larger", {.remark = keys_of(Action::ScaleUp)}))
        look().step_scale(+1);
    if (option("workspace/view/smaller", "Smaller", {.remark = keys_of(Action::ScaleDown)}))
        look().step_scale(-1);
    if (option("workspace/view/full_screen", "Full screen", {.remark = keys_of(Action::FullScreen)}))
        toggle_full_screen();
    if (option("workspace/view/keys", "All keys", {.remark = keys_of(Action::Keys)})) keys_.open();
}

}  // namespace kwb::gui
