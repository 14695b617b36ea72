// Texts inside the plot: values at bars, reasons, names of points and rules.
#include <algorithm>
#include <cmath>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

/// The text at the first place where it covers neither a text nor a mark, else at one where it covers no
/// text; otherwise it is left out.
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
    // A name across marks is better than none only where there is room for both.
    const bool small = work.out.plot.height < 90 * work.sizes.scale;
    if (best && (least == 0 || !small))
        work.place(role, text, best->first, style, best->second, width + 1, series, item);
}

/// Of what belongs to one category.
const TextStyle& in_row(const Work& work) {
    return work.out.lying ? work.sizes.row : work.sizes.label;
}

/// A bar's number stands above its interval, and above samples that are near.
/// @param length_px  of the number along the bar
float clear_of_samples(const Work& work, const BarShape& bar, float end, float sign, float length_px) {
    const float near_px = 34 * work.sizes.scale + length_px;
    float clear = end;
    for (const DotCloud& cloud : work.out.clouds) {
        if (cloud.series != bar.series) continue;
        for (const Dot& dot : cloud.dots) {
            if (dot.item != bar.item) continue;
            const float at = work.out.lying ? dot.at.x : dot.at.y;
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

std::string number_at(const Work& work, double value) {
    const AxisPlan& plan = work.out.lying ? work.plans.x : work.plans.y;
    if (plan.unit_at_ticks) return format_value(value, plan.unit.unit);
    return format_number(value * plan.unit.factor);
}

ValueLabel label_for(const Work& work, const BarShape& bar, double value, float pad) {
    const bool lying = work.out.lying;
    const float sign = lying ? 1.0f : -1.0f;  // the direction of growing values in pixels
    const bool falls = value < 0;
    float end =
        lying ? (falls ? bar.rect.left() : bar.rect.right()) : (falls ? bar.rect.bottom() : bar.rect.top());
    const float away = falls ? -sign : sign;
    if (bar.whisker_px) {
        const auto tip = static_cast<float>(falls ? bar.whisker_px->low : bar.whisker_px->high);
        if ((tip - end) * away > 0) end = tip;
    }
    ValueLabel label{&bar, number_at(work, value), {}, {}, 0};
    label.width = work.width(label.text, in_row(work));
    if (bar.dots) end = clear_of_samples(work, bar, end, away, lying ? label.width : 0);
    const Point middle = bar.rect.center();
    if (lying) {
        label.at = {end + away * (pad + 2), middle.y};
        label.place = {falls ? AlignX::Right : AlignX::Left, AlignY::Middle, false};
    } else {
        label.at = {middle.x, end + away * pad};
        label.place = {AlignX::Center, falls ? AlignY::Top : AlignY::Bottom, false};
    }
    return label;
}

/// Numbers at all bars or at none: a few missing ones look like missing data.
void place_values(Work& work) {
    const float s = work.sizes.scale;
    std::vector<ValueLabel> labels;
    std::vector<double> sums;
    for (const BarShape& bar : work.out.bars) {
        const SeriesData& data = work.chart.series[bar.series].data;
        if (const auto* bars = std::get_if<Bars>(&data)) {
            const Bar& source = bars->bars[bar.item];
            if (!source.value || !std::isfinite(*source.value)) continue;
            labels.push_back(label_for(work, bar, *source.value, 4 * s));
        } else if (const auto* stack = std::get_if<StackedBars>(&data)) {
            // Only the uppermost part carries the sum.
            const StackPart& part = stack->parts[bar.item];
            if (sums.size() <= part.category) sums.resize(part.category + 1, 0);
            if (std::isfinite(part.value) && part.value > 0) sums[part.category] += part.value;
            std::erase_if(labels, [&](const ValueLabel& label) {
                const auto* other = std::get_if<StackedBars>(&work.chart.series[label.bar->series].data);
                return other && other->parts[label.bar->item].category == part.category;
            });
            if (sums[part.category] > 0) labels.push_back(label_for(work, bar, sums[part.category], 4 * s));
        }
    }
    std::vector<Rect> boxes;
    for (const ValueLabel& label : labels) {
        const Rect box = text_box(label.at, label.width, in_row(work), label.place);
        const bool clash = std::ranges::any_of(
            boxes, [&](const Rect& other) { return other.grown(1.5f * s).overlaps(box); });
        if (clash) return;
        boxes.push_back(box);
    }
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (work.out.plot.holds(boxes[i], 2 * s) && work.is_free(boxes[i]))
            work.place(TextRole::Value, labels[i].text, labels[i].at, in_row(work), labels[i].place,
                       labels[i].width + 1, labels[i].bar->series, labels[i].bar->item);
}

/// Where a text in a lying bar's row may begin: right of the bars that reach into its height.
float right_of_bars(const Work& work, const Rect& row, float from) {
    for (const BarShape& bar : work.out.bars) {
        if (bar.rect.width <= 0 || bar.rect.bottom() <= row.top() || bar.rect.top() >= row.bottom()) continue;
        const auto tip = static_cast<float>(bar.whisker_px ? bar.whisker_px->high : bar.rect.right());
        from = std::max(from, std::max(tip, bar.rect.right()) + 6 * work.sizes.scale);
    }
    return from;
}

/// Why a bar or a box is missing, written where it would begin, or behind the bars that are in its way.
void place_reason(Work& work, std::string_view reason, float across_px, float room_px, std::size_t series,
                  std::size_t item) {
    const float s = work.sizes.scale;
    const TextStyle& style = in_row(work);
    const Rect& plot = work.out.plot;
    const float width = work.width(reason, style);
    const float line_px = work.sizes.line_px(style);
    Point at = {across_px, plot.bottom() - 4 * s};
    TextPlace place = {AlignX::Center, AlignY::Bottom, false};
    float most = room_px;
    if (work.out.lying) {
        at = {plot.left() + 6 * s, across_px};
        place = {AlignX::Left, AlignY::Middle, false};
        const Rect row = text_box(at, 1, style, place);
        at.x = right_of_bars(work, row, at.x);
        most = plot.right() - at.x - 6 * s;
        if (most < std::min(width, 30 * s)) return;  // the tooltip of its kernel's other bars tells it
    } else if (width > room_px) {
        place = {AlignX::Left, AlignY::Middle, true};
        most = plot.height - 8 * s;
        if (room_px < line_px) return;
    }
    const std::string text = shortened(work.canvas, reason, style, most);
    const Rect box = text_box(at, work.width(text, style), style, place);
    if (work.is_free(box)) work.place(TextRole::Missing, reason, at, style, place, most, series, item);
}

/// Is there nothing else to be said in this category?
bool stands_alone(const Work& work, const Bar& missing) {
    return std::ranges::none_of(work.out.bars, [&](const BarShape& shape) {
        const auto* bars = std::get_if<Bars>(&work.chart.series[shape.series].data);
        if (!bars || bars->bars[shape.item].category != missing.category) return false;
        return bars->bars[shape.item].value || bars->bars[shape.item].missing != missing.missing;
    });
}

void place_reasons(Work& work) {
    const Scale& across = work.out.lying ? work.out.y : work.out.x;
    if (across.kind() != ScaleKind::Categories) return;
    const float slot_px = std::abs(across.to_px(1) - across.to_px(0));
    const auto middle = [&](std::size_t category) { return across.to_px(static_cast<double>(category)); };
    for (const BarShape& bar : work.out.bars) {
        const SeriesData& data = work.chart.series[bar.series].data;
        if (const auto* bars = std::get_if<Bars>(&data)) {
            const Bar& source = bars->bars[bar.item];
            if (source.missing.empty() || source.value) continue;
            Point at = bar.rect.center();
            // Alone it stands in the middle, as the name does.
            if (stands_alone(work, source)) (work.out.lying ? at.y : at.x) = middle(source.category);
            const float width = work.out.lying ? bar.rect.height : bar.rect.width;
            place_reason(work, source.missing, work.out.lying ? at.y : at.x,
                         width > slot_px * 0.6f ? slot_px - 6 * work.sizes.scale : width, bar.series,
                         bar.item);
        } else if (const auto* stack = std::get_if<StackedBars>(&data)) {
            const StackPart& part = stack->parts[bar.item];
            if (!part.missing.empty())
                place_reason(work, part.missing, middle(part.category), slot_px - 6 * work.sizes.scale,
                             bar.series, bar.item);
        }
    }
    for (std::size_t i = 0; i < work.chart.series.size(); ++i) {
        const auto* boxes = std::get_if<Boxes>(&work.chart.series[i].data);
        if (!boxes || !work.shows(i)) continue;
        for (std::size_t j = 0; j < boxes->boxes.size(); ++j) {
            const Box& box = boxes->boxes[j];
            if (!box.missing.empty() && box.category < kMostCategories)
                place_reason(work, box.missing, middle(box.category), slot_px - 6 * work.sizes.scale, i, j);
        }
    }
}

void place_point_names(Work& work) {
    constexpr std::size_t kMost = 60;  // more are unreadable anyway, and tooltips tell them
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
                // Between the bars of two categories.
                if (work.out.x.kind() == ScaleKind::Categories)
                    for (const Tick& tick : work.out.x_ticks)
                        if (const float px = work.out.x.to_px(tick.value + 0.5); px < x1 - 10 * s)
                            add(px, y, AlignX::Center, ay);
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
            // Beside a rising line: to its upper left or lower right (falling: mirrored).
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
