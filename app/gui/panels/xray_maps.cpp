#include "gui/panels/xray_maps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "gui/draw_list_canvas.hpp"
#include "gui/panels/cells.hpp"
#include "gui/panels/source_remark.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
namespace {

constexpr std::uint8_t kActive = 1, kAlarming = 2, kUses = 4;
/// Opacity of the present step and of those before it that are still seen.
constexpr std::array kTrail = {1.0f, 0.4f, 0.22f, 0.1f};

/// "(0, 3)"
std::string tuple_words(const std::vector<std::uint64_t>& index, std::size_t dimensions) {
    std::vector<std::uint64_t> shown = index;
    shown.resize(dimensions);
    return fmt::format("({})", fmt::join(shown, ", "));
}

/// "3, 2" and "(3,2)"; nullopt if it is no group of the launch.
std::optional<std::vector<std::uint64_t>> read_group(std::string_view text, const XrayLaunch& launch) {
    std::vector<std::uint64_t> group;
    for (std::string word : split(text, ',')) {
        std::erase_if(word, [](char c) { return c == ' ' || c == '(' || c == ')'; });
        const auto index = read_number<std::uint64_t>(word);
        if (!index) return std::nullopt;
        group.push_back(*index);
    }
    if (group.empty() || group.size() > launch.global.size()) return std::nullopt;
    for (std::size_t d = 0; d < group.size(); ++d)
        if (group[d] >= launch.global[d] / launch.local[d]) return std::nullopt;
    group.resize(3);
    return group;
}

std::string counts_words(std::uint32_t loads, std::uint32_t stores) {
    return "at most " + counted(loads, "load") + " and " + counted(stores, "store") + " per element";
}

}  // namespace

void XrayMaps::take(const std::shared_ptr<const ShownXray>& xray) {
    if (xray_ == xray) return;
    const bool is_same_kernel = xray_ != nullptr && xray_->kernel == xray->kernel;
    xray_ = xray;
    const XrayReport& report = xray->observed.report;
    maps_ = buffer_maps(report);
    const std::vector<std::uint64_t> one = {1};
    const auto& local = xray->launch < report.launches.size() ? report.launches[xray->launch].local : one;
    const std::uint64_t items =
        std::accumulate(local.begin(), local.end(), std::uint64_t{1}, std::multiplies<>());
    columns_ = local.size() > 1 ? local[0] : std::min<std::uint64_t>(local[0], report.sub_group);
    items_.assign(items, 0);
    select_item(std::nullopt);
    const XrayTotals totals = totals_of(report);
    sampled_words_ = totals.observed_groups < totals.groups
                         ? fmt::format("The maps count the {} observed work-groups of {}.",
                                       totals.observed_groups, totals.groups)
                         : "";
    player_.begin(xray_->play, is_same_kernel);
    mark_step();
}

void XrayMaps::mark_step() {
    const XrayPlay& play = xray_->play;
    marked_step_ = player_.step();
    for (std::uint8_t& item : items_) item &= kUses;
    if (play.steps().empty()) return;
    const auto mark = [&](std::span<const std::uint32_t> marked, std::uint8_t as) {
        for (const std::uint32_t item : marked)
            if (item < items_.size()) items_[item] |= as;
    };
    mark(play.items_of(marked_step_), kActive);
    mark(play.alarming_items_of(marked_step_), kAlarming);
}

std::string XrayMaps::item_name(std::uint32_t item) const {
    const XrayReport& report = xray_->observed.report;
    if (xray_->launch >= report.launches.size()) return std::to_string(item);
    const auto& local = report.launches[xray_->launch].local;
    std::vector<std::uint64_t> index;
    std::uint64_t rest = item;
    for (const std::uint64_t extent : local) {
        index.push_back(rest % extent);
        rest /= extent;
    }
    return tuple_words(index, index.size());
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
    for (std::uint8_t& known : items_) known &= static_cast<std::uint8_t>(~kUses);
    if (!item_) return;
    used_by_item_ = xray_->play.cells_of_item(*item_);
    std::vector<std::string> parts;
    for (const BufferMaps& map : maps_) {
        const auto cells = std::ranges::count(used_by_item_, map.buffer, &XrayCell::buffer);
        if (cells > 0)
            parts.push_back(counted(static_cast<std::size_t>(cells), "cell") + " of " +
                            xray_->observed.report.buffers[map.buffer].name);
    }
    selection_words_ = "Work-item " + item_name(*item_) + " of the group uses " +
                       (parts.empty() ? "no memory that is drawn" : enumerate(parts)) + ".";
}

