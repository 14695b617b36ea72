// Where the marks of all series but lines lie.
#include <algorithm>
#include <cmath>

#include "plot/clip.hpp"
#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {

namespace {

constexpr std::size_t kMostDots = 1600;  ///< a chart: what a person can still tell apart, and a cheap frame

/// Bars and boxes think in "along the values" and "across them"; this turns both into x and y.
struct Direction {
    const Scale& along;
    const Scale& across;
    bool lying;

    float slot_px() const { return std::abs(across.to_px(1) - across.to_px(0)); }
    Point at(float along_px, float across_px) const {
        return lying ? Point{along_px, across_px} : Point{across_px, along_px};
    }
    Rect rect(float along_a, float along_b, float across_a, float across_b) const {
        return rect_between(at(along_a, across_a), at(along_b, across_b));
    }
    /// The place of a value, at the plot's edge if it lies beyond.
    float edge_px(double value) const {
        const float low = std::min(along.at_low_px(), along.at_high_px());
        const float high = std::max(along.at_low_px(), along.at_high_px());
        return std::clamp(along.to_px(value), low, high);
    }
    std::optional<Interval> pixels(const std::optional<Interval>& values) const {
        if (!values || !along.can_place(values->low) || !along.can_place(values->high)) return {};
        return Interval{along.to_px(values->low), along.to_px(values->high)};
    }
};

/// Which series share a category's room, in order.
class Sharing {
public:
    template <class Data, class Items>
    static Sharing of(const Work& work, Items items) {
        Sharing sharing;
        auto& sharers = sharing.sharers_;
        for (std::size_t i = 0; i < work.chart.series.size(); ++i) {
            const auto* data = std::get_if<Data>(&work.chart.series[i].data);
            if (!data || !work.shows(i)) continue;
            for (const auto& item : items(*data)) {
                if (item.category >= kMostCategories) continue;
                if (sharers.size() <= item.category) sharers.resize(item.category + 1);
                auto& list = sharers[item.category];
                if (list.empty() || list.back() != i) list.push_back(i);
            }
        }
        return sharing;
    }
    std::size_t count(std::size_t category) const { return sharers_[category].size(); }
    std::size_t place(std::size_t category, std::size_t series) const {
        const auto& list = sharers_[category];
        return static_cast<std::size_t>(std::ranges::find(list, series) - list.begin());
    }

private:
    std::vector<std::vector<std::size_t>> sharers_;
};

/// The strip across the values that one of several sharers gets.
struct Strip {
    float middle = 0;
    float width = 0;
};

Strip strip_of(const Direction& direction, const Sharing& sharing, std::size_t category, std::size_t series,
               float most_px) {
    const auto count = static_cast<float>(sharing.count(category));
    const float pitch = std::min(direction.slot_px() * 0.76f / count, most_px);
    const float middle = direction.across.to_px(static_cast<double>(category));
    const auto place = static_cast<float>(sharing.place(category, series));
    return {middle + (place - (count - 1) / 2) * pitch, count > 1 ? pitch * 0.9f : pitch};
}

void add_samples(DotCloud& cloud, const Direction& direction, std::span<const double> samples,
                 std::size_t item, float middle, float reach, std::size_t most) {
    for (const std::uint32_t index : thinned(samples, most)) {
        if (!direction.along.can_place(samples[index])) continue;
        const Point at = direction.at(direction.edge_px(samples[index]), middle + reach * jitter(index));
        cloud.dots.push_back({at, static_cast<std::uint32_t>(item), index});
        cloud.centers.push_back(at);
    }
}

std::size_t dots_a_sampled_item(const Chart& chart) {
    std::size_t items = 0;
    for (const Series& series : chart.series) {
        if (const auto* bars = std::get_if<Bars>(&series.data))
            items += static_cast<std::size_t>(
                std::ranges::count_if(bars->bars, [](const Bar& b) { return !b.samples.empty(); }));
        if (const auto* boxes = std::get_if<Boxes>(&series.data))
            items += static_cast<std::size_t>(
                std::ranges::count_if(boxes->boxes, [](const Box& b) { return !b.samples.empty(); }));
    }
    return std::max<std::size_t>(8, kMostDots / std::max<std::size_t>(1, items));
}

void place_bars(Work& work, const Direction& direction, const Sharing& sharing, std::size_t series,
                const Bars& bars, std::size_t most_dots) {
    const float s = work.sizes.scale;
    const float base =
        is_log(direction.along.kind()) ? direction.along.at_low_px() : direction.along.to_px(0);
    DotCloud cloud;
    cloud.series = series;
    for (std::size_t i = 0; i < bars.bars.size(); ++i) {
        const Bar& bar = bars.bars[i];
        if (bar.category >= kMostCategories) continue;
        const Strip strip = strip_of(direction, sharing, bar.category, series, 84 * s);
        BarShape shape;
        shape.series = series;
        shape.item = i;
        const bool has_value = bar.value && direction.along.can_place(*bar.value);
        const float end = has_value ? direction.along.to_px(*bar.value) : base;
        shape.rect =
            direction.rect(base, end, strip.middle - strip.width / 2, strip.middle + strip.width / 2);
        if (has_value) shape.whisker_px = direction.pixels(bar.interval);
        shape.dots = !bar.samples.empty();
        add_samples(cloud, direction, bar.samples, i, strip.middle, strip.width * 0.34f, most_dots);
        work.obstacles.push_back(shape.rect);
        work.out.bars.push_back(shape);
    }
    if (!cloud.dots.empty()) work.out.clouds.push_back(std::move(cloud));
}

void place_stack(Work& work, const Direction& direction, std::size_t series, const StackedBars& stack,
                 std::vector<double>& sums) {
    const float width = std::min(direction.slot_px() * 0.66f, 84 * work.sizes.scale);
    for (std::size_t i = 0; i < stack.parts.size(); ++i) {
        const StackPart& part = stack.parts[i];
        if (part.category >= kMostCategories) continue;
        if (sums.size() <= part.category) sums.resize(part.category + 1, 0);
        double& sum = sums[part.category];
        const double before = sum;
        if (std::isfinite(part.value) && part.value > 0) sum += part.value;
        const auto px = [&](double v) {
            return direction.along.can_place(v) ? direction.along.to_px(v) : direction.along.at_low_px();
        };
        const float middle = direction.across.to_px(static_cast<double>(part.category));
        BarShape shape;
        shape.series = series;
        shape.item = i;
        shape.rect = direction.rect(px(before), px(sum), middle - width / 2, middle + width / 2);
        work.obstacles.push_back(shape.rect);
        work.out.bars.push_back(shape);
    }
}

void place_boxes(Work& work, const Direction& direction, const Sharing& sharing, std::size_t series,
                 const Boxes& boxes, std::size_t most_dots) {
    DotCloud cloud;
    cloud.series = series;
    for (std::size_t i = 0; i < boxes.boxes.size(); ++i) {
        const Box& box = boxes.boxes[i];
        if (box.category >= kMostCategories || !box.missing.empty()) continue;
        const auto can = [&](double v) { return direction.along.can_place(v); };
        if (!can(box.whisker_low) || !can(box.quartile_low) || !can(box.median) || !can(box.quartile_high) ||
            !can(box.whisker_high))
            continue;
        const Strip strip = strip_of(direction, sharing, box.category, series, 64 * work.sizes.scale);
        const bool strips = !box.samples.empty();
        const float low = strip.middle - strip.width / 2;
        const float body_high = low + strip.width * (strips ? 0.56f : 1.0f);
        BoxShape shape;
        shape.series = series;
        shape.item = i;
        shape.body = direction.rect(direction.along.to_px(box.quartile_low),
                                    direction.along.to_px(box.quartile_high), low, body_high);
        shape.whisker_low_px = direction.along.to_px(box.whisker_low);
        shape.median_px = direction.along.to_px(box.median);
        shape.whisker_high_px = direction.along.to_px(box.whisker_high);
        shape.notch_px = direction.pixels(box.interval);
        shape.whole =
            direction.rect(direction.along.at_low_px(), direction.along.at_high_px(), low, low + strip.width);
        add_samples(cloud, direction, box.samples, i, low + strip.width * 0.81f, strip.width * 0.15f,
                    most_dots);
        work.obstacles.push_back(
            direction.rect(shape.whisker_low_px, shape.whisker_high_px, low, low + strip.width));
        work.out.boxes.push_back(shape);
    }
    if (!cloud.dots.empty()) work.out.clouds.push_back(std::move(cloud));
}

void place_points(Work& work, std::size_t series, const Points& points) {
    // Of thousands, one for each few pixels.
    const Rect room = work.out.plot.grown(6 * work.sizes.scale);
    const bool many = points.points.size() > 2000;
    const float cell = 3 * work.sizes.scale;
    const auto columns = static_cast<std::size_t>(room.width / cell) + 1;
    std::vector<bool> taken(many ? columns * (static_cast<std::size_t>(room.height / cell) + 1) : 0);
    for (std::size_t i = 0; i < points.points.size(); ++i) {
        const ScatterPoint& point = points.points[i];
        if (!work.out.x.can_place(point.x) || !work.out.y.can_place(point.y)) continue;
        const Point at = {work.out.x.to_px(point.x), work.out.y.to_px(point.y)};
        if (!room.contains(at)) continue;
        if (many) {
            const auto index = static_cast<std::size_t>((at.y - room.y) / cell) * columns +
                               static_cast<std::size_t>((at.x - room.x) / cell);
            if (taken[index]) continue;
            taken[index] = true;
        }
        PointShape shape{series, i, at, {}};
        const auto& interval = point.interval;
        if (interval && work.out.y.can_place(interval->low) && work.out.y.can_place(interval->high))
            shape.whisker_px = Interval{work.out.y.to_px(interval->low), work.out.y.to_px(interval->high)};
        if (work.obstacles.size() < 2000)
            work.obstacles.push_back(Rect{at.x, at.y, 0, 0}.grown(5 * work.sizes.scale));
        work.out.points.push_back(shape);
    }
}

void add_obstacles(Work& work, Point from, Point to) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    const int steps = std::clamp(static_cast<int>(length / (8 * work.sizes.scale)), 1, 500);
    for (int i = 0; i <= steps && work.obstacles.size() < 4000; ++i) {
        const float share = static_cast<float>(i) / static_cast<float>(steps);
        work.obstacles.push_back(
            Rect{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share, 0, 0}.grown(1));
    }
}

