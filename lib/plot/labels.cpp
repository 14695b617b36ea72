// SPDX-License-Identifier: Apache-2.0
// Texts inside the plot: values at bars, reasons of missing bars, names of points and rules.
#include <algorithm>
#include <cmath>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

/// Places the text at the first candidate position where it covers neither a text nor a mark, otherwise at
/// the one that covers the fewest marks. Omits it if every position covers a text.
void place_at_best(Work& work, std::string_view text, std::span<const std::pair<Point, TextPlace>> places,
                   std::size_t series) {
    const TextStyle& style = work.sizes.label;
    const float width = work.width(text, style);
    const std::pair<Point, TextPlace>* best = nullptr;
    std::ptrdiff_t least = 0;
    for (const auto& candidate : places) {
        const Rect box = text_box(candidate.first, width, style, candidate.second);
        if (!work.out.plot.holds(box, 1) || !work.is_free(box)) continue;
        const auto covered =
            std::ranges::count_if(work.obstacles, [&](const Rect& mark) { return box.overlaps(mark); });
        if (!best || covered < least) best = &candidate, least = covered;
        if (covered == 0) break;
    }
    // In a small plot, no label is better than one across marks.
    const bool small = work.out.plot.height < 90 * work.sizes.scale;
    if (best && (least == 0 || !small))
        work.place(TextRole::Label, text, best->first, style, best->second, width + 1, series);
}

constexpr TextPlace kRightOfAnchor = {AlignX::Left, AlignY::Middle, false};

/// The right end of a bar with its interval.
float end_of(const BarShape& bar) {
    const float end = bar.rect.right();
    return bar.whisker_px ? std::max(end, static_cast<float>(bar.whisker_px->high)) : end;
}

/// Where a bar's number can begin: beyond its interval, in the first gap between samples at its height;
/// without one in the plot, beyond nearby samples.
/// @param length_px  width of the number, with a distance on both sides
float clear_of_samples(const Work& work, const BarShape& bar, float length_px) {
    const float end = end_of(bar), beside = work.sizes.row.size_px * kLineHeight / 2 + 2 * work.sizes.scale;
    const float most = end + 34 * work.sizes.scale + length_px;
    float nearby = end, gap = end;
    std::vector<float> in_way;
    for (const DotCloud& cloud : work.out.clouds)
        if (cloud.series == bar.series)
            for (const Dot& dot : cloud.dots) {
                if (dot.item != bar.item) continue;
                if (dot.at.x < most) nearby = std::max(nearby, dot.at.x);
                if (dot.at.x > end && std::abs(dot.at.y - bar.rect.center().y) < beside)
                    in_way.push_back(dot.at.x);
            }
    std::ranges::sort(in_way);
    for (const float x : in_way) {
        if (x - gap > length_px) break;
        gap = x;
    }
    return gap + length_px < work.out.plot.right() ? gap : nearby;
}

struct ValueLabel {
    const BarShape* bar;
    std::string text;
    Point at;
    Rect box;
};

bool is_ghost(const Work& work, const BarShape& bar) {
    return work.chart.series[bar.series].ghost;
}

ValueLabel label_for(const Work& work, const BarShape& bar, double value) {
    const std::string text = value_text(work.plans.x, value);
    const float width = work.width(text, work.sizes.row);
    const float gap = 4 * work.sizes.scale + 2;
    Point at = {clear_of_samples(work, bar, width + 2 * gap) + gap, bar.rect.center().y};
    // To the left of a dot whose ghost it would cover, if there is room.
    const auto is_covered = [&](const BarShape& ghost) {
        return is_ghost(work, ghost) && ghost.is_dot &&
               ghost.rect.overlaps(text_box(at, width, work.sizes.row, kRightOfAnchor));
    };
    const float left = std::min(bar.rect.left(),
                                bar.whisker_px ? static_cast<float>(bar.whisker_px->low) : bar.rect.left()) -
                       width - gap;
    if (bar.is_dot && left > work.out.plot.left() && std::ranges::any_of(work.out.bars, is_covered))
        at.x = left;
    return {&bar, text, at, text_box(at, width, work.sizes.row, kRightOfAnchor)};
}

