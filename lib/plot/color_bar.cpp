// Colours of a heat map: their range, the colour bar, and the swatches above the plot.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

/// Range of the positive finite values, and whether there are infinities or NaNs.
struct HeatFacts {
    double low = 0;
    double high = 0;
    bool infinite = false;
    bool nan = false;
    std::uint64_t key = 0;
};

HeatFacts look_at(const HeatMap& map) {
    HeatFacts facts;
    bool any = false;
    float low = 0;
    float high = 0;
    // FNV-1a with 64 bits (Fowler, Noll, Vo), applied to one value at a time instead of one byte.
    std::uint64_t key = 0xCBF29CE484222325u;
    for (const float value : map.values) {
        std::uint32_t bits = 0;
        static_assert(sizeof bits == sizeof value);
        std::memcpy(&bits, &value, sizeof bits);
        key = (key ^ bits) * 0x100000001B3u;
        if (std::isnan(value)) {
            facts.nan = true;
        } else if (std::isinf(value)) {
            facts.infinite = true;
        } else if (value > 0) {
            low = any ? std::min(low, value) : value;
            high = any ? std::max(high, value) : value;
            any = true;
        }
    }
    facts.low = any ? low : 0.1;
    facts.high = any ? high : 1;
    facts.key = key ^ key >> 29;
    return facts;
}

std::uint64_t mixed_key(std::uint64_t key, const HeatMap& map, const ErrorColors& colors) {
    for (const double value : {colors.range.low, colors.range.high, static_cast<double>(map.columns)}) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        key = (key ^ bits) * 0x9E3779B97F4A7C15u;
        key ^= key >> 31;
    }
    return key;
}

}  // namespace

float place_specials(Work& work, const Rect& room, HeatShape& heat) {
    const Sizes& sizes = work.sizes;
    const float s = sizes.scale;
    float x = room.x;
    const float line_px = sizes.line_px(sizes.label);
    const auto add = [&](Color color, const std::string& name) {
        const float side = 9 * s;
        const auto box = work.place(TextRole::Label, name, {x + side + 5 * s, room.y}, sizes.label, {},
                                    room.right() - x - side - 5 * s);
        if (!box) return;
        heat.special.emplace_back(Rect{x, room.y + (line_px - side) / 2, side, side}, color);
        x = box->right() + 12 * s;
    };
    if (heat.has_infinite) add(kInfinityColor, work.plans.heat->infinity_meaning);
    if (heat.has_nan) add(kNanColor, "not a number");
    return heat.special.empty() ? 0 : line_px + 6 * s;
}

HeatShape plan_heat(const HeatMap& map, std::size_t series) {
    const HeatFacts facts = look_at(map);
    HeatShape heat;
    heat.series = series;
    heat.colors = error_colors(facts.low, facts.high);
    heat.has_infinite = facts.infinite;
    heat.has_nan = facts.nan;
    heat.key = mixed_key(facts.key, map, heat.colors);
    return heat;
}

std::vector<Tick> bar_ticks(const Work& work, const ErrorColors& colors, const Scale& scale) {
    AxisPlan plan;
    plan.kind = ScaleKind::Log10;
    plan.shown = colors.range;
    plan.unit = {1, {}};
    std::vector<Tick> ticks = number_ticks(work, plan, scale, false);
    // The bound always has a label.
    const auto one = std::ranges::find_if(ticks, [](const Tick& tick) { return tick.value == 1; });
    Tick bound{1, scale.to_px(1), "1", true};
    if (one != ticks.end()) ticks.erase(one);
    const float line_px = work.sizes.line_px(work.sizes.tick);
    for (Tick& tick : ticks)
        if (std::abs(tick.at_px - bound.at_px) < line_px) tick.label.clear();
    ticks.push_back(std::move(bound));
    std::ranges::sort(ticks, {}, &Tick::value);
    return ticks;
}

void place_color_bar(Work& work, const BarNeeds& needs, HeatShape& heat) {
    const Sizes& sizes = work.sizes;
    const Rect& plot = work.out.plot;
    heat.color_bar = {plot.right() + needs.gap_px * 0.6f, plot.y, needs.bar_px, plot.height};
    heat.bar_scale = Scale(ScaleKind::Log10, heat.colors.range, plot.bottom(), plot.top());
    heat.bar_ticks = bar_ticks(work, heat.colors, heat.bar_scale);
    const float x = heat.color_bar.right() + 5 * sizes.scale;
    float labels_right = x;
    for (Tick& tick : heat.bar_ticks) {
        if (tick.label.empty()) continue;
        if (x + work.width(tick.label, sizes.tick) > work.out.frame.rect.right()) {
            tick.label.clear();
            continue;
        }
        const auto box = work.place(TextRole::ColorTick, tick.label, {x, tick.at_px}, sizes.tick,
                                    {AlignX::Left, AlignY::Middle, false}, 1e9f);
        if (box) labels_right = std::max(labels_right, box->right());
    }
    const float left = labels_right + 4 * sizes.scale;
    if (needs.title_px <= 0 || left + sizes.line_px(sizes.axis_title) > work.out.frame.rect.right()) return;
    work.place(TextRole::AxisTitle, work.plans.heat->value_label, {left, plot.center().y}, sizes.axis_title,
               {AlignX::Center, AlignY::Top, true}, plot.height);
}

}  // namespace kwb::plot::parts
