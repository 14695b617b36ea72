// SPDX-License-Identifier: Apache-2.0
// Positions of the axes, their numbers and their titles, and of a heat map's colour bar.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

/// Distance between plot and numbers. More than half a line, so that the numbers of both axes at the corner
/// do not overlap.
constexpr float kTickGapPx = 7.5f;

/// The part of an axis that a tick's label covers.
struct Cover {
    float low_px = 0;
    float high_px = 0;
};

Cover cover_of(const Work& work, const Tick& tick, const TextStyle& style, bool horizontal) {
    const float half = (horizontal ? work.width(tick.label, style) : work.sizes.line_px(style)) / 2;
    return {tick.at_px - half, tick.at_px + half};
}

/// Removes labels that touch an earlier one.
/// @return  whether no label was removed
bool keep_apart(const Work& work, std::vector<Tick>& ticks, const TextStyle& style, bool horizontal,
                float gap_px) {
    bool all = true;
    std::optional<Cover> before;
    for (Tick& tick : ticks) {
        if (tick.label.empty()) continue;
        const Cover cover = cover_of(work, tick, style, horizontal);
        if (before && cover.low_px < before->high_px + gap_px && before->low_px < cover.high_px + gap_px) {
            tick.label.clear();
            all = false;
        } else {
            before = cover;
        }
    }
    return all;
}

/// Ticks with labels; labels that would touch another are removed.
struct TickTry {
    std::vector<Tick> ticks;
    bool all_labelled = false;

    std::ptrdiff_t labelled() const {
        return std::ranges::count_if(ticks, [](const Tick& tick) { return !tick.label.empty(); });
    }
};

TickTry try_ticks(const Work& work, const AxisPlan& plan, const Scale& scale, bool horizontal, int most) {
    TickTry result;
    result.ticks = nice_ticks(plan.kind, plan.shown, most, plan.whole_numbers);
    // Labels are written in the axis's unit. The factor is a power of ten, so the steps stay round.
    for (Tick& tick : result.ticks) tick.value *= plan.unit.factor;
    label_ticks(result.ticks, plan.kind);
    for (Tick& tick : result.ticks) {
        tick.value /= plan.unit.factor;
        if (plan.unit_at_ticks && !tick.label.empty())
            tick.label = format_value(tick.value, plan.unit.unit, 6);
        tick.at_px = scale.to_px(tick.value);
    }
    result.all_labelled =
        keep_apart(work, result.ticks, work.sizes.tick, horizontal, (horizontal ? 9 : 1) * work.sizes.scale);
    return result;
}

/// Ticks with the names of the categories, with positions.
std::vector<Tick> row_ticks(const Work& work, const AxisPlan& plan, const Scale& scale) {
    std::vector<Tick> ticks;
    for (std::size_t i = 0; i < plan.categories.size(); ++i) {
        const auto at = static_cast<double>(i);
        ticks.push_back({at, scale.to_px(at), plan.categories[i], true});
    }
    keep_apart(work, ticks, work.sizes.row, false, 0);
    return ticks;
}

/// @param horizontal  true for an x axis
Scale make_scale(const AxisPlan& plan, const Rect& plot, bool horizontal) {
    if (horizontal) return {plan.kind, plan.shown, plot.left(), plot.right()};
    if (plan.downwards) return {plan.kind, plan.shown, plot.top(), plot.bottom()};
    return {plan.kind, plan.shown, plot.bottom(), plot.top()};
}

struct Margins {
    float left = 0;
    float right = 0;
    float bottom = 0;
    float top = 0;
};

/// Omits numbers that would extend beyond the picture, as in tiny frames.
void place_x_numbers(Work& work) {
    const Sizes& sizes = work.sizes;
    const Rect& frame = work.out.frame.rect;
    const float top = work.out.plot.bottom() + kTickGapPx * sizes.scale;
    for (Tick& tick : work.out.x_ticks) {
        const Cover cover = cover_of(work, tick, sizes.tick, true);
        if (cover.low_px < frame.left() || cover.high_px > frame.right()) tick.label.clear();
        work.place(TextRole::TickX, tick.label, {tick.at_px, top}, sizes.tick,
                   {AlignX::Center, AlignY::Top, false});
    }
}

void place_y_labels(Work& work, float most_px) {
    const Sizes& sizes = work.sizes;
    const float right = work.out.plot.left() - kTickGapPx * sizes.scale;
    const TextStyle& style = work.out.has_rows() ? sizes.row : sizes.tick;
    for (Tick& tick : work.out.y_ticks) {
        const auto box = work.place(TextRole::TickY, tick.label, {right, tick.at_px}, style,
                                    {AlignX::Right, AlignY::Middle, false}, most_px);
        if (!box) tick.label.clear();
    }
}

