// Colours of a heat map: their range, the colour bar, and the swatches above the plot.
#include <algorithm>
#include <bit>
#include <cmath>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

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

}  // namespace

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

float color_bar_px(const Work& work, const Rect& room) {
    if (!has_room_for_bar(work, room)) return 0;
    const Sizes& sizes = work.sizes;
    const float s = sizes.scale;
    const Scale probe(ScaleKind::Log10, work.out.heat->colors.range, std::max(20.0f, room.height - 40 * s),
                      0);
    const float title_px = has_room_for_title(work, room) ? sizes.line_px(sizes.axis_title) + 4 * s : 0;
    return kBarPx * s + widest(work, bar_ticks(work, probe), sizes.tick) + title_px + kGapPx * s;
}

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

}  // namespace kwb::plot::parts