void XrayMaps::select_cell(std::optional<XrayCell> cell) {
    select_item(std::nullopt);
    cell_ = cell;
    if (!cell_) return;
    std::vector<std::string> loading, storing;
    std::size_t loads = 0, stores = 0;
    constexpr std::size_t kMostNamed = 4;
    for (const CellUse& use : xray_->play.users_of(*cell_)) {
        if (use.item < items_.size()) items_[use.item] |= kUses;
        if (use.loads && ++loads <= kMostNamed) loading.push_back(item_name(use.item));
        if (use.stores && ++stores <= kMostNamed) storing.push_back(item_name(use.item));
    }
    const auto told = [](const char* verb, std::size_t count, const std::vector<std::string>& names) {
        std::string words = fmt::format("{} by {}", verb, counted(count, "work-item"));
        if (count > 0) words += ": " + join(names, ", ") + (count > names.size() ? ", \u2026" : "");
        return words;
    };
    selection_words_ = cell_name(*cell_) + ", of the group " + told("loaded", loads, loading) + "; " +
                       told("stored", stores, storing) + ".";
}

void XrayMaps::draw_group(XrayTarget& target) {
    const XrayReport& report = xray_->observed.report;
    const std::size_t launch = std::min<std::size_t>(target.launch, report.launches.size() - 1);
    const float gap = tokens().gap_small, field = 6 * ImGui::GetFontSize();
    if (report.launches.size() > 1) {
        const auto name = [&](std::size_t i) {
            return fmt::format("{}. {}", i + 1, report.launches[i].kernel);
        };
        const Combo combo("xray/launch", name(launch),
                          {.width = 2 * field, .tooltip = "The launch of which a work-group is shown"});
        if (combo.open)
            for (std::size_t i = 0; i < report.launches.size(); ++i)
                if (option("xray/launch/" + std::to_string(i), name(i), {.chosen = i == launch})) {
                    target.launch = static_cast<std::uint32_t>(i);
                    target.group = {0, 0, 0};
                }
        ImGui::SameLine(0, gap);
    }
    ImGui::AlignTextToFramePadding();
    text("xray/group/label", "Work-group");
    ImGui::SameLine(0, gap);
    const XrayLaunch& shown = report.launches[launch];
    const std::string now = tuple_words(target.group, shown.global.size());
    if (const auto typed = typed_field("xray/group", now, typing_, field)) {
        if (const auto group = read_group(*typed, shown))
            target.group = *group;
        else
            typing_.refuse("This launch has no such work-group");
    }
    std::vector<std::uint64_t> groups;
    for (std::size_t d = 0; d < shown.global.size(); ++d) groups.push_back(shown.global[d] / shown.local[d]);
    const std::string* const refusal = typing_.refusal();
    tooltip(refusal != nullptr
                ? *refusal + ": there are " + fmt::format("{}", fmt::join(groups, " \u00d7 "))
                : fmt::format("One of {}, which is shown step by step", fmt::join(groups, " \u00d7 ")));
    typing_.end_frame();
    const std::string words = shows_stores_ ? "Show loads" : "Show stores";
    flow_next(button_width("Show stores") + tokens().gap);
    if (button("xray/maps/kind", words,
               {.width = button_width("Show stores"),
                .tooltip = "What the maps count; a buffer that is only stored to always shows its stores"}))
        shows_stores_ = !shows_stores_;
}

/// Flashes while the steps play, when frames are drawn anyway.
ImU32 XrayMaps::alarm_color() const {
    constexpr double kFlashes = 4;  // a second
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
    ImGui::AlignTextToFramePadding();
    text("xray/step/words", words, {.tone = Tone::Muted, .shortens = true});
    if (step.is_alarming)
        text("xray/step/alarm",
             "Undefined: these work-items race for the marked elements, or read them before they are set.",
             {.tone = Tone::Danger, .icon = kIconWarning, .wraps = true});
}