/// The full title. If that does not fit, only the unit, because numbers are of little use without a unit.
std::string_view fitting_title(const Work& work, const AxisPlan& plan, float most_px,
                               const TextStyle& style) {
    if (work.width(plan.title, style) <= most_px || plan.unit.unit.empty()) return plan.title;
    const std::size_t bracket = plan.title.rfind('[');
    return std::string_view(plan.title).substr(bracket == std::string::npos ? 0 : bracket);
}

void place_axis_titles(Work& work, const Rect& room, bool x_title, bool y_title) {
    const auto place = [&](const AxisPlan& plan, Point at, AlignY align, bool upright, float most_px) {
        const TextStyle& style = work.sizes.axis_title;
        const std::string_view title = fitting_title(work, plan, most_px, style);
        work.place(TextRole::AxisTitle, title, at, style, {AlignX::Center, align, upright}, most_px);
    };
    const Point middle = work.out.plot.center();
    if (x_title)
        place(work.plans.x, {middle.x, room.bottom()}, AlignY::Bottom, false,
              2 * std::min(middle.x - room.left(), room.right() - middle.x));
    if (y_title)
        place(work.plans.y, {room.left(), middle.y}, AlignY::Top, true,
              2 * std::min(middle.y - room.top(), room.bottom() - middle.y));
}

/// Low rows get a smaller font, down to a legible minimum, so that no name is left out.
TextStyle style_of_rows(const Sizes& sizes, const AxisPlan& plan, float plot_px) {
    constexpr float kLeast = 0.66f;
    TextStyle style = sizes.tick;
    const float slot_px = plot_px / static_cast<float>(std::max<std::size_t>(1, plan.categories.size()));
    style.size_px *= std::clamp(0.99f * slot_px / sizes.line_px(style), kLeast, 1.0f);
    return style;
}

/// Preserves the aspect ratio of a map, unless it would become a thin strip.
Rect shaped(const Rect& plot, const AxisPlan& x, const AxisPlan& y) {
    const double aspect = std::clamp(x.whole.span() / y.whole.span(), 0.4, 2.5);
    Rect result = plot;
    result.width = std::min(plot.width, static_cast<float>(plot.height * aspect));
    result.height = std::min(plot.height, static_cast<float>(result.width / aspect));
    return result;
}

/// Reserves room for the numbers at the ends of bars.
void add_headroom(Work& work) {
    AxisPlan& plan = work.plans.x;
    float room_px = 36 * work.sizes.scale;
    for (const Series& series : work.chart.series)
        if (const auto* bars = std::get_if<Bars>(&series.data))
            for (const Bar& bar : bars->bars)
                if (bar.value && std::isfinite(*bar.value))
                    room_px = std::max(room_px, work.width(value_text(plan, *bar.value), work.sizes.row) +
                                                    10 * work.sizes.scale);
    const float length_px = work.out.plot.width;
    if (!plan.bars || work.chart.x.high || length_px < 2 * room_px) return;
    const bool zoomed = !(plan.shown == plan.whole);
    const Range higher =
        Scale(plan.kind, plan.whole, 0, 1).part(0, 1 + static_cast<double>(room_px / (length_px - room_px)));
    if (std::isfinite(higher.high)) plan.whole.high = higher.high;
    if (!zoomed) plan.shown = plan.whole;
}

/// As many number ticks as fit on the axis, labelled in its unit, with positions.
std::vector<Tick> number_ticks(const Work& work, const AxisPlan& plan, const Scale& scale, bool horizontal) {
    const float wanted_px = (horizontal ? 66 : 40) * work.sizes.scale;
    const int start = std::clamp(static_cast<int>(scale.length_px() / wanted_px) + 1, 2, 12);
    TickTry found;
    for (int most = start; most >= 2; --most) {
        found = try_ticks(work, plan, scale, horizontal, most);
        if (found.all_labelled) break;
    }
    // A single number does not show the scale; prefer two numbers even if they are close.
    for (int most = start + 1; found.labelled() < 2 && most <= start + 3; ++most) {
        TickTry more = try_ticks(work, plan, scale, horizontal, most);
        if (more.labelled() >= 2) found = std::move(more);
    }
    return std::move(found.ticks);
}

/// @return  width of the longest label in pixels
float widest(const Work& work, const std::vector<Tick>& ticks, const TextStyle& style) {
    float width = 0;
    for (const Tick& tick : ticks) width = std::max(width, work.width(tick.label, style));
    return width;
}