/// Places numbers at all bars or at none: a bar without a number would look like missing data.
void place_values(Work& work) {
    const float s = work.sizes.scale;
    std::vector<ValueLabel> labels;
    for (const BarShape& bar : work.out.bars) {
        const std::optional<double>& value = work.bar_of(bar).value;
        if (!value || !std::isfinite(*value) || is_ghost(work, bar)) continue;
        ValueLabel label = label_for(work, bar, *value);
        if (std::ranges::any_of(labels, [&](const ValueLabel& other) {
                return other.box.grown(1.5f * s).overlaps(label.box);
            }))
            return;
        labels.push_back(std::move(label));
    }
    for (const auto& [bar, text, at, box] : labels)
        if (work.out.plot.holds(box, 2 * s) && work.is_free(box))
            work.place(TextRole::Value, text, at, work.sizes.row, kRightOfAnchor, box.width + 1, bar->series,
                       bar->item);
}

/// Numbers at the ends of ghosts, where they cover nothing; the tooltips have all of them.
void place_ghost_values(Work& work) {
    for (const BarShape& ghost : work.out.bars) {
        const std::optional<double>& value = work.bar_of(ghost).value;
        if (!value || !std::isfinite(*value) || !is_ghost(work, ghost)) continue;
        const ValueLabel label = label_for(work, ghost, *value);
        const bool covers_bar = std::ranges::any_of(work.out.bars, [&](const BarShape& bar) {
            const Rect whole = {bar.rect.x, bar.rect.y, end_of(bar) - bar.rect.x, bar.rect.height};
            return !is_ghost(work, bar) && whole.overlaps(label.box);
        });
        if (!covers_bar && work.out.plot.holds(label.box, 2 * work.sizes.scale) && work.is_free(label.box))
            work.place(TextRole::Value, label.text, label.at, work.sizes.row, kRightOfAnchor,
                       label.box.width + 1, ghost.series, ghost.item);
    }
}

/// Where a text in a row may begin: to the right of all bars that overlap its height.
float right_of_bars(const Work& work, const Rect& row, float from) {
    for (const BarShape& bar : work.out.bars)
        if (bar.rect.width > 0 && bar.rect.bottom() > row.top() && bar.rect.top() < row.bottom())
            from = std::max(from, end_of(bar) + 6 * work.sizes.scale);
    return from;
}

/// The reason why a bar is missing, placed where it would begin, or to the right of other bars in the row.
void place_reason(Work& work, const BarShape& bar, std::string_view reason, float y) {
    const float s = work.sizes.scale;
    const TextStyle& style = work.sizes.row;
    const Rect& plot = work.out.plot;
    Point at = {plot.left() + 6 * s, y};
    at.x = right_of_bars(work, text_box(at, 1, style, kRightOfAnchor), at.x);
    const float most = plot.right() - at.x - 6 * s;
    if (most < std::min(work.width(reason, style), 30 * s)) return;  // other bars' tooltips show it
    const std::string text = shortened(work.canvas, reason, style, most);
    if (work.is_free(text_box(at, work.width(text, style), style, kRightOfAnchor)))
        work.place(TextRole::Missing, reason, at, style, kRightOfAnchor, most, bar.series, bar.item);
}

/// Whether the row shows nothing but this reason.
bool stands_alone(const Work& work, const Bar& missing) {
    return std::ranges::none_of(work.out.bars, [&](const BarShape& shape) {
        const Bar& bar = work.bar_of(shape);
        return bar.category == missing.category && (bar.value || bar.missing != missing.missing);
    });
}

