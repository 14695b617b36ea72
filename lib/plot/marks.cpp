// Positions of bars, boxes, points and cells.
#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

constexpr std::size_t kMostDots = 1600;  ///< per chart: more are indistinguishable and slow

/// About `most` evenly spaced indices from 0 … count - 1 in ascending order; always includes the smallest and
/// the largest value.
std::vector<std::uint32_t> thinned(std::span<const double> values, std::size_t most) {
    std::vector<std::uint32_t> chosen;
    if (values.empty()) return chosen;
    most = std::max<std::size_t>(most, 2);
    const std::size_t stride = (values.size() + most - 1) / most;
    chosen.reserve(values.size() / stride + 3);
    if (stride == 1) {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::isfinite(values[i])) chosen.push_back(static_cast<std::uint32_t>(i));
        return chosen;
    }
    // First find the extreme values with a loop that vectorizes well, then their indices.
    constexpr double kMost = std::numeric_limits<double>::max();
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : values) {
        low = value < low && value >= -kMost ? value : low;
        high = value > high && value <= kMost ? value : high;
    }
    const auto place_of = [&](double value) {
        const auto found = std::ranges::find(values, value);
        return found == values.end() ? 0 : static_cast<std::size_t>(found - values.begin());
    };
    const std::size_t least = place_of(low);
    const std::size_t largest = place_of(high);
    const std::size_t first = std::min(least, largest);
    const std::size_t second = std::max(least, largest);
    for (std::size_t i = 0; i < values.size(); i += stride) {
        // Insert the extremes at their positions in the order.
        for (const std::size_t extreme : {first, second})
            if (extreme < i && extreme + stride > i) chosen.push_back(static_cast<std::uint32_t>(extreme));
        chosen.push_back(static_cast<std::uint32_t>(i));
    }
    for (const std::size_t extreme : {first, second})
        if (extreme > chosen.back()) chosen.push_back(static_cast<std::uint32_t>(extreme));
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    std::erase_if(chosen, [&](std::uint32_t i) { return !std::isfinite(values[i]); });
    return chosen;
}

/// An offset across a strip of samples in [-1, 1]: deterministic for an index, and evenly distributed.
float jitter(std::size_t index) {
    // Multiples of the golden ratio are evenly distributed for any count (Weyl, 1916).
    constexpr double kGolden = 0.618033988749894848;
    const double at = 0.5 + static_cast<double>(index % 1000000) * kGolden;
    return static_cast<float>(2 * (at - std::floor(at)) - 1);
}

/// The x coordinate of a value, clamped to the plot's edges.
float edge_px(const Scale& x, double value) {
    return std::clamp(x.to_px(value), x.at_low_px(), x.at_high_px());
}

std::optional<Interval> pixels(const Scale& scale, const std::optional<Interval>& values) {
    if (!values || !scale.can_place(values->low) || !scale.can_place(values->high)) return {};
    return Interval{scale.to_px(values->low), scale.to_px(values->high)};
}

/// The rectangle between x `a` and `b` and between y `top` and `bottom`, in any order.
Rect rect_of(float a, float b, float top, float bottom) {
    return rect_between({a, top}, {b, bottom});
}

/// The series that share each category's row, in order.
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

/// The part of a row that one of several sharing series gets.
struct Strip {
    float middle = 0;
    float height = 0;
};

Strip strip_of(const Work& work, const Sharing& sharing, std::size_t category, std::size_t series,
               float most_px) {
    const Scale& y = work.out.y;
    const auto count = static_cast<float>(sharing.count(category));
    const float pitch = std::min(std::abs(y.to_px(1) - y.to_px(0)) * 0.76f / count, most_px);
    const auto place = static_cast<float>(sharing.place(category, series));
    const float middle = y.to_px(static_cast<double>(category)) + (place - (count - 1) / 2) * pitch;
    return {middle, count > 1 ? pitch * 0.9f : pitch};
}

