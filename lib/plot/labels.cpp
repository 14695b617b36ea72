// Texts inside the plot: values at bars, reasons of missing bars, names of points and rules.
#include <algorithm>
#include <cmath>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

/// Places the text at the first candidate position where it covers neither a text nor a mark, otherwise at
/// the one that covers the fewest marks. Omits it if every position covers a text.
void place_at_best(Work& work, TextRole role, std::string_view text,
                   std::span<const std::pair<Point, TextPlace>> places, std::size_t series,
                   std::size_t item) {
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
        work.place(role, text, best->first, style, best->second, width + 1, series, item);
}

/// Where a bar's number can begin: beyond its interval and beyond nearby samples.
/// @param sign       +1 to the right, -1 to the left
/// @param length_px  width of the number
float clear_of_samples(const Work& work, const BarShape& bar, float end, float sign, float length_px) {
    const float near_px = 34 * work.sizes.scale + length_px;
    float clear = end;
    for (const DotCloud& cloud : work.out.clouds) {
        if (cloud.series != bar.series) continue;
        for (const Dot& dot : cloud.dots) {
            if (dot.item != bar.item) continue;
            const float at = dot.at.x;
            if ((at - end) * sign > 0 && (at - end) * sign < near_px && (at - clear) * sign > 0) clear = at;
        }
    }
    return clear;
}

struct ValueLabel {
    const BarShape* bar;
    std::string text;
    Point at;
    TextPlace place;
    float width;
};

ValueLabel label_for(const Work& work, const BarShape& bar, double value) {
    const AxisPlan& plan = work.plans.x;
    ValueLabel label{&bar, {}, {}, {}, 0};
    label.text =
        plan.unit_at_ticks ? format_value(value, plan.unit.unit) : format_number(value * plan.unit.factor);
    label.width = work.width(label.text, work.sizes.row);
    const bool falls = value < 0;
    const float away = falls ? -1 : 1;
    float end = falls ? bar.rect.left() : bar.rect.right();
    if (bar.whisker_px) {
        const auto tip = static_cast<float>(falls ? bar.whisker_px->low : bar.whisker_px->high);
        if ((tip - end) * away > 0) end = tip;
    }
    if (bar.dots) end = clear_of_samples(work, bar, end, away, label.width);
    label.at = {end + away * (4 * work.sizes.scale + 2), bar.rect.center().y};
    label.place = {falls ? AlignX::Right : AlignX::Left, AlignY::Middle, false};
    return label;
}

/// Places numbers at all bars or at none: a bar without a number would look like missing data.
void place_values(Work& work) {
    const float s = work.sizes.scale;
    std::vector<ValueLabel> labels;
    for (const BarShape& bar : work.out.bars) {
        const Bar& source = std::get<Bars>(work.chart.series[bar.series].data).bars[bar.item];
        if (source.value && std::isfinite(*source.value))
            labels.push_back(label_for(work, bar, *source.value));
    }
    std::vector<Rect> boxes;
    for (const ValueLabel& label : labels) {
        const Rect box = text_box(label.at, label.width, work.sizes.row, label.place);
        const bool clash = std::ranges::any_of(
            boxes, [&](const Rect& other) { return other.grown(1.5f * s).overlaps(box); });
        if (clash) return;
        boxes.push_back(box);
    }
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (work.out.plot.holds(boxes[i], 2 * s) && work.is_free(boxes[i]))
            work.place(TextRole::Value, labels[i].text, labels[i].at, work.sizes.row, labels[i].place,
                       labels[i].width + 1, labels[i].bar->series, labels[i].bar->item);
}

/// Where a text in a row may begin: to the right of all bars that overlap its height.
float right_of_bars(const Work& work, const Rect& row, float from) {
    for (const BarShape& bar : work.out.bars) {
        if (bar.rect.width <= 0 || bar.rect.bottom() <= row.top() || bar.rect.top() >= row.bottom()) continue;
        const auto tip = static_cast<float>(bar.whisker_px ? bar.whisker_px->high : bar.rect.right());
        from = std::max(from, std::max(tip, bar.rect.right()) + 6 * work.sizes.scale);
    }
    return from;
}