// The colours of a heat map: their range, their bar, and the swatches above the plot.

// Distance of the bar from the plot with its frame, and its width, at scale 1.
constexpr float kGapPx = 18;
constexpr float kBarPx = 12;

bool has_room_for_bar(const Work& work, const Rect& room) {
    return room.width > 150 * work.sizes.scale;
}

bool has_room_for_title(const Work& work, const Rect& room) {
    return !work.plans.heat->value_label.empty() && room.width > 210 * work.sizes.scale;
}

/// The colours and the key; no positions yet.
HeatShape look_at(const HeatMap& map) {
    HeatShape heat;
    float low = INFINITY;
    float high = 0;
    // FNV-1a with 64 bits (Fowler, Noll, Vo), applied to one value at a time instead of one byte.
    std::uint64_t key = 0xCBF29CE484222325u;
    for (const float value : map.values) {
        key = (key ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001B3u;
        if (!std::isfinite(value) || value <= 0) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    heat.colors = high > 0 ? error_colors(low, high) : error_colors(0.1, 1);
    key ^= key >> 29;
    for (const double value :
         {heat.colors.range.low, heat.colors.range.high, static_cast<double>(map.columns)}) {
        key = (key ^ std::bit_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15u;
        key ^= key >> 31;
    }
    heat.key = key;
    return heat;
}

/// Ticks of the colour bar; they always include the bound.
std::vector<Tick> bar_ticks(const Work& work, const Scale& scale) {
    AxisPlan plan;
    plan.kind = ScaleKind::Log10;
    plan.shown = scale.range();
    std::vector<Tick> ticks = number_ticks(work, plan, scale, false);
    std::erase_if(ticks, [](const Tick& tick) { return tick.value == 1; });
    Tick bound{1, scale.to_px(1), "1", true};
    const float line_px = work.sizes.line_px(work.sizes.tick);
    for (Tick& tick : ticks)
        if (std::abs(tick.at_px - bound.at_px) < line_px) tick.label.clear();
    ticks.push_back(std::move(bound));
    std::ranges::sort(ticks, {}, &Tick::value);
    return ticks;
}

/// Plans the heat map and places the swatches for infinity and NaN on a line above the plot.
/// @return  the remaining room below them
Rect plan_heat(Work& work, const Rect& room) {
    const HeatMap& map = *work.plans.heat;
    HeatShape& heat = work.out.heat.emplace(look_at(map));
    heat.series = work.plans.heat_series;
    const Sizes& sizes = work.sizes;
    const float s = sizes.scale;
    const float line_px = sizes.line_px(sizes.label);
    float x = room.x;
    const auto add = [&](Color color, const std::string& name) {
        const float side = 9 * s;
        const auto box = work.place(TextRole::Label, name, {x + side + 5 * s, room.y}, sizes.label, {},
                                    room.right() - x - side - 5 * s);
        if (!box) return;
        heat.special.emplace_back(Rect{x, room.y + (line_px - side) / 2, side, side}, color);
        x = box->right() + 12 * s;
    };
    if (std::ranges::any_of(map.values, [](float value) { return std::isinf(value); }))
        add(kInfinityColor, map.infinity_meaning);
    if (std::ranges::any_of(map.values, [](float value) { return std::isnan(value); }))
        add(kNanColor, "not a number");
    const float used_px = heat.special.empty() ? 0 : line_px + 6 * s;
    return {room.x, room.y + used_px, room.width, std::max(0.0f, room.height - used_px)};
}

/// Width that the colour bar, its numbers and its title need.
float color_bar_px(const Work& work, const Rect& room) {
    if (!has_room_for_bar(work, room)) return 0;
    const Sizes& sizes = work.sizes;
    const float s = sizes.scale;
    const Scale probe(ScaleKind::Log10, work.out.heat->colors.range, std::max(20.0f, room.height - 40 * s),
                      0);
    const float title_px = has_room_for_title(work, room) ? sizes.line_px(sizes.axis_title) + 4 * s : 0;
    return kBarPx * s + widest(work, bar_ticks(work, probe), sizes.tick) + title_px + kGapPx * s;
}

/// Places the colour bar, its numbers and its title to the right of the plot.
void place_color_bar(Work& work, const Rect& room) {
    if (!has_room_for_bar(work, room)) return;
    const Sizes& sizes = work.sizes;
    const float s = sizes.scale;
    const Rect& plot = work.out.plot;
    const float most_right = work.out.frame.rect.right();
    HeatShape& heat = *work.out.heat;
    heat.color_bar = {plot.right() + kGapPx * s * 0.6f, plot.y, kBarPx * s, plot.height};
    heat.bar_scale = Scale(ScaleKind::Log10, heat.colors.range, plot.bottom(), plot.top());
    heat.bar_ticks = bar_ticks(work, heat.bar_scale);
    const float x = heat.color_bar.right() + 5 * s;
    float labels_right = x;
    for (Tick& tick : heat.bar_ticks) {
        if (x + work.width(tick.label, sizes.tick) > most_right) tick.label.clear();
        if (const auto box = work.place(TextRole::ColorTick, tick.label, {x, tick.at_px}, sizes.tick,
                                        {AlignX::Left, AlignY::Middle, false}))
            labels_right = std::max(labels_right, box->right());
    }
    const float left = labels_right + 4 * s;
    if (has_room_for_title(work, room) && left + sizes.line_px(sizes.axis_title) <= most_right)
        work.place(TextRole::AxisTitle, work.plans.heat->value_label, {left, plot.center().y},
                   sizes.axis_title, {AlignX::Center, AlignY::Top, true}, plot.height);
}

}  // namespace

void place_axes(Work& work, Rect room) {
    const Sizes& sizes = work.sizes;
    const float s = sizes.scale;
    Plans& plans = work.plans;
    ChartLayout& out = work.out;
    const float tick_line_px = sizes.line_px(sizes.tick);
    const float title_line_px = sizes.line_px(sizes.axis_title);
    const bool x_title = !plans.x.title.empty() && room.height > 66 * s;
    const bool y_title = !plans.y.title.empty() && room.width > 130 * s && room.height > 60 * s;
    const bool has_rows = plans.y.kind == ScaleKind::Categories;

    // The numbers at the left depend on the plot's height, those below on its width; a few rounds converge.
    Margins margins;
    if (plans.heat) {
        room = plan_heat(work, room);
        margins.right = color_bar_px(work, room);
    }
    margins.right = std::max(margins.right, work.line_names_px);
    margins.bottom = tick_line_px + kTickGapPx * s + (x_title ? title_line_px + 4 * s : 0);
    margins.left = 40 * s;
    margins.top = tick_line_px / 2;
    Rect& plot = out.plot;
    const float most_y_px = room.width * 0.4f;
    for (int round = 0; round < 3; ++round) {
        plot = {room.x + margins.left, room.y + margins.top,
                std::max(8.0f, room.width - margins.left - margins.right),
                std::max(8.0f, room.height - margins.top - margins.bottom)};
        if (plans.heat) plot = shaped(plot, plans.x, plans.y);
        if (has_rows) work.sizes.row = style_of_rows(sizes, plans.y, plot.height);
        const TextStyle& y_style = has_rows ? sizes.row : sizes.tick;
        out.x = make_scale(plans.x, plot, true);
        out.y = make_scale(plans.y, plot, false);
        out.x_ticks = number_ticks(work, plans.x, out.x, true);
        out.y_ticks = has_rows ? row_ticks(work, plans.y, out.y) : number_ticks(work, plans.y, out.y, false);
        if (round == 2) break;

        if (round == 0) add_headroom(work);
        const float labels_px = std::min(widest(work, out.y_ticks, y_style) + 1, most_y_px);
        margins.left = labels_px + kTickGapPx * s + (y_title ? title_line_px + 5 * s : 0);
        // The last number may extend beyond the plot, but not beyond the picture.
        for (const Tick& tick : out.x_ticks)
            margins.right =
                std::max(margins.right, cover_of(work, tick, sizes.tick, true).high_px - plot.right());
        if (!out.x_ticks.empty() && !out.x_ticks.front().label.empty())
            margins.left = std::max(
                margins.left, plot.left() - cover_of(work, out.x_ticks.front(), sizes.tick, true).low_px);
    }

    place_x_numbers(work);
    place_y_labels(work, most_y_px);
    Rect titles = room;
    if (plans.heat) titles.height = std::min(room.height, plot.bottom() + margins.bottom - room.y);
    place_axis_titles(work, titles, x_title, y_title);

    out.whole_x = plans.x.whole;
    out.whole_y = plans.y.whole;
    out.keeps_zero = plans.x.bars && plans.x.kind == ScaleKind::Linear && plans.x.whole.contains(0);
    out.least_span = {1e-6, 1e-6};
    if (!plans.heat) return;
    out.least_span = {2.0 / static_cast<double>(plans.heat->columns),
                      2.0 / static_cast<double>(plans.heat->rows)};
    place_color_bar(work, room);
}

}  // namespace kwb::plot::parts