void add_samples(DotCloud& cloud, const Scale& x, std::span<const double> samples, std::size_t item,
                 float middle, float reach, std::size_t most) {
    for (const std::uint32_t index : thinned(samples, most)) {
        if (!x.can_place(samples[index])) continue;
        const Point at = {edge_px(x, samples[index]), middle + reach * jitter(index)};
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

void place_bars(Work& work, const Sharing& sharing, std::size_t series, const Bars& bars,
                std::size_t most_dots) {
    const Scale& x = work.out.x;
    const float base = is_log(x.kind()) ? x.at_low_px() : x.to_px(0);
    DotCloud cloud;
    cloud.series = series;
    for (std::size_t i = 0; i < bars.bars.size(); ++i) {
        const Bar& bar = bars.bars[i];
        if (bar.category >= kMostCategories) continue;
        const Strip strip = strip_of(work, sharing, bar.category, series, 84 * work.sizes.scale);
        const bool has_value = bar.value && x.can_place(*bar.value);
        BarShape shape;
        shape.series = series;
        shape.item = i;
        shape.rect = rect_of(base, has_value ? x.to_px(*bar.value) : base, strip.middle - strip.height / 2,
                             strip.middle + strip.height / 2);
        if (has_value) shape.whisker_px = pixels(x, bar.interval);
        shape.dots = !bar.samples.empty();
        add_samples(cloud, x, bar.samples, i, strip.middle, strip.height * 0.34f, most_dots);
        work.obstacles.push_back(shape.rect);
        work.out.bars.push_back(shape);
    }
    if (!cloud.dots.empty()) work.out.clouds.push_back(std::move(cloud));
}

void place_boxes(Work& work, const Sharing& sharing, std::size_t series, const Boxes& boxes,
                 std::size_t most_dots) {
    const Scale& x = work.out.x;
    DotCloud cloud;
    cloud.series = series;
    for (std::size_t i = 0; i < boxes.boxes.size(); ++i) {
        const Box& box = boxes.boxes[i];
        if (box.category >= kMostCategories || !box.missing.empty()) continue;
        const auto numbers = {box.whisker_low, box.quartile_low, box.median, box.quartile_high,
                              box.whisker_high};
        if (!std::ranges::all_of(numbers, [&](double v) { return x.can_place(v); })) continue;
        const Strip strip = strip_of(work, sharing, box.category, series, 64 * work.sizes.scale);
        const float top = strip.middle - strip.height / 2;
        const float body_bottom = top + strip.height * (box.samples.empty() ? 1.0f : 0.56f);
        BoxShape shape;
        shape.series = series;
        shape.item = i;
        shape.body = rect_of(x.to_px(box.quartile_low), x.to_px(box.quartile_high), top, body_bottom);
        shape.whisker_low_px = x.to_px(box.whisker_low);
        shape.median_px = x.to_px(box.median);
        shape.whisker_high_px = x.to_px(box.whisker_high);
        shape.notch_px = pixels(x, box.interval);
        shape.whole = rect_of(x.at_low_px(), x.at_high_px(), top, top + strip.height);
        add_samples(cloud, x, box.samples, i, top + strip.height * 0.81f, strip.height * 0.15f, most_dots);
        work.obstacles.push_back(
            rect_of(shape.whisker_low_px, shape.whisker_high_px, top, top + strip.height));
        work.out.boxes.push_back(shape);
    }
    if (!cloud.dots.empty()) work.out.clouds.push_back(std::move(cloud));
}

void place_points(Work& work, std::size_t series, const Points& points) {
    // Thousands of points are decimated to one per few pixels.
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
        const PointShape shape{series, i, at, pixels(work.out.y, point.interval)};
        if (work.obstacles.size() < 2000)
            work.obstacles.push_back(Rect{at.x, at.y, 0, 0}.grown(5 * work.sizes.scale));
        work.out.points.push_back(shape);
    }
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
    const auto sharing_bars = Sharing::of<Bars>(
        work, [](const Bars& bars) -> const auto& { return bars.bars; });
    const auto sharing_boxes = Sharing::of<Boxes>(
        work, [](const Boxes& boxes) -> const auto& { return boxes.boxes; });
    const std::size_t most_dots = dots_a_sampled_item(work.chart);
    for (std::size_t i = 0; i < work.chart.series.size(); ++i) {
        if (!work.shows(i)) continue;
        const SeriesData& data = work.chart.series[i].data;
        if (const auto* bars = std::get_if<Bars>(&data)) place_bars(work, sharing_bars, i, *bars, most_dots);
        if (const auto* boxes = std::get_if<Boxes>(&data))
            place_boxes(work, sharing_boxes, i, *boxes, most_dots);
        if (const auto* line = std::get_if<Line>(&data)) place_line(work, i, *line);
        if (const auto* points = std::get_if<Points>(&data)) place_points(work, i, *points);
        if (const auto* rule = std::get_if<Rule>(&data)) place_rule(work, i, *rule);
    }
    for (const LineShape& line : work.out.lines)
        for (std::size_t i = 1; i < line.points.size(); ++i)
            add_obstacles(work, line.points[i - 1], line.points[i]);
}

}  // namespace kwb::plot::parts