/// The reason why a bar or box is missing, placed where it would begin, or to the right of other bars in the
/// row.
void place_reason(Work& work, std::string_view reason, float y, std::size_t series, std::size_t item) {
    const float s = work.sizes.scale;
    const TextStyle& style = work.sizes.row;
    const Rect& plot = work.out.plot;
    const TextPlace place = {AlignX::Left, AlignY::Middle, false};
    Point at = {plot.left() + 6 * s, y};
    at.x = right_of_bars(work, text_box(at, 1, style, place), at.x);
    const float most = plot.right() - at.x - 6 * s;
    if (most < std::min(work.width(reason, style), 30 * s)) return;  // other bars' tooltips show it
    const std::string text = shortened(work.canvas, reason, style, most);
    const Rect box = text_box(at, work.width(text, style), style, place);
    if (work.is_free(box)) work.place(TextRole::Missing, reason, at, style, place, most, series, item);
}

/// Whether the row shows nothing but this reason.
bool stands_alone(const Work& work, const Bar& missing) {
    return std::ranges::none_of(work.out.bars, [&](const BarShape& shape) {
        const Bar& bar = std::get<Bars>(work.chart.series[shape.series].data).bars[shape.item];
        return bar.category == missing.category && (bar.value || bar.missing != missing.missing);
    });
}

void place_reasons(Work& work) {
    if (!work.out.has_rows) return;
    const auto middle = [&](std::size_t category) { return work.out.y.to_px(static_cast<double>(category)); };
    for (const BarShape& bar : work.out.bars) {
        const Bar& source = std::get<Bars>(work.chart.series[bar.series].data).bars[bar.item];
        if (source.missing.empty() || source.value) continue;
        // A reason that is alone is centred in the row, like the category name.
        const float y = stands_alone(work, source) ? middle(source.category) : bar.rect.center().y;
        place_reason(work, source.missing, y, bar.series, bar.item);
    }
    for (std::size_t i = 0; i < work.chart.series.size(); ++i) {
        const auto* boxes = std::get_if<Boxes>(&work.chart.series[i].data);
        if (!boxes || !work.shows(i)) continue;
        for (std::size_t j = 0; j < boxes->boxes.size(); ++j) {
            const Box& box = boxes->boxes[j];
            if (!box.missing.empty() && box.category < kMostCategories)
                place_reason(work, box.missing, middle(box.category), i, j);
        }
    }
}

void place_point_names(Work& work) {
    constexpr std::size_t kMost = 60;  // more would be unreadable; tooltips show the rest
    const float away = 8 * work.sizes.scale;
    std::size_t named = 0;
    for (const PointShape& shape : work.out.points) {
        const auto& point = std::get<Points>(work.chart.series[shape.series].data).points[shape.item];
        if (point.label.empty() || !work.out.plot.contains(shape.at)) continue;
        if (++named > kMost) return;
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
        place_at_best(work, TextRole::Label, point.label, places, shape.series, shape.item);
    }
}

void place_rule_names(Work& work) {
    const float s = work.sizes.scale;
    const Rect& plot = work.out.plot;
    for (const RuleShape& shape : work.out.rules) {
        const Rule& rule = std::get<Rule>(work.chart.series[shape.series].data);
        if (rule.label.empty()) continue;
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
        } else if (rule.kind == Rule::Kind::Vertical) {
            for (const float y : {plot.top() + 3 * s, plot.top() + plot.height * 0.3f, plot.center().y,
                                  plot.bottom() - 20 * s}) {
                add(x0 + 5 * s, y, AlignX::Left, AlignY::Top);
                add(x0 - 5 * s, y, AlignX::Right, AlignY::Top);
            }
        } else {
            // To the upper left or lower right of a rising line (mirrored for a falling one).
            const bool rises = (y1 < y0) == (x1 > x0);
            for (const float share : {0.55f, 0.4f, 0.7f, 0.25f, 0.85f, 0.1f}) {
                const float x = x0 + (x1 - x0) * share;
                const float y = y0 + (y1 - y0) * share;
                add(x + (rises ? -6 : 6) * s, y - 2 * s, rises ? AlignX::Right : AlignX::Left,
                    AlignY::Bottom);
                add(x + (rises ? 6 : -6) * s, y + 2 * s, rises ? AlignX::Left : AlignX::Right, AlignY::Top);
            }
        }
        place_at_best(work, TextRole::Label, rule.label, places, shape.series, 0);
    }
}

}  // namespace

void place_labels(Work& work) {
    if (work.plans.heat) return;
    place_values(work);
    place_reasons(work);
    place_rule_names(work);
    place_point_names(work);
}

}  // namespace kwb::plot::parts
