// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/xray_maps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "gui/draw_list_canvas.hpp"
#include "gui/panels/source_links.hpp"
#include "gui/widgets.hpp"
#include "model/xray_words.hpp"

namespace kwb::gui {
namespace {

/// Opacity of the present step and of those before it that are still seen.
constexpr std::array kTrail = {1.0f, 0.4f, 0.22f, 0.1f};

/// Of the selected cells, in both themes: the light theme's warning is as dark as its largest counts.
ImU32 selected_color() {
    const plot::Color color = plot::dark_theme().warning;
    return IM_COL32(color.r, color.g, color.b, 255);
}

std::string counts_words(std::uint32_t loads, std::uint32_t stores) {
    return "at most " + counted(loads, "load") + " and " + counted(stores, "store") + " per element";
}

}  // namespace

void XrayMaps::take(const std::shared_ptr<const ShownXray>& xray) {
    if (xray_ == xray) return;
    const bool is_same_kernel =
        xray_ != nullptr && xray_->key.kernel.chosen.kernel == xray->key.kernel.chosen.kernel;
    xray_ = xray;
    const XrayReport& report = xray->observed.report;
    maps_ = buffer_maps(report);
    items_.begin(report, xray->key.target.launch);
    select_item(std::nullopt);
    const XrayTotals totals = totals_of(report);
    sampled_words_ =
        totals.observed_groups < totals.groups
            ? fmt::format("Scaled to all work-groups from {} of {}.", totals.observed_groups, totals.groups)
            : "";
    player_.begin(xray_->play, is_same_kernel);
    mark_step();
}

void XrayMaps::mark_step() {
    const XrayPlay& play = xray_->play;
    marked_step_ = player_.step();
    items_.unmark(WorkItemGrid::kActive | WorkItemGrid::kAlarming);
    if (play.steps().empty()) return;
    for (const std::uint32_t item : play.items_of(marked_step_)) items_.mark(item, WorkItemGrid::kActive);
    for (const std::uint32_t item : play.alarming_items_of(marked_step_))
        items_.mark(item, WorkItemGrid::kAlarming);
}

/// Traces the group of the finding first, if it is another one.
void XrayMaps::go_to_alarm(XrayTarget& target) {
    const XrayReport& report = xray_->observed.report;
    const XrayPlace place = place_from(wanted_->place);
    const auto is_its = [&](const XraySite& site) {
        return site.place.line == place.line && site.place.file == place.file;
    };
    const auto site = std::ranges::find_if(report.sites, is_its);
    const auto item = read_tuple(wanted_->text("item"));
    if (site != report.sites.end() && item && site->launch < report.launches.size()) {
        const std::vector<std::uint64_t>& local = report.launches[site->launch].local;
        target.launch = site->launch;
        target.group = {0, 0, 0};
        for (std::size_t d = 0; d < std::min(local.size(), item->size()); ++d)
            target.group[d] = (*item)[d] / std::max<std::uint64_t>(local[d], 1);
    }
    const XrayTarget& traced = xray_->key.target;
    if (traced.launch != target.launch || traced.group != target.group) return;
    const auto alarms = xray_->play.alarms();
    const auto step = std::ranges::find_if(
        alarms, [&](std::uint32_t at) { return is_its(report.sites[xray_->play.steps()[at].site]); });
    if (!alarms.empty()) player_.go_to(xray_->play, step != alarms.end() ? *step : alarms.front());
    wanted_.reset();
}

std::string XrayMaps::cell_name(XrayCell cell) const {
    const XrayBuffer& buffer = xray_->observed.report.buffers[cell.buffer];
    const CellExtent extent = extent_of_cell(buffer, cell.cell);
    const auto range = [](std::uint64_t first, std::uint64_t last) {
        return last - first > 1 ? fmt::format("[{} \u2013 {}]", first, last - 1) : fmt::format("[{}]", first);
    };
    return buffer.name + (buffer.extents.size() > 1 ? range(extent.first_row, extent.last_row) : "") +
           range(extent.first_column, extent.last_column);
}

void XrayMaps::select_item(std::optional<std::uint32_t> item) {
    item_ = item;
    cell_.reset();
    used_by_item_.clear();
    selection_words_.clear();
    items_.unmark(WorkItemGrid::kUses);
    if (!item_) return;
    used_by_item_ = xray_->play.cells_of_item(*item_);
    std::vector<std::string> parts;
    for (const BufferMaps& map : maps_) {
        const auto cells = std::ranges::count(used_by_item_, map.buffer, &XrayCell::buffer);
        if (cells > 0)
            parts.push_back(counted(static_cast<std::size_t>(cells), "cell") + " of " +
                            xray_->observed.report.buffers[map.buffer].name);
    }
    selection_words_ = "Work-item " + items_.name(*item_) + " of the group uses " +
                       (parts.empty() ? "no drawn memory" : enumerate(parts)) + ".";
}

void XrayMaps::select_cell(std::optional<XrayCell> cell) {
    select_item(std::nullopt);
    cell_ = cell;
    if (!cell_) return;
    std::vector<std::string> loading, storing;
    std::size_t loads = 0, stores = 0;
    constexpr std::size_t kMostNamed = 4;
    for (const CellUse& use : xray_->play.users_of(*cell_)) {
        items_.mark(use.item, WorkItemGrid::kUses);
        if (use.loads && ++loads <= kMostNamed) loading.push_back(items_.name(use.item));
        if (use.stores && ++stores <= kMostNamed) storing.push_back(items_.name(use.item));
    }
    const auto told = [](const char* verb, std::size_t count, const std::vector<std::string>& names) {
        std::string words = fmt::format("{} by {}", verb, counted(count, "work-item"));
        if (count > 0) words += ": " + join(names, ", ") + (count > names.size() ? ", \u2026" : "");
        return words;
    };
    selection_words_ = cell_name(*cell_) + ", of the group " + told("loaded", loads, loading) + "; " +
                       told("stored", stores, storing) + ".";
}

/// Flashes while the steps play, when frames are drawn anyway.
ImU32 XrayMaps::alarm_color() const {
    constexpr double kFlashes = 4;  // per second
    const bool is_dim = player_.is_playing() && std::fmod(ImGui::GetTime() * kFlashes, 1) < 0.4;
    return colors().danger.with_alpha(is_dim ? 0.45f : 1.0f).u32();
}

void XrayMaps::draw_step_words(const DeskState& state, Commands& commands) {
    const XrayPlay& play = xray_->play;
    const XrayReport& report = xray_->observed.report;
    const XrayPlay::Step& step = play.steps()[marked_step_];
    const XraySite& site = report.sites[step.site];
    const std::string place = fmt::format("Line {}: {} {}", site.place.line, to_string(site.kind),
                                          report.buffers[site.buffer].name);
    if (button("xray/step/place", shortened(place, ImGui::GetContentRegionAvail().x * 0.6f),
               {.icon = kIconCode, .kind = ButtonKind::Quiet, .tooltip = "Go to this line of the source"}))
        go_to_line(state, file_of(site.place, xray_->observed.file).string(), site.place.line, commands);
    const std::string words =
        fmt::format("step {} of {}, {}", marked_step_ + 1, play.steps().size(),
                    step.interval == 0 ? "before any barrier" : "after " + counted(step.interval, "barrier"));
    flow_next(width_of(words));
    text("xray/step/words", words, {.tone = Tone::Muted, .shortens = true, .in_row = true});
    if (step.is_alarming)
        text("xray/step/alarm", "Undefined: a race, or a read of uninitialised memory",
             {.tone = Tone::Danger, .icon = kIconWarning, .shortens = true});
}

void XrayMaps::draw_selection() {
    remark("xray/selection",
           selection_words_.empty()
               ? "Click a work-item to see the elements that it uses, or a cell of a map "
                 "to see which work-items use it."
               : selection_words_,
           selection_words_.empty() ? Tone::Muted : Tone::Normal);
}

void XrayMaps::draw_legend() const {
    const FontScope font(fonts().small);
    const float side = ImGui::GetTextLineHeight(), gap = tokens().hair;
    bool is_first = true;
    const auto add = [&](const char* id, const char* words, ImU32 left, ImU32 right, const char* help) {
        const float width = side + gap + width_of(words);
        if (!std::exchange(is_first, false)) flow_next(width);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        fill_cell({at.x, at.y, side / 2, side}, left);
        fill_cell({at.x + side / 2, at.y, side / 2, side}, right);
        ImGui::GetWindowDrawList()->AddRect(at, {at.x + side, at.y + side}, colors().border.u32());
        ImGui::Dummy({width, side});
        tooltip(help);
        paint_text(id, {at.x + side + gap, at.y}, words, Tone::Muted);
    };
    const ImU32 active = colors().text.u32(), danger = colors().danger.u32();
    const auto count = [&](std::uint32_t much) {
        const plot::Color color = plot::count_color(much, 100, maps_.front().loads.color_slot, chart_theme());
        return IM_COL32(color.r, color.g, color.b, 255);
    };
    if (!xray_->play.steps().empty()) {
        add("xray/legend/active", "this step", active, active,
            "In a step, work-items act together, as the lanes of a GPU do; X-ray itself runs them one after "
            "the other.");
        add("xray/legend/before", "steps before", colors().text.with_alpha(kTrail[1]).u32(),
            colors().text.with_alpha(kTrail[3]).u32(), "The elements of the steps before fade.");
        if (!xray_->play.alarms().empty())
            add("xray/legend/alarm", "undefined", danger, danger,
                "Work-items that race for an element, or read one that nobody has set.");
        add("xray/legend/uses", "selected", selected_color(), colors().warning.u32(),
            "What the selected work-item uses, or who uses the selected element.");
        add("xray/legend/sub_groups", "sub-groups", colors().raised.u32(), colors().raised_active.u32(),
            "Work-items of the same shade next to each other are a sub-group.");
    }
    if (!maps_.empty())
        add("xray/legend/counts", "few, many accesses", count(1), count(100),
            "The largest count of loads or stores of an element in the cell, on a logarithmic scale.");
}

void XrayMaps::draw_map(const BufferMaps& map, ImVec2 at, plot::Size size) {
    const XrayBuffer& buffer = xray_->observed.report.buffers[map.buffer];
    const bool shows_stores = buffer.stores > 0 && (shows_stores_ || buffer.loads == 0);
    const plot::CountMap& counts = shows_stores ? map.stores : map.loads;
    const std::string id = "xray/map/" + std::to_string(map.buffer);
    DrawListCanvas canvas(*ImGui::GetWindowDrawList(), at);
    canvas.image(plot::count_picture(counts, chart_theme()), {0, 0, size.width, size.height});
    const plot::Rect area{std::round(at.x), std::round(at.y), size.width, size.height};
    const auto cell = [&](std::uint32_t number) {
        return plot::cell_rect(area, counts.rows, counts.columns, number);
    };
    const XrayPlay& play = xray_->play;
    for (const XrayCell& used : used_by_item_)
        if (used.buffer == map.buffer) fill_cell(cell(used.cell), selected_color());
    const std::size_t first = marked_step_ - std::min(marked_step_, kTrail.size() - 1);
    for (std::size_t step = first; step <= marked_step_ && step < play.steps().size(); ++step) {
        if (xray_->observed.report.sites[play.steps()[step].site].buffer != map.buffer) continue;
        const float alpha = kTrail[marked_step_ - step];
        const ImU32 color = colors().text.with_alpha(alpha).u32();
        for (const std::uint32_t number : play.cells_of(step)) fill_cell(cell(number), color);
        const ImU32 alarming = step == marked_step_ ? alarm_color() : colors().danger.with_alpha(alpha).u32();
        for (const std::uint32_t number : play.alarming_cells_of(step)) fill_cell(cell(number), alarming);
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRect({area.x, area.y}, {area.right(), area.bottom()}, colors().border.u32());
    if (cell_ && cell_->buffer == map.buffer) {
        const plot::Rect marked = cell(cell_->cell).grown(1);
        list.AddRect({marked.x, marked.y}, {marked.right(), marked.bottom()}, selected_color(), 0, 0,
                     2 * look().pixels());
    }
    const auto [hovered, pressed] = press_cells(id, area, counts.rows, counts.columns);
    if (hovered)
        tooltip(cell_name({map.buffer, static_cast<std::uint32_t>(*hovered)}) + ": " +
                counts_words(map.loads.counts[*hovered], map.stores.counts[*hovered]));
    if (pressed) {
        const XrayCell chosen{map.buffer, static_cast<std::uint32_t>(*pressed)};
        select_cell(cell_ == chosen ? std::nullopt : std::optional(chosen));
    }
}

/// In rows, with as many side by side as makes them largest in the room, but never too small to be legible.
void XrayMaps::draw_maps(plot::Size room) {
    const FontScope font(fonts().small);
    const float gap = tokens().gap, label = ImGui::GetTextLineHeight() + tokens().hair;
    const float least = 6 * ImGui::GetFontSize(), most = 25 * ImGui::GetFontSize();
    std::size_t beside = 1;
    float side = 0;
    for (std::size_t tried = 1; tried <= maps_.size(); ++tried) {
        const auto across = static_cast<float>(tried);
        const auto down = static_cast<float>((maps_.size() + tried - 1) / tried);
        const float wide = std::floor((room.width - gap * (across - 1)) / across);
        const float tall = std::floor((room.height + tokens().gap_small) / down) - label - tokens().gap_small;
        if (tried > 1 && (wide < least || std::min(wide, tall) < side)) break;
        beside = tried;
        side = std::min({wide, tall, most});
    }
    side = std::max(side, std::min(least, room.width));
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float top = corner.y, bottom = corner.y;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        if (i % beside == 0) top = bottom + (i > 0 ? tokens().gap_small : 0);
        const BufferMaps& map = maps_[i];
        const std::string title = fmt::format(
            "{} {}", map.name, fmt::join(xray_->observed.report.buffers[map.buffer].extents, " \u00d7 "));
        const ImVec2 at = {corner.x + static_cast<float>(i % beside) * (side + gap), top};
        paint_text("xray/map/" + std::to_string(map.buffer) + "/title", at,
                   shortened(width_of(title) > side ? map.name : title, side), Tone::Muted);
        const plot::Size size = plot::count_map_size(map.loads.rows, map.loads.columns, {side, side});
        draw_map(map, {at.x, at.y + label}, size);
        bottom = std::max(bottom, at.y + label + size.height);
    }
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({room.width, bottom - corner.y});
}

/// Side by side, in the height that is left above the legend.
void XrayMaps::draw_items_and_maps() {
    const float font = ImGui::GetFontSize(), gap = tokens().gap;
    const float width = ImGui::GetContentRegionAvail().x - tokens().scrollbar;
    const float height = std::max(ImGui::GetContentRegionAvail().y - below_, 10 * font);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float left = 0, bottom = corner.y;
    if (!xray_->play.steps().empty()) {
        left = maps_.empty() ? width : std::min(std::floor(0.4f * width), 20 * font);
        if (const auto item = items_.draw(item_, alarm_color(), {left, height}))
            select_item(item_ == item ? std::nullopt : item);
        left = ImGui::GetItemRectMax().x - corner.x + gap;
        bottom = ImGui::GetItemRectMax().y;
    }
    if (!maps_.empty()) {
        ImGui::SetCursorScreenPos({corner.x + left, corner.y});
        draw_maps({width - left, height});
        bottom = std::max(bottom, ImGui::GetItemRectMax().y);
    }
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({width, bottom - corner.y});
}

void XrayMaps::draw(const DeskState& state, const std::shared_ptr<const ShownXray>& xray, XrayTarget& target,
                    Commands& commands) {
    take(xray);
    if (wanted_ && xray_->key.kernel.chosen.kernel != wanted_of_) wanted_.reset();
    if (wanted_) go_to_alarm(target);
    group_.draw("xray", group_choices(xray_->observed.report, target.launch), target.launch, target.group);
    const std::string words = shows_stores_ ? "Show loads" : "Show stores";
    flow_next(button_width("Show stores") + tokens().gap);
    if (button("xray/maps/kind", words,
               {.width = button_width("Show stores"),
                .tooltip = "Count loads or stores; a buffer that is only stored to always shows its stores"}))
        shows_stores_ = !shows_stores_;
    if (xray_->play.steps().empty()) {
        const auto& launches = xray_->observed.report.launches;
        const std::size_t dimensions =
            launches[std::min<std::size_t>(xray_->key.target.launch, launches.size() - 1)].global.size();
        remark("xray/no_trace",
               "X-ray did not observe work-group " + tuple_words(xray_->key.target.group, dimensions) +
                   ", or it accesses no memory. Choose another one.",
               Tone::Warning);
    } else {
        player_.draw(xray_->play);
        if (marked_step_ != player_.step()) mark_step();
        draw_step_words(state, commands);
        const XrayPlace& place = xray_->observed.report.sites[xray_->play.steps()[marked_step_].site].place;
        const bool is_outdated = std::ranges::any_of(
            state.xrays, [&](const ContestantXray& one) { return one.shown == xray_ && one.is_outdated; });
        if (!is_outdated)  // the line may be another one by now
            draw_source_excerpt(state, "xray/step/line", file_of(place, xray_->observed.file).string(),
                                place.line);
    }
    draw_items_and_maps();
    const float bottom = ImGui::GetCursorScreenPos().y;
    draw_below();
    below_ = ImGui::GetCursorScreenPos().y - bottom + ImGui::GetStyle().ItemSpacing.y;
}

std::optional<TracedAccess> XrayMaps::access() const {
    if (xray_ == nullptr || marked_step_ == 0 || marked_step_ >= xray_->play.steps().size())
        return std::nullopt;
    const XrayPlay& play = xray_->play;
    const auto takes_part = [&](std::size_t step, std::uint32_t item) {
        return std::ranges::binary_search(play.items_of(step), item);
    };
    const XrayPlay::Step& shown = play.steps()[marked_step_];
    const std::uint32_t item =
        item_ && takes_part(marked_step_, *item_) ? *item_ : play.items_of(marked_step_).front();
    TracedAccess access{xray_->key.target.launch, xray_->key.target.group, item,
                        xray_->observed.report.sites[shown.site].place, shown.interval};
    for (std::size_t step = marked_step_; step-- > 0 && play.steps()[step].interval == shown.interval;)
        if (play.steps()[step].site == shown.site && takes_part(step, item)) ++access.times;
    return access;
}

void XrayMaps::draw_below() {
    draw_legend();
    if (!xray_->play.steps().empty()) {
        draw_selection();
        if (!xray_->observed.report.trace->is_whole)
            remark("xray/cut_trace", "The trace was too long; only its beginning is shown.");
    }
    if (!maps_.empty() && !sampled_words_.empty()) remark("xray/maps/sampled", sampled_words_);
}

}  // namespace kwb::gui