void place_rule(Work& work, std::size_t series, const Rule& rule) {
    const Scale& x = work.out.x;
    const Scale& y = work.out.y;
    const bool vertical = rule.kind == Rule::Kind::Vertical;
    const Scale& run = vertical ? y : x;
    double from = run.range().low;
    double to = run.range().high;
    if (rule.from && run.can_place(*rule.from)) from = std::max(from, *rule.from);
    if (rule.to && run.can_place(*rule.to)) to = std::min(to, *rule.to);
    if (!(from < to)) return;
    const auto y_at = [&](double at) {
        return rule.kind == Rule::Kind::Sloped ? rule.value * at : rule.value;
    };
    Segment line;
    if (vertical) {
        if (!x.can_place(rule.value)) return;
        line = {x.to_exact_px(rule.value), y.to_exact_px(from), x.to_exact_px(rule.value), y.to_exact_px(to)};
    } else {
        if (!y.can_place(y_at(from)) || !y.can_place(y_at(to))) return;
        line = {x.to_exact_px(from), y.to_exact_px(y_at(from)), x.to_exact_px(to), y.to_exact_px(y_at(to))};
    }
    const auto seen = clipped(line, work.out.plot);
    if (!seen) return;
    work.out.rules.push_back({series, seen->from(), seen->to()});
    add_obstacles(work, seen->from(), seen->to());
}

