#include "plot/layout.hpp"

#include <algorithm>
#include <cmath>

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
    parts::Work work{chart, view, canvas, parts::Sizes(frame.scale), {}, {}, {}};
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
    work.out.has_rows = work.plans.has_rows;
    parts::place_axes(work, room);
    parts::place_marks(work);
    parts::place_labels(work);
    return std::move(work.out);
}

const LegendEntry* find_legend_entry(const ChartLayout& layout, Point at) {
    for (const LegendEntry& entry : layout.legend)
        if (entry.rect.contains(at)) return &entry;
    return nullptr;
}

}  // namespace kwb::plot