void XrayMaps::draw_items() {
    const std::size_t rows = (items_.size() + columns_ - 1) / columns_;
    const float most = 16 * look().pixels();
    const float room = ImGui::GetContentRegionAvail().x - tokens().scrollbar;
    const plot::Size size = plot::count_map_size(
        rows, columns_, {std::min(room, most * static_cast<float>(columns_)), 14 * ImGui::GetFontSize()});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const plot::Rect area{at.x, at.y, size.width, size.height};
    const float cell_px = size.width / static_cast<float>(columns_);
    const float inset = cell_px > 5 ? std::round(cell_px * 0.1f) : 0;
    const std::uint32_t sub_group = xray_->observed.report.sub_group;
    const ImU32 idle[] = {colors().raised.u32(), colors().raised_active.u32()};
    const ImU32 active = colors().text.u32(), alarming = alarm_color(), uses = colors().warning.u32();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const std::uint8_t known = items_[i];
        const plot::Rect cell = plot::cell_rect(area, rows, columns_, i).grown(-inset);
        fill_cell(cell, (known & kAlarming) != 0 ? alarming
                        : (known & kActive) != 0 ? active
                                                 : idle[i / sub_group % 2]);
        if ((known & kUses) != 0 || item_ == i)
            list.AddRect({cell.x, cell.y}, {cell.right(), cell.bottom()}, uses, 0, 0,
                         std::max(1.0f, cell_px * 0.16f));
    }
    const auto [hovered, pressed] = press_cells("xray/items", area, rows, columns_);
    if (hovered && *hovered < items_.size())
        tooltip("Work-item " + item_name(static_cast<std::uint32_t>(*hovered)) +
                " of the group; a click shows what it uses");
    if (pressed && *pressed < items_.size()) {
        const auto item = static_cast<std::uint32_t>(*pressed);
        select_item(item_ == item ? std::nullopt : std::optional(item));
    }
}

void XrayMaps::draw_selection() {
    remark("xray/selection",
           selection_words_.empty() ? "Click a work-item to see the elements that it uses, or a cell below "
                                      "to see which work-items use it. "
                                      "Alternate shades are sub-groups."
                                    : selection_words_,
           selection_words_.empty() ? Tone::Muted : Tone::Normal);
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
        if (used.buffer == map.buffer) fill_cell(cell(used.cell), colors().warning.u32());
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
        list.AddRect({marked.x, marked.y}, {marked.right(), marked.bottom()}, colors().warning.u32(), 0, 0,
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

/// In rows, as many side by side as can be seen well.
void XrayMaps::draw_maps() {
    const float room = ImGui::GetContentRegionAvail().x - tokens().scrollbar, gap = tokens().gap;
    const float least = 9 * ImGui::GetFontSize();
    const auto beside = static_cast<std::size_t>(std::clamp((room + gap) / (least + gap), 1.0f, 5.0f));
    const float side =
        std::min(std::floor((room - gap * static_cast<float>(beside - 1)) / static_cast<float>(beside)),
                 22 * ImGui::GetFontSize());
    const FontScope font(fonts().small);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float label = ImGui::GetTextLineHeight() + tokens().hair;
    float top = corner.y, bottom = corner.y;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        if (i % beside == 0) top = bottom + (i > 0 ? tokens().gap_small : 0);
        const BufferMaps& map = maps_[i];
        const std::string title = fmt::format(
            "{} {}", map.name, fmt::join(xray_->observed.report.buffers[map.buffer].extents, " \u00d7 "));
        const ImVec2 at = {corner.x + static_cast<float>(i % beside) * (side + gap), top};
        paint_text("xray/map/" + std::to_string(map.buffer) + "/title", at, shortened(title, side),
                   Tone::Muted);
        const plot::Size size = plot::count_map_size(map.loads.rows, map.loads.columns, {side, side});
        draw_map(map, {at.x, at.y + label}, size);
        bottom = std::max(bottom, at.y + label + size.height);
    }
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({room, bottom - corner.y});
}

void XrayMaps::draw(const DeskState& state, const std::shared_ptr<const ShownXray>& xray, XrayTarget& target,
                    Commands& commands) {
    take(xray);
    draw_group(target);
    if (xray_->play.steps().empty()) {
        const auto& launches = xray_->observed.report.launches;
        const std::size_t dimensions =
            launches[std::min<std::size_t>(xray_->launch, launches.size() - 1)].global.size();
        remark("xray/no_trace",
               "X-ray did not observe work-group " + tuple_words(xray_->group, dimensions) +
                   ", or it accesses no memory. Choose another one.",
               Tone::Warning);
    } else {
        player_.draw(xray_->play);
        if (marked_step_ != player_.step()) mark_step();
        draw_step_words(state, commands);
        draw_items();
        draw_selection();
        if (!xray_->observed.report.trace->is_whole)
            remark("xray/cut_trace", "The trace was too long: only its beginning can be shown.");
    }
    if (maps_.empty()) return;
    draw_maps();
    if (!sampled_words_.empty()) remark("xray/maps/sampled", sampled_words_);
    remark("xray/maps/terms",
           "Colours: the largest count of loads or stores of an element in the cell, on a logarithmic "
           "scale. In a step, work-items act together, as the lanes of a GPU do; X-ray itself runs them one "
           "after the other.");
}

}  // namespace kwb::gui
