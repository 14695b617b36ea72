// The parts around the plot: title, legend, notes.
#include <algorithm>
#include <map>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

struct LegendPart {
    std::string_view name;
    std::size_t slot;
    Swatch swatch;
    bool dashed;
};

std::vector<LegendPart> legend_parts(const Chart& chart) {
    std::vector<LegendPart> found;
    for (const Series& series : chart.series) {
        if (!series.in_legend || series.name.empty()) continue;
        if (std::holds_alternative<HeatMap>(series.data) || std::holds_alternative<Rule>(series.data))
            continue;
        if (std::ranges::find(found, series.name, &LegendPart::name) != found.end()) continue;
        const auto* line = std::get_if<Line>(&series.data);
        const Swatch swatch = line                                          ? Swatch::Line
                              : std::holds_alternative<Points>(series.data) ? Swatch::Marker
                                                                            : Swatch::Box;
        found.push_back({series.name, series.color_slot, swatch, line && line->dashed});
    }
    return found;
}

/// Whether the category names already identify the series, because no category has more than one series.
bool told_by_categories(const Chart& chart) {
    std::map<std::size_t, std::string_view> owner;
    const auto claim = [&](std::size_t category, std::string_view name) {
        return owner.emplace(category, name).first->second == name;
    };
    for (const Series& series : chart.series) {
        if (std::holds_alternative<Rule>(series.data)) continue;
        const auto* bars = std::get_if<Bars>(&series.data);
        const auto* boxes = std::get_if<Boxes>(&series.data);
        if (!bars && !boxes) return false;
        if (bars)
            for (const Bar& bar : bars->bars)
                if (!claim(bar.category, series.name)) return false;
        if (boxes)
            for (const Box& box : boxes->boxes)
                if (!claim(box.category, series.name)) return false;
    }
    return true;
}

/// @return  y below the title lines
float place_titles(Work& work, const Rect& room) {
    const Sizes& sizes = work.sizes;
    float y = room.y;
    float subtitle_x = room.x;
    bool beside = false;
    if (!work.chart.title.empty()) {
        const float line_px = sizes.line_px(sizes.title);
        const auto box =
            work.place(TextRole::Title, work.chart.title, {room.x, y}, sizes.title, {}, room.width);
        if (box) {
            subtitle_x = box->right() + 8 * sizes.scale;
            y += line_px + 3 * sizes.scale;
            beside = true;
        }
    }
    if (work.chart.subtitle.empty()) return y;
    const float needed_px = work.width(work.chart.subtitle, sizes.subtitle);
    const float beside_px = room.right() - subtitle_x;
    const bool low = room.height < 190 * sizes.scale;
    if (beside && (needed_px <= beside_px || (low && beside_px > 60 * sizes.scale))) {
        // On the same baseline as the title.
        const float drop = (sizes.title.size_px - sizes.subtitle.size_px) * kAscent;
        work.place(TextRole::Subtitle, work.chart.subtitle, {subtitle_x, room.y + drop}, sizes.subtitle, {},
                   beside_px);
    } else if (!low || !beside) {
        work.place(TextRole::Subtitle, work.chart.subtitle, {room.x, y}, sizes.subtitle, {}, room.width);
        y += sizes.line_px(sizes.subtitle) + 3 * sizes.scale;
    }
    return y;
}

/// Places the entries in rows from left to right.
/// @return  y below the last row
float place_legend(Work& work, const Rect& room, float y) {
    const Chart& chart = work.chart;
    const std::vector<LegendPart> entries = legend_parts(chart);
    if (chart.legend == LegendUse::Never || entries.empty()) return y;
    if (chart.legend == LegendUse::Auto && (entries.size() < 2 || told_by_categories(chart))) return y;

    const Sizes& sizes = work.sizes;
    const float s = sizes.scale;
    const float row_px = sizes.line_px(sizes.label) + 5 * s;
    const float swatch_px = 18 * s;
    const float gap_px = 10 * s;
    // At most about a third of the height; names are shortened first, then entries are omitted.
    const auto most_rows = std::max(1, static_cast<int>((room.bottom() - y) * 0.3f / row_px));
    float name_px = std::min(220 * s, room.width - swatch_px - 6 * s);
    const auto entry_px = [&](const LegendPart& entry) {
        return swatch_px + std::min(name_px, work.width(entry.name, sizes.label)) + 6 * s;
    };
    const auto rows_needed = [&] {
        int rows = 1;
        float x = 0;
        for (const LegendPart& entry : entries) {
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
    std::size_t placed_count = 0;
    for (const LegendPart& entry : entries) {
        const float width = entry_px(entry);
        const bool last_row = row + 1 >= most_rows && placed_count + 1 < entries.size();
        const float more_px = last_row && crowded ? 24 * s : 0;
        if (x > room.x && x + width + more_px > room.right() + 0.5f) {
            if (row + 1 >= most_rows) break;
            ++row;
            x = room.x;
            y += row_px;
        }
        LegendEntry placed;
        placed.name = std::string(entry.name);
        placed.text = shortened(work.canvas, entry.name, sizes.label, name_px + 0.5f, Keep::BothEnds);
        placed.color_slot = entry.slot;
        placed.swatch = entry.swatch;
        placed.dashed = entry.dashed;
        placed.hidden = !work.view.shows(entry.name);
        placed.rect = {x, y, std::min(width, room.right() - x), row_px - 2 * s};
        x += width + gap_px;
        work.out.legend.push_back(std::move(placed));
        ++placed_count;
    }
    // Show how many entries were omitted.
    if (placed_count < entries.size())
        work.place(TextRole::Label, "+" + std::to_string(entries.size() - placed_count), {x, y + 1.5f * s},
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

}  // namespace

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

Rect place_surroundings(Work& work, Rect room) {
    const float bottom = place_notes(work, room);
    float top = place_titles(work, room);
    if (!work.out.empty) top = place_legend(work, {room.x, room.y, room.width, bottom - room.y}, top);
    return {room.x, top, room.width, std::max(0.0f, bottom - top)};
}

}  // namespace kwb::plot::parts
