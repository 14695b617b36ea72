// SPDX-License-Identifier: Apache-2.0
#include "plot/layout.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "plot/layout_parts.hpp"

namespace kwb::plot {
namespace parts {

Sizes::Sizes(float by) : scale(by) {
    for (TextStyle* style : {&title, &subtitle, &axis_title, &tick, &label, &row, &note})
        style->size_px *= by;
    pad_px *= by;
}

bool Work::is_free(const Rect& box) const {
    return std::ranges::none_of(out.texts, [&](const PlacedText& text) { return text.box.overlaps(box); }) &&
           std::ranges::none_of(out.legend,
                                [&](const LegendEntry& entry) { return entry.rect.overlaps(box); });
}

std::optional<Rect> Work::place(TextRole role, std::string_view text, Point at, const TextStyle& style,
                                const TextPlace& how, float most_px, std::size_t series, std::size_t item) {
    PlacedText placed;
    // Kernel names often differ only at their ends.
    const bool is_name = role == TextRole::TickX || role == TextRole::TickY;
    placed.text = shortened(canvas, text, style, most_px, is_name ? Keep::BothEnds : Keep::Beginning);
    if (placed.text.empty()) return {};
    placed.role = role;
    placed.at = at;
    placed.style = style;
    placed.place = how;
    placed.series = series;
    placed.item = item;
    placed.shortened = placed.text != text;
    if (placed.shortened) placed.whole = std::string(text);
    placed.box = text_box(at, width(placed.text, style), style, how);
    out.texts.push_back(std::move(placed));
    return out.texts.back().box;
}

namespace {

/// Breaks the text at spaces into at most `most` lines of at most `width_px`; the last is shortened if
/// necessary.
std::vector<std::string> wrapped(const Canvas& canvas, std::string_view text, const TextStyle& style,
                                 float width_px, std::size_t most) {
    std::vector<std::string> lines;
    while (!text.empty() && lines.size() < most) {
        // Take as many words as fit.
        std::size_t end = 0;
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t next = std::min(text.find(' ', at + 1), text.size());
            if (end > 0 && canvas.text_width(text.substr(0, next), style) > width_px) break;
            end = at = next;
        }
        const bool last = lines.size() + 1 == most;
        lines.push_back(shortened(canvas, last ? text : text.substr(0, end), style, width_px));
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return lines;
}

/// The entries without their positions.
std::vector<LegendEntry> legend_entries(const Chart& chart, const ChartView& view) {
    std::vector<LegendEntry> entries;
    for (const Series& series : chart.series) {
        if (!series.in_legend || series.name.empty()) continue;
        if (std::holds_alternative<HeatMap>(series.data) || std::holds_alternative<Rule>(series.data))
            continue;
        if (std::ranges::find(entries, series.name, &LegendEntry::name) != entries.end()) continue;
        const auto* line = std::get_if<Line>(&series.data);
        LegendEntry& entry = entries.emplace_back();
        entry.name = series.name;
        // One entry represents an earlier run with all its kernels.
        entry.ghost = series.ghost;
        entry.color_slot = series.ghost ? kNeutralSlot : series.color_slot;
        entry.swatch = line                                                ? Swatch::Line
                       : std::holds_alternative<ScatterPoint>(series.data) ? Swatch::Marker
                                                                           : Swatch::Box;
        entry.dashed = line && line->dashed;
        entry.hidden = !view.shows(series.name);
    }
    return entries;
}

/// Whether the category names already identify the series, because no category has more than one series.
bool told_by_categories(const Chart& chart) {
    std::map<std::size_t, std::string_view> owner;
    for (const Series& series : chart.series) {
        if (std::holds_alternative<Rule>(series.data)) continue;
        const auto* bars = std::get_if<Bars>(&series.data);
        if (!bars) return false;
        for (const Bar& bar : bars->bars)
            if (owner.emplace(bar.category, series.name).first->second != series.name) return false;
    }
    return true;
}

/// @return  y below the title lines
float place_titles(Work& work, const Rect& room) {
    const Sizes& sizes = work.sizes;
    float y = room.y;
    float subtitle_x = room.x;
    const auto title =
        work.place(TextRole::Title, work.chart.title, {room.x, y}, sizes.title, {}, room.width);
    if (title) {
        subtitle_x = title->right() + 8 * sizes.scale;
        y += sizes.line_px(sizes.title) + 3 * sizes.scale;
    }
    if (work.chart.subtitle.empty()) return y;
    const float needed_px = work.width(work.chart.subtitle, sizes.subtitle);
    const float beside_px = room.right() - subtitle_x;
    const bool low = room.height < 190 * sizes.scale;
    if (title && (needed_px <= beside_px || (low && beside_px > 60 * sizes.scale))) {
        // On the same baseline as the title.
        const float drop = (sizes.title.size_px - sizes.subtitle.size_px) * kAscent;
        work.place(TextRole::Subtitle, work.chart.subtitle, {subtitle_x, room.y + drop}, sizes.subtitle, {},
                   beside_px);
    } else if (!low || !title) {
        work.place(TextRole::Subtitle, work.chart.subtitle, {room.x, y}, sizes.subtitle, {}, room.width);
        y += sizes.line_px(sizes.subtitle) + 3 * sizes.scale;
    }
    return y;
}

/// Places the entries in rows from left to right.
/// @return  y below the last row
float place_legend(Work& work, const Rect& room, float y) {
    const Chart& chart = work.chart;
    std::vector<LegendEntry> entries = legend_entries(chart, work.view);
    reserve_line_names(work, {room.x, y, room.width, room.bottom() - y}, entries);
    if (entries.empty()) return y;
    if (!chart.always_legend && (entries.size() < 2 || told_by_categories(chart))) return y;

    const Sizes& sizes = work.sizes;
    const float s = sizes.scale;
    const float row_px = sizes.line_px(sizes.label) + 5 * s;
    const float swatch_px = 18 * s;
    const float gap_px = 10 * s;
    // At most about a third of the height; names are shortened first, then entries are omitted.
    const auto most_rows = std::max(1, static_cast<int>((room.bottom() - y) * 0.3f / row_px));
    float name_px = std::min(220 * s, room.width - swatch_px - 6 * s);
    const auto entry_px = [&](const LegendEntry& entry) {
        return swatch_px + std::min(name_px, work.width(entry.name, sizes.label)) + 6 * s;
    };
    const auto rows_needed = [&] {
        int rows = 1;
        float x = 0;
        for (const LegendEntry& entry : entries) {
            const float width = entry_px(entry);
            if (x > 0 && x + width > room.width) ++rows, x = 0;
            x += width + gap_px;
        }
        return rows;
    };
    while (rows_needed() > most_rows && name_px > 36 * s) name_px *= 0.85f;

    const bool crowded = rows_needed() > most_rows;
    float x = room.x;
    int row = 0;
    std::vector<LegendEntry>& placed = work.out.legend;
    for (LegendEntry& entry : entries) {
        const float width = entry_px(entry);
        const bool last_row = row + 1 >= most_rows && placed.size() + 1 < entries.size();
        const float more_px = last_row && crowded ? 24 * s : 0;
        if (x > room.x && x + width + more_px > room.right() + 0.5f) {
            if (row + 1 >= most_rows) break;
            ++row;
            x = room.x;
            y += row_px;
        }
        entry.text = shortened(work.canvas, entry.name, sizes.label, name_px + 0.5f, Keep::BothEnds);
        entry.rect = {x, y, std::min(width, room.right() - x), row_px - 2 * s};
        x += width + gap_px;
        placed.push_back(std::move(entry));
    }
    // Show how many entries were omitted.
    if (placed.size() < entries.size())
        work.place(TextRole::Label, "+" + std::to_string(entries.size() - placed.size()), {x, y + 1.5f * s},
                   sizes.label, {}, room.right() - x);
    return y + row_px + 2 * s;
}

/// @return  y of the first note
float place_notes(Work& work, const Rect& room) {
    const Sizes& sizes = work.sizes;
    if (!work.out.frame.notes || work.chart.notes.empty() || room.height < 170 * sizes.scale)
        return room.bottom();
    const float line_px = sizes.line_px(sizes.note);
    const auto most = static_cast<std::size_t>(std::max(1.0f, room.height * 0.22f / line_px));
    std::vector<std::string> lines;
    for (const std::string& note : work.chart.notes) {
        if (lines.size() >= most) break;
        for (std::string& line : wrapped(work.canvas, note, sizes.note, room.width, most - lines.size()))
            lines.push_back(std::move(line));
    }
    const float top = room.bottom() - line_px * static_cast<float>(lines.size());
    float y = top;
    for (const std::string& line : lines) {
        work.place(TextRole::Note, line, {room.x, y}, sizes.note, {}, room.width + 1);
        y += line_px;
    }
    return top - 6 * sizes.scale;
}

void place_empty_text(Work& work, const Rect& room) {
    const Sizes& sizes = work.sizes;
    const std::string_view text =
        work.chart.empty_text.empty() ? "No data yet" : std::string_view(work.chart.empty_text);
    const float line_px = sizes.line_px(sizes.subtitle) * 1.2f;
    const auto most = static_cast<std::size_t>(std::max(1.0f, room.height / line_px));
    const auto lines =
        wrapped(work.canvas, text, sizes.subtitle, std::min(room.width, 420 * sizes.scale), most);
    float y = room.center().y - line_px * static_cast<float>(lines.size()) / 2;
    for (const std::string& line : lines) {
        work.place(TextRole::Empty, line, {room.center().x, y}, sizes.subtitle,
                   {AlignX::Center, AlignY::Top, false}, room.width + 1);
        y += line_px;
    }
}

/// Places title, subtitle, legend and swatches at the top, notes at the bottom.
/// @return  the remaining space between them
Rect place_surroundings(Work& work, Rect room) {
    const float bottom = place_notes(work, room);
    float top = place_titles(work, room);
    if (!work.out.empty) top = place_legend(work, {room.x, room.y, room.width, bottom - room.y}, top);
    return {room.x, top, room.width, std::max(0.0f, bottom - top)};
}

/// Replaces non-finite or extreme values of the frame by usable ones.
Frame sane(Frame frame) {
    if (!std::isfinite(frame.scale) || frame.scale <= 0) frame.scale = 1;
    Rect& rect = frame.rect;
    if (!std::isfinite(rect.x)) rect.x = 0;
    if (!std::isfinite(rect.y)) rect.y = 0;
    rect.width = std::isfinite(rect.width) ? std::clamp(rect.width, 1.0f, 30000.0f) : 1;
    rect.height = std::isfinite(rect.height) ? std::clamp(rect.height, 1.0f, 30000.0f) : 1;
    return frame;
}

}  // namespace
}  // namespace parts

ChartLayout lay_out(const Chart& chart, const ChartView& view, const Frame& wanted, const Canvas& canvas) {
    const Frame frame = parts::sane(wanted);
    parts::Work work{chart, view, canvas, parts::Sizes(frame.scale), {}, {}, {}, {}, 0};
    work.out.frame = frame;
    work.out.empty = !has_data(chart);

    const float pad = std::min({work.sizes.pad_px, frame.rect.width / 8, frame.rect.height / 8});
    const Rect room = parts::place_surroundings(work, frame.rect.grown(-pad));
    work.out.plot = room;
    if (work.out.empty) {
        parts::place_empty_text(work, room);
        return std::move(work.out);
    }
    work.plans = parts::plan_axes(chart, view);
    parts::place_axes(work, room);
    parts::place_marks(work);
    parts::place_line_names(work);
    parts::place_labels(work);
    return std::move(work.out);
}

const LegendEntry* find_legend_entry(const ChartLayout& layout, Point at) {
    for (const LegendEntry& entry : layout.legend)
        if (entry.rect.contains(at)) return &entry;
    return nullptr;
}

}  // namespace kwb::plot