void place_reasons(Work& work) {
    for (const BarShape& bar : work.out.bars) {
        const Bar& source = work.bar_of(bar);
        if (source.missing.empty() || source.value) continue;
        // A single reason is centred in the row, like the category name.
        const float y = stands_alone(work, source) ? work.out.y.to_px(static_cast<double>(source.category))
                                                   : bar.rect.center().y;
        place_reason(work, bar, source.missing, y);
    }
}

void place_point_names(Work& work) {
    const float away = 8 * work.sizes.scale;
    for (const PointShape& shape : work.out.points) {
        const auto& point = std::get<ScatterPoint>(work.chart.series[shape.series].data);
        if (point.label.empty() || !work.out.plot.contains(shape.at)) continue;
        const auto [x, y] = shape.at;
        const std::pair<Point, TextPlace> places[] = {
            {{x + away, y}, {AlignX::Left, AlignY::Middle, false}},
            {{x - away, y}, {AlignX::Right, AlignY::Middle, false}},
            {{x, y - away}, {AlignX::Center, AlignY::Bottom, false}},
            {{x, y + away}, {AlignX::Center, AlignY::Top, false}},
            {{x + away * 0.7f, y - away * 0.7f}, {AlignX::Left, AlignY::Bottom, false}},
            {{x + away * 0.7f, y + away * 0.7f}, {AlignX::Left, AlignY::Top, false}},
            {{x - away * 0.7f, y - away * 0.7f}, {AlignX::Right, AlignY::Bottom, false}},
            {{x - away * 0.7f, y + away * 0.7f}, {AlignX::Right, AlignY::Top, false}},
        };
        place_at_best(work, point.label, places, shape.series);
    }
}

void place_rule_names(Work& work) {
    const float s = work.sizes.scale;
    for (const RuleShape& shape : work.out.rules) {
        const Rule& rule = std::get<Rule>(work.chart.series[shape.series].data);
        if (rule.label.empty() || rule.kind == Rule::Kind::Vertical) continue;
        const auto [x0, y0] = shape.from;
        const auto [x1, y1] = shape.to;
        std::vector<std::pair<Point, TextPlace>> places;
        const auto add = [&](float x, float y, AlignX ax, AlignY ay) {
            places.push_back({{x, y}, {ax, ay, false}});
        };
        if (rule.kind == Rule::Kind::Horizontal) {
            for (const auto& [y, ay] :
                 {std::pair{y0 - 3 * s, AlignY::Bottom}, std::pair{y0 + 3 * s, AlignY::Top}}) {
                add(x1 - 4 * s, y, AlignX::Right, ay);
                add(x0 + 4 * s, y, AlignX::Left, ay);
                for (const float share : {0.5f, 0.72f, 0.28f, 0.61f, 0.39f, 0.83f, 0.17f})
                    add(x0 + (x1 - x0) * share, y, AlignX::Center, ay);
            }
        } else {
            // To the upper left or lower right of the rising line.
            for (const float share : {0.55f, 0.4f, 0.7f, 0.25f, 0.85f, 0.1f}) {
                const float x = x0 + (x1 - x0) * share;
                const float y = y0 + (y1 - y0) * share;
                add(x - 6 * s, y - 2 * s, AlignX::Right, AlignY::Bottom);
                add(x + 6 * s, y + 2 * s, AlignX::Left, AlignY::Top);
            }
        }
        place_at_best(work, rule.label, places, shape.series);
    }
}

}  // namespace

std::string value_text(const AxisPlan& plan, double value) {
    const double shown = value * plan.unit.factor;
    // Times below 1 have the unit that tables give them: "743 ms" rather than "0.743 s".
    if (plan.unit_at_ticks || (std::abs(shown) < 1 && is_time_unit(plan.unit.unit)))
        return format_value(shown, plan.unit.unit);
    return format_number(shown) + (plan.unit.unit.empty() ? "" : " " + plan.unit.unit);
}

void place_labels(Work& work) {
    if (work.plans.heat) return;
    place_values(work);
    place_reasons(work);
    place_ghost_values(work);
    place_rule_names(work);
    place_point_names(work);
}

}  // namespace kwb::plot::parts
