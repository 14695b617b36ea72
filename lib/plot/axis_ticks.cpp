// Which numbers and names stand at an axis, so that none touches another.
#include <algorithm>
#include <utility>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {

Cover cover_of(const Work& work, const Tick& tick, const TextStyle& style, bool horizontal) {
    const float half = (horizontal ? work.width(tick.label, style) : work.sizes.line_px(style)) / 2;
    return {tick.at_px - half, tick.at_px + half};
}

bool keep_apart(const Work& work, std::vector<Tick>& ticks, const TextStyle& style, bool horizontal,
                float gap_px) {
    bool all = true;
    std::vector<Cover> taken;
    for (Tick& tick : ticks) {
        if (tick.label.empty()) continue;
        const Cover cover = cover_of(work, tick, style, horizontal);
        const bool touches = std::ranges::any_of(taken, [&](const Cover& other) {
            return cover.low_px < other.high_px + gap_px && other.low_px < cover.high_px + gap_px;
        });
        if (touches) {
            tick.label.clear();
            all = false;
        } else {
            taken.push_back(cover);
        }
    }
    return all;
}

namespace {

/// Ticks with labels, of which those that touch another have lost theirs.
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
    // Written in the axis's unit: the factor is a power of ten, so the steps stay round.
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

}  // namespace

std::vector<Tick> number_ticks(const Work& work, const AxisPlan& plan, const Scale& scale, bool horizontal) {
    const float wanted_px = (horizontal ? 66 : 40) * work.sizes.scale;
    const int start = std::clamp(static_cast<int>(scale.length_px() / wanted_px) + 1, 2, 12);
    TickTry found;
    for (int most = start; most >= 2; --most) {
        found = try_ticks(work, plan, scale, horizontal, most);
        if (found.all_labelled) break;
    }
    // A single number gives no idea of the distances: rather a second one that is close.
    for (int most = start + 1; found.labelled() < 2 && most <= start + 3; ++most) {
        TickTry more = try_ticks(work, plan, scale, horizontal, most);
        if (more.labelled() >= 2) found = std::move(more);
    }
    return std::move(found.ticks);
}

std::vector<Tick> slot_ticks(const AxisPlan& plan, const Scale& scale) {
    std::vector<Tick> ticks;
    for (std::size_t i = 0; i < plan.categories.size(); ++i)
        ticks.push_back(
            {static_cast<double>(i), scale.to_px(static_cast<double>(i)), plan.categories[i], true});
    return ticks;
}

float widest(const Work& work, const std::vector<Tick>& ticks, const TextStyle& style) {
    float width = 0;
    for (const Tick& tick : ticks) width = std::max(width, work.width(tick.label, style));
    return width;
}

}  // namespace kwb::plot::parts