void place_cells(Work& work) {
    const AxisPlan& x = work.plans.x;
    const AxisPlan& y = work.plans.y;
    const auto px = [](const Scale& scale, double value) {
        return static_cast<float>(scale.to_exact_px(value));
    };
    work.out.heat->cells = rect_between({px(work.out.x, x.whole.low), px(work.out.y, y.whole.low)},
                                        {px(work.out.x, x.whole.high), px(work.out.y, y.whole.high)});
}

}  // namespace

void place_marks(Work& work) {
    if (work.plans.heat) return place_cells(work);
    const Direction direction{work.out.lying ? work.out.x : work.out.y,
                              work.out.lying ? work.out.y : work.out.x, work.out.lying};
    const auto sharing_bars = Sharing::of<Bars>(
        work, [](const Bars& bars) -> const auto& { return bars.bars; });
    const auto sharing_boxes = Sharing::of<Boxes>(
        work, [](const Boxes& boxes) -> const auto& { return boxes.boxes; });
    const std::size_t most_dots = dots_a_sampled_item(work.chart);
    std::vector<double> sums;
    for (std::size_t i = 0; i < work.chart.series.size(); ++i) {
        if (!work.shows(i)) continue;
        const SeriesData& data = work.chart.series[i].data;
        if (const auto* bars = std::get_if<Bars>(&data))
            place_bars(work, direction, sharing_bars, i, *bars, most_dots);
        if (const auto* stack = std::get_if<StackedBars>(&data))
            place_stack(work, direction, i, *stack, sums);
        if (const auto* boxes = std::get_if<Boxes>(&data))
            place_boxes(work, direction, sharing_boxes, i, *boxes, most_dots);
        if (const auto* line = std::get_if<Line>(&data)) place_line(work, i, *line);
        if (const auto* points = std::get_if<Points>(&data)) place_points(work, i, *points);
        if (const auto* rule = std::get_if<Rule>(&data)) place_rule(work, i, *rule);
    }
    for (const LineShape& line : work.out.lines)
        for (std::size_t i = 1; i < line.points.size(); ++i)
            add_obstacles(work, line.points[i - 1], line.points[i]);
}

}  // namespace kwb::plot::parts
