// SPDX-License-Identifier: Apache-2.0
// Drawing of the workspace itself: panels with tabs and splitters, and the right side of the heading bar.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/named.hpp"
#include "gui/fields.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/workspace.hpp"

namespace kwb::gui {
namespace {

// In pixels at scale 1.
constexpr float kLeastColumn = 260;
constexpr float kLeastHeight = 150;
/// The experiment is as wide as its rows need, correctness next to the times as wide as its map; the other
/// columns share the rest.
constexpr float kExperimentWidth = 292;
constexpr float kCorrectnessWidth = 440;
/// Room in which these two have just that width; with more room, they grow with it up to the most.
constexpr float kUsualRoom = 2000;
constexpr float kMostGrowth = 1.5f;
/// The table below the chart needs more height than the verdict.
constexpr double kTimesShare = 0.58;

float pixels(float at_scale_1) {
    return std::round(at_scale_1 * look().pixels());
}

std::string split_after(const std::vector<Area>& column) {
    return "columns/" + std::string(column.front().name);
}

std::string split_within(const std::vector<Area>& column) {
    return "rows/" + std::string(column.back().name);
}

/// Default widths of columns in pixels.
std::vector<float> default_widths(const Arrangement& columns, float room) {
    std::vector<float> widths;
    float rest = room, sharing = 0;
    const float growth = std::clamp(room / pixels(kUsualRoom), 1.0f, kMostGrowth);
    const auto grown = [&](float at_scale_1) { return std::round(pixels(at_scale_1) * growth); };
    for (const auto& column : columns) {
        const Area& first = column.front();
        const bool is_left = first.name == "left" && first.panels == std::vector{Panel::Experiment};
        const bool is_right = first.name == "right" && !first.has(Panel::Source) && !first.has(Panel::Times);
        const float width = is_left ? grown(kExperimentWidth) : is_right ? grown(kCorrectnessWidth) : 0;
        widths.push_back(width);
        rest -= width;
        if (width == 0) ++sharing;
    }
    for (float& width : widths)
        if (width == 0 || sharing == 0)
            width = sharing == 0 ? room / static_cast<float>(columns.size()) : rest / sharing;
    return widths;
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
        change_settings([=](Settings& kept) { put_named(kept.splits, split, share); });
}

void Workspace::draw_body() {
    // An audience sees nothing of earlier texts and sizes.
    look().set_answer({});
    if (!presents_ || !state().is_outdated || state().is_busy)
        draw_answer_strip(state(), experiment_.refusal(), found_, hovered_, commands_);
    const ImVec2 min = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
    std::array<bool, kPanels> shown{};
    for (const Panel panel : kAllPanels) shown[static_cast<std::size_t>(panel)] = is_shown(panel);
    const float scale = look().pixels();
    body_size_ = {size.x / scale, size.y / scale};
    on_screen_.clear();
    arrangement_ = presents_ ? arrange_to_present(body_size_.x, state().course.open.has_value())
                             : arrange(body_size_.x, body_size_.y, shown, state().settings.areas);
    drawn_ = {};
    if (presents_) keep_fronts();
    if (arrangement_.empty())
        return empty_state("workspace/nothing", kIconEye, "Every panel is hidden",
                           "Choose panels under View, or press Ctrl+1 to Ctrl+9.");
    draw_columns({min, {min.x + size.x, min.y + size.y}});
    drag_panel();
    draw_move_menu();
}

void Workspace::draw_columns(const ImRect& room) {
    const float bar = tokens().gap_small, width = room.GetWidth();
    const std::size_t count = arrangement_.size();
    const std::vector<float> defaults = default_widths(arrangement_, width);
    // Each bar is kept away from the one before it, and leaves room for the columns after it.
    std::vector<SplitterOptions> splits;
    std::vector<ImRect> bars;
    float begin = 0, by_default = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        SplitterOptions& options = splits.emplace_back();
        by_default += defaults[i];
        options.room = width;
        options.least_first = begin + pixels(kLeastColumn) + bar / 2;
        options.least_second = static_cast<float>(count - 1 - i) * (pixels(kLeastColumn) + bar) - bar / 2;
        options.default_share = static_cast<double>(by_default / width);
        const float middle = static_cast<float>(share_of(split_after(arrangement_[i]), options)) * width;
        begin = std::round(middle + bar / 2);
        bars.push_back({{room.Min.x + begin - bar, room.Min.y}, {room.Min.x + begin, room.Max.y}});
    }
    for (std::size_t i = 0; i < count; ++i) {
        const float left = i == 0 ? room.Min.x : bars[i - 1].Max.x;
        const float right = i + 1 == count ? room.Max.x : bars[i].Min.x;
        draw_column(arrangement_[i], {{left, room.Min.y}, {right, room.Max.y}});
        if (i + 1 < count) draw_split(split_after(arrangement_[i]), bars[i], splits[i]);
    }
}

void Workspace::draw_column(const std::vector<Area>& column, const ImRect& room) {
    if (column.size() == 1) return draw_area(column.front(), room);
    const float bar = tokens().gap_small;
    const std::string split = split_within(column);
    SplitterOptions options;
    options.upright = false;
    options.room = room.GetHeight();
    options.least_first = options.least_second = pixels(kLeastHeight) + bar / 2;
    options.default_share = kTimesShare;
    const float middle = room.Min.y + static_cast<float>(share_of(split, options)) * options.room;
    const float above = std::round(middle - bar / 2), below = above + bar;
    draw_area(column[0], {room.Min, {room.Max.x, above}});
    draw_split(split, {{room.Min.x, above}, {room.Max.x, below}}, options);
    draw_area(column[1], {{room.Min.x, below}, room.Max});
}

Panel Workspace::front_of(const Area& area) const {
    const std::string* kept = find_named(state().settings.tabs, "area/" + std::string(area.name));
    if (kept != nullptr)
        for (const Panel panel : area.panels)
            if (name_of(panel) == *kept) return panel;
    // Before the first run the launch is worth more than an empty chart.
    const bool is_new = state().shown == nullptr && state().sweep == nullptr && !state().is_busy;
    if (is_new && area.name == "results" && area.has(Panel::Correctness)) return Panel::Correctness;
    return area.panels.front();
}

void Workspace::draw_area(const Area& area, const ImRect& rect) {
    ImGui::SetCursorScreenPos(rect.Min);
    on_screen_.push_back({area.name, rect});
    const std::string id = "workspace/area/" + std::string(area.name);
    const bool alone = area.panels.size() == 1;
    const Panel front = front_of(area);
    // The file tabs already identify a source.
    const bool is_titled = alone && front != Panel::Source;
    const Card card(id, rect.GetSize(), is_titled ? title_of(front) : std::string_view(),
                    is_titled ? words_of(front).icon : nullptr);
    if (!card.visible) return;
    if (!alone) draw_tabs(area);
    if (alone)  // by its title, or by the edge above the panel
        take_hold(front, {rect.Min,
                          {rect.Max.x, is_titled ? ImGui::GetItemRectMax().y : rect.Min.y + tokens().gap}});
    draw_panel(front);
}

void Workspace::draw_tabs(const Area& area) {
    const Panel front = front_of(area);
    const auto take = [&](Panel panel) { bring_to_front(panel); };
    const auto needed = [&](bool icons) {
        float width = 0;
        for (const Panel panel : area.panels)
            width += button_width(title_of(panel), icons ? words_of(panel).icon : nullptr) + tokens().hair;
        return width;
    };
    const float room = ImGui::GetContentRegionAvail().x;
    if (needed(false) > room) {
        const Combo combo("workspace/tabs/" + std::string(area.name),
                          with_icon(words_of(front).icon, title_of(front)));
        if (combo.open)
            for (const Panel panel : area.panels)
                if (option("workspace/tab/" + name_of(panel), title_of(panel), {.chosen = panel == front}))
                    take(panel);
        return;
    }
    const bool icons = needed(true) <= room;
    for (const Panel panel : area.panels) {
        if (panel != area.panels.front()) ImGui::SameLine(0, tokens().hair);
        if (button("workspace/tab/" + name_of(panel), title_of(panel),
                   {.icon = icons ? words_of(panel).icon : nullptr,
                    .kind = ButtonKind::Quiet,
                    .tooltip =
                        presents_ || areas().size() < 2 ? "" : "Drag to move it; right-click for its menu",
                    .tone = panel == front ? Tone::Normal : Tone::Muted}))
            take(panel);
        take_hold(panel, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
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
        case Panel::Xray:
            return xray_.draw(state(), commands_);
        case Panel::Tune:
            return tune_.draw(state(), commands_);
        case Panel::Learn:
            return learn_.draw(state(), commands_);
        case Panel::Reasons:
            return reasons_.draw(state(), commands_);
    }
}

namespace {

constexpr const char* kView = "View";
constexpr const char* kFile = "File";
constexpr const char* kKeysPanel = "Keys";

/// Room for longer names, Export's words and the progress, before the last two buttons; in font heights.
constexpr float kComfort = 24;

}  // namespace

/// Widths of the buttons at the right of the bar: View, and as many of File, Keys and the other theme as
/// fit next to the experiment's controls.
std::vector<float> Workspace::button_widths(float room) {
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    std::vector<float> widths = {button_width(kView, kIconColumns)};
    const float comfort = kComfort * ImGui::GetFontSize();
    float left = room - ExperimentPanel::bar_width() - spacing - widths.front();
    for (const float width : {button_width(kFile, kIconFile),
                              button_width(kKeysPanel, kIconKeyboard) + comfort, theme_button_width()}) {
        left -= width + spacing;
        if (left < 0) break;
        widths.push_back(widths.size() == 2 ? width - comfort : width);
    }
    return widths;
}

float Workspace::tools_width() const {
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    return ExperimentPanel::bar_width() + button_width(kView, kIconColumns) + button_width(kFile, kIconFile) +
           2 * spacing + kComfort * ImGui::GetFontSize();
}

void Workspace::draw_tools(float room) {
    if (presents_) return draw_presenter_tools(room);
    const std::vector<float> widths = button_widths(room);
    const float top = ImGui::GetCursorPosY(), begin = ImGui::GetCursorPosX();
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    float buttons = 0;
    for (const float width : widths) buttons += width + spacing;
    experiment_.draw_bar(state(), commands_, room - buttons);
    float x = begin + room - buttons + spacing;
    const auto next = [&](std::size_t index) {
        if (index >= widths.size()) return false;
        ImGui::SameLine();
        ImGui::SetCursorPos({x, top});
        x += widths[index] + spacing;
        return true;
    };
    next(0);
    has_file_button_ = widths.size() > 1;
    if (button("workspace/view", kView,
               {.icon = kIconColumns,
                .kind = ButtonKind::Quiet,
                .tooltip = "Panels, layouts, theme and size"})) {
        if (!has_file_button_) commands_.push_back(command::ListRecent{});
        ImGui::OpenPopup("workspace/view/menu");
    }
    const ImVec2 below_view = {ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + tokens().hair};
    draw_view_menu(below_view);
    if (std::exchange(opens_layouts_, false)) ImGui::OpenPopup("workspace/layouts/menu");
    draw_layouts_menu(below_view);
    if (next(1)) {
        if (button("workspace/file", kFile,
                   {.icon = kIconFile,
                    .kind = ButtonKind::Quiet,
                    .tooltip = "Experiments, kernel files, and exports"})) {
            commands_.push_back(command::ListRecent{});
            ImGui::OpenPopup("workspace/file/menu");
        }
        draw_file_menu({ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + tokens().hair});
    }
    if (next(2) &&
        button("workspace/keys", kKeysPanel,
               {.icon = kIconKeyboard, .kind = ButtonKind::Quiet, .tooltip = keys_of(Action::Keys)}))
        keys_.open();
    if (next(3)) draw_theme_button();
}

/// No forms: only what an audience asks for, and the end.
void Workspace::draw_presenter_tools(float room) {
    const std::string label = "End  (" + keys_of(Action::Present) + ")";
    const float begin = ImGui::GetCursorPosX(), end = button_width(label);
    experiment_.draw_short_bar(state(), commands_);
    ImGui::SameLine();
    ImGui::SetCursorPosX(begin + room - end);
    if (button("workspace/present/end", label,
               {.kind = ButtonKind::Quiet, .tooltip = "End the presentation"}))
        present(false);
}

void Workspace::draw_file_menu(ImVec2 right_top) {
    ImGui::SetNextWindowPos(right_top, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSizeConstraints({18 * ImGui::GetFontSize(), 0}, ImGui::GetIO().DisplaySize);
    const Popup popup("workspace/file/menu");
    if (popup.open) draw_file_items(state(), pending_, commands_);
}

/// Draws the menu below its button, so that the button stays visible.
void Workspace::draw_view_menu(ImVec2 right_top) {
    ImGui::SetNextWindowPos(right_top, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSizeConstraints({16 * ImGui::GetFontSize(), 0}, ImGui::GetIO().DisplaySize);
    const Popup popup("workspace/view/menu");
    if (!popup.open) return;
    for (const Panel panel : kAllPanels) {
        const bool shown = is_shown(panel);
        if (option("workspace/view/" + name_of(panel), ticked(shown, title_of(panel)),
                   {.remark = keys_of(focus_action(panel))}))
            show(panel, !shown);
    }
    if (option("workspace/view/layouts", "Layouts\u2026", {.tooltip = "Panel positions and saved layouts"}))
        opens_layouts_ = true;
    ImGui::Separator();
    if (!has_file_button_) {
        draw_file_items(state(), pending_, commands_);
        ImGui::Separator();
    }
    if (option("workspace/view/theme", other_theme_label())) switch_theme();
    if (option("workspace/view/larger", "Larger", {.remark = keys_of(Action::ScaleUp)}))
        look().step_scale(+1);
    if (option("workspace/view/smaller", "Smaller", {.remark = keys_of(Action::ScaleDown)}))
        look().step_scale(-1);
    if (option("workspace/view/full_screen", "Full screen", {.remark = keys_of(Action::FullScreen)}))
        toggle_full_screen();
    if (option("workspace/view/present", "Present", {.remark = keys_of(Action::Present)})) present(true);
    if (option("workspace/view/keys", "All keys", {.remark = keys_of(Action::Keys)})) keys_.open();
    if (option("workspace/view/documentation", "Documentation", {.tooltip = "Opens in the browser"}))
        commands_.push_back(command::OpenDocumentation{});
}

}  // namespace kwb::gui
