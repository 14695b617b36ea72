// SPDX-License-Identifier: Apache-2.0
#include "gui/arrangement.hpp"

#include <algorithm>

#include "gui/look.hpp"

namespace kwb::gui {
namespace {

/// Minimum sizes in pixels at scale 1 for four, three and two columns, and for two panels above each other.
constexpr float kFourColumns = 2000;
constexpr float kThreeColumns = 1100;
constexpr float kTwoColumns = 700;
constexpr float kTwoRows = 740;
/// In a window of four columns, where two panels above each other have the room of a whole one elsewhere.
constexpr float kTwoWideRows = 1000;

}  // namespace

const PanelWords& words_of(Panel panel) {
    static constexpr PanelWords kWords[kPanels] = {{"Experiment", "experiment", kIconChip},
                                                   {"Source", "source", kIconCode},
                                                   {"Times", "times", kIconBars},
                                                   {"Correctness", "correctness", kIconGrid},
                                                   {"History", "history", kIconHistory},
                                                   {"X-ray", "xray", kIconEye},
                                                   {"Tune", "tune", kIconBolt},
                                                   {"Learn", "learn", kIconFlag},
                                                   {"Reasons", "reasons", kIconQuestion}};
    return kWords[static_cast<std::size_t>(panel)];
}

Action focus_action(Panel panel) {
    return static_cast<Action>(static_cast<int>(Action::GoToExperiment) + static_cast<int>(panel));
}

namespace {

/// The default arrangement for a size, under its name in the settings.
struct Form {
    std::string_view name;
    Arrangement columns;
};

Form form_for(float width, float height) {
    using enum Panel;
    if (width >= kFourColumns && height >= kTwoWideRows)
        return {"4-high",
                {{{"left", "Left", {Experiment}}},
                 {{"wide_source", "Middle left", {Source}}},
                 {{"times", "Middle right, above", {Times, Learn}},
                  {"reasons", "Middle right, below", {Reasons, History}}},
                 {{"xray", "Right, above", {Xray, Tune}}, {"right", "Right, below", {Correctness}}}}};
    if (width >= kFourColumns)
        return {"4",
                {{{"left", "Left", {Experiment}}},
                 {{"wide_source", "Middle left", {Source}}},
                 {{"times", "Middle right", {Times, Reasons, Learn}}},
                 {{"right", "Right", {Correctness, Xray, Tune, History}}}}};
    if (width >= kThreeColumns && height >= kTwoRows)
        return {"3",
                {{{"left", "Left", {Experiment}}},
                 {{"source", "Middle", {Source}}},
                 {{"times", "Right, above", {Times, Reasons, Learn}},
                  {"right", "Right, below", {Correctness, Xray, Tune, History}}}}};
    if (width >= kThreeColumns)
        return {"3-low",
                {{{"left", "Left", {Experiment}}},
                 {{"source", "Middle", {Source}}},
                 {{"results", "Right", {Times, Reasons, Correctness, Xray, Tune, History, Learn}}}}};
    if (width >= kTwoColumns)
        return {"2",
                {{{"left", "Left", {Experiment}}},
                 {{"main", "Right", {Source, Times, Reasons, Correctness, Xray, Tune, History, Learn}}}}};
    return {
        "1",
        {{{"only", "Here", {Experiment, Source, Times, Reasons, Correctness, Xray, Tune, History, Learn}}}}};
}

}  // namespace

std::vector<Area> areas_of(float width, float height) {
    std::vector<Area> areas;
    for (const auto& column : form_for(width, height).columns)
        areas.insert(areas.end(), column.begin(), column.end());
    return areas;
}

std::string place_key(float width, float height, Panel panel) {
    return std::string(form_for(width, height).name) + "/" + name_of(panel);
}

Arrangement arrange(float width, float height, const std::array<bool, kPanels>& shown,
                    const NamedList<std::string>& places) {
    Arrangement all = form_for(width, height).columns;
    const auto find_area = [&](std::string_view name) -> Area* {
        for (auto& column : all)
            for (Area& area : column)
                if (area.name == name) return &area;
        return nullptr;
    };
    for (const Panel panel : kAllPanels) {
        const std::string* place = find_named(places, place_key(width, height, panel));
        Area* const moved = place != nullptr ? find_area(*place) : nullptr;
        if (moved == nullptr || moved->has(panel)) continue;
        for (auto& column : all)
            for (Area& area : column) std::erase(area.panels, panel);
        moved->panels.push_back(panel);
    }
    for (auto& column : all) {
        for (Area& area : column)
            std::erase_if(area.panels, [&](Panel panel) { return !shown[static_cast<std::size_t>(panel)]; });
        std::erase_if(column, [](const Area& area) { return area.panels.empty(); });
    }
    std::erase_if(all, [](const auto& column) { return column.empty(); });
    return all;
}

Arrangement arrange_to_present(float width, bool teaches) {
    using enum Panel;
    if (width < kTwoColumns)
        return {{{"presented/all", "",
                  teaches ? std::vector{Learn, Source, Times, Reasons, Xray, Correctness}
                          : std::vector{Source, Times, Reasons, Xray, Correctness}}}};
    if (teaches)
        return {{{"taught", "", {Learn}}},
                {{"presented/beside", "", {Source, Times, Reasons, Xray, Correctness}}}};
    return {{{"presented", "", {Source}}}, {{"presented/results", "", {Times, Reasons, Xray, Correctness}}}};
}

namespace {

constexpr double kKeyStep = 0.02;

/// Steps of the arrow keys in this frame.
int key_steps(bool upright) {
    // Arrows along the bar's direction of movement move the bar; the others move the focus.
    const ImGuiDir dir = GImGui->NavMoveDir;
    if (upright ? dir == ImGuiDir_Left || dir == ImGuiDir_Right : dir == ImGuiDir_Up || dir == ImGuiDir_Down)
        ImGui::NavMoveRequestCancel();
    const bool back = pressed(plain(upright ? Key::Left : Key::Up), true);
    const bool on = pressed(plain(upright ? Key::Right : Key::Down), true);
    return static_cast<int>(on) - static_cast<int>(back);
}

}  // namespace

double hold_share(double share, const SplitterOptions& options) {
    if (options.room <= 0) return share;
    const double least = options.least_first / options.room;
    const double most = 1 - options.least_second / options.room;
    return std::max(std::min(share, most), least);
}

SplitterMove splitter(std::string_view id, const ImRect& rect, double& share,
                      const SplitterOptions& options) {
    const ImVec2 size = rect.GetSize();
    ImGui::SetCursorScreenPos(rect.Min);
    const std::string name = "##" + std::string(id);
    ImGui::InvisibleButton(name.c_str(), size);
    const ImGuiID item = ImGui::GetItemID();
    probe(id);
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
    const bool focused = ImGui::IsItemFocused();
    const bool released = ImGui::IsItemDeactivated();
    SplitterMove move;
    const double before = share;
    if (hovered && ImGui::IsMouseDoubleClicked(0)) {
        share = options.default_share;
        move.finished = true;
    } else if (held && ImGui::IsMouseDragging(0, 0)) {
        const float delta = options.upright ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
        share = hold_share(share, options) + delta / options.room;
    } else if (focused && !held) {
        if (const int steps = key_steps(options.upright); steps != 0) {
            share = hold_share(share, options) + steps * kKeyStep;
            move.finished = true;
        }
    }
    if (share != before) share = hold_share(share, options);
    move.moved = share != before;
    move.finished = move.finished || released;
    if (hovered || held)
        ImGui::SetMouseCursor(options.upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    // A short grip in the middle shows that the bar can be dragged.
    const float long_side = tokens().gap_large, thick = std::max(2.0f, tokens().hair / 2);
    const ImVec2 center = rect.GetCenter();
    const ImVec2 half = options.upright ? ImVec2(thick / 2, long_side / 2) : ImVec2(long_side / 2, thick / 2);
    const Color color = held || hovered ? colors().focus_ring : colors().border;
    ImGui::GetWindowDrawList()->AddRectFilled({center.x - half.x, center.y - half.y},
                                              {center.x + half.x, center.y + half.y}, color.u32(), thick / 2);
    compat::draw_focus_ring(rect, item);
    return move;
}

namespace {

/// Other names in the settings do not concern panels, e.g. the chart in front.
bool is_of_layout(std::string_view name) {
    constexpr std::string_view kPrefixes[] = {"panel/", "area/", "columns/", "rows/"};
    return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

template <class T>
NamedList<T> taken(const NamedList<T>& list, bool of_layout) {
    NamedList<T> found;
    for (const Named<T>& item : list)
        if (is_of_layout(item.name) == of_layout) found.push_back(item);
    return found;
}

template <class T>
void replace(NamedList<T>& list, const NamedList<T>& by) {
    list = taken(list, false);
    for (const Named<T>& item : taken(by, true)) list.push_back(item);
}

}  // namespace

PanelLayout layout_of(const Settings& settings) {
    return {taken(settings.splits, true), taken(settings.switches, true), taken(settings.tabs, true),
            settings.areas};
}

void apply_layout(Settings& settings, const PanelLayout& layout) {
    replace(settings.splits, layout.splits);
    replace(settings.switches, layout.switches);
    replace(settings.tabs, layout.tabs);
    settings.areas = layout.areas;
}

}  // namespace kwb::gui
