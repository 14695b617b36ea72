// SPDX-License-Identifier: Apache-2.0
// Positions of bars, boxes, points, cells, lines with their bands, and rules.
#include <algorithm>
#include <cmath>
#include <utility>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

constexpr std::size_t kMostDots = 1600;  ///< per chart: more are indistinguishable and slow

/// About `most` evenly spaced indices of finite values in ascending order; always includes the smallest and
/// the largest value.
std::vector<std::uint32_t> thinned(std::span<const double> values, std::size_t most) {
    std::vector<std::uint32_t> chosen;
    const std::size_t stride = (values.size() + most - 1) / most;
    for (std::size_t i = 0; i < values.size(); i += stride) chosen.push_back(static_cast<std::uint32_t>(i));
    if (stride > 1) {
        const Range ends = finite_range(values);
        for (const double end : {ends.low, ends.high}) {
            const auto found = std::ranges::find(values, end);
            if (found != values.end()) chosen.push_back(static_cast<std::uint32_t>(found - values.begin()));
        }
        std::ranges::sort(chosen);
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    }
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

std::optional<Interval> pixels(const Scale& scale, const std::optional<Interval>& values) {
    if (!values || !scale.can_place(values->low) || !scale.can_place(values->high)) return {};
    return Interval{scale.to_px(values->low), scale.to_px(values->high)};
}

/// The part of a row that one of several sharing series gets.
struct Strip {
    float middle = 0;
    float height = 0;
};

/// Places the bars and boxes of all series.
class RowPlacer {
public:
    explicit RowPlacer(Work& work) : work_(work), sharers_(work.plans.y.categories.size()) {
        std::size_t sampled = 0;
        for (std::size_t i = 0; i < work.chart.series.size(); ++i)
            if (const auto* bars = std::get_if<Bars>(&work.chart.series[i].data))
                for (const Bar& bar : bars->bars) {
                    sampled += bar.samples.empty() ? 0 : 1;
                    if (bar.category >= kMostCategories || !work.shows(i)) continue;
                    if (work.chart.series[i].ghost) continue;
                    auto& sharers = sharers_[bar.category];
                    if (sharers.empty() || sharers.back() != i) sharers.push_back(i);
                }
        most_dots_ = std::max<std::size_t>(8, kMostDots / std::max<std::size_t>(1, sampled));
    }

    void place(std::size_t series, const Bars& bars) {
        DotCloud cloud;
        cloud.series = series;
        for (std::size_t i = 0; i < bars.bars.size(); ++i) {
            const Bar& bar = bars.bars[i];
            if (bar.category >= kMostCategories) continue;
            if (bar.spread && bar.value)
                place_box(cloud, i, bar);
            else
                place_bar(cloud, i, bar);
        }
        if (!cloud.dots.empty()) work_.out.clouds.push_back(std::move(cloud));
    }

private:
    void place_bar(DotCloud& cloud, std::size_t item, const Bar& bar) {
        const Scale& x = work_.out.x;
        const float base = is_log(x.kind()) || !bar.value ? x.at_low_px() : x.to_px(0);
        constexpr float kDotPx = 11;
        const auto [middle, height] = strip_of(bar.category, cloud.series, 84);
        const bool has_value = bar.value && x.can_place(*bar.value);
        BarShape shape;
        shape.series = cloud.series;
        shape.item = item;
        shape.rect = rect_between({base, middle - height / 2},
                                  {has_value ? x.to_px(*bar.value) : base, middle + height / 2});
        shape.is_dot = has_value && is_log(x.kind());
        if (shape.is_dot) {
            const float side = std::min(height, kDotPx * work_.sizes.scale);
            shape.rect = {x.to_px(*bar.value) - side / 2, middle - side / 2, side, side};
        }
        const bool ghost = work_.chart.series[cloud.series].ghost;
        if (has_value && !ghost) shape.whisker_px = pixels(x, bar.interval);
        shape.dots = !bar.samples.empty();
        add_samples(cloud, item, bar, middle, height * 0.34f);
        if (!ghost) work_.obstacles.push_back(shape.rect);
        work_.out.bars.push_back(shape);
    }

    void place_box(DotCloud& cloud, std::size_t item, const Bar& bar) {
        const Scale& x = work_.out.x;
        const Spread& spread = *bar.spread;
        const auto numbers = {spread.whisker_low, spread.quartile_low, *bar.value, spread.quartile_high,
                              spread.whisker_high};
        if (!std::ranges::all_of(numbers, [&](double v) { return x.can_place(v); })) return;
        const auto [middle, height] = strip_of(bar.category, cloud.series, 64);
        const float top = middle - height / 2;
        BoxShape shape;
        shape.series = cloud.series;
        shape.item = item;
        shape.body = rect_between({x.to_px(spread.quartile_low), top},
                                  {x.to_px(spread.quartile_high), top + height * 0.56f});
        shape.whisker_low_px = x.to_px(spread.whisker_low);
        shape.median_px = x.to_px(*bar.value);
        shape.whisker_high_px = x.to_px(spread.whisker_high);
        shape.notch_px = pixels(x, bar.interval);
        shape.whole = {x.at_low_px(), top, x.length_px(), height};
        add_samples(cloud, item, bar, top + height * 0.81f, height * 0.15f);
        work_.obstacles.push_back(
            rect_between({shape.whisker_low_px, top}, {shape.whisker_high_px, top + height}));
        work_.out.boxes.push_back(shape);
    }

    Strip strip_of(std::size_t category, std::size_t series, float most_px) const {
        const Scale& y = work_.out.y;
        const auto& sharers = sharers_[category];
        const Series& own = work_.chart.series[series];
        const float row_px = std::abs(y.to_px(1) - y.to_px(0));
        // A ghost surrounds the bar of its kernel.
        const auto found = std::ranges::find_if(sharers, [&](std::size_t sharer) {
            return own.ghost ? work_.chart.series[sharer].color_slot == own.color_slot : sharer == series;
        });
        const auto count = static_cast<float>(std::max<std::size_t>(1, sharers.size()));
        const float pitch = std::min(row_px * 0.76f / count, most_px * work_.sizes.scale);
        if (found == sharers.end()) return {y.to_px(static_cast<double>(category)), pitch};
        const auto place = static_cast<float>(found - sharers.begin());
        const float middle = y.to_px(static_cast<double>(category)) + (place - (count - 1) / 2) * pitch;
        const float height = count > 1 ? pitch * 0.9f : pitch;
        return {middle,
                own.ghost ? std::min(height + 6 * work_.sizes.scale, row_px * 0.96f / count) : height};
    }

    /// Samples beyond the axis are placed at the plot's edges.
    void add_samples(DotCloud& cloud, std::size_t item, const Bar& bar, float middle, float reach) const {
        const Scale& x = work_.out.x;
        for (const std::uint32_t index : thinned(bar.samples, most_dots_)) {
            const double sample = bar.samples[index];
            if (!x.can_place(sample)) continue;
            const Point at = {std::clamp(x.to_px(sample), x.at_low_px(), x.at_high_px()),
                              middle + reach * jitter(index)};
            cloud.dots.push_back({at, static_cast<std::uint32_t>(item), index});
            cloud.centers.push_back(at);
        }
    }

    Work& work_;
    std::vector<std::vector<std::size_t>> sharers_;  ///< series in each category's row, in order
    std::size_t most_dots_ = 0;                      ///< for one bar
};

void place_point(Work& work, std::size_t series, const ScatterPoint& point) {
    if (!work.out.x.can_place(point.x) || !work.out.y.can_place(point.y)) return;
    const Point at = {work.out.x.to_px(point.x), work.out.y.to_px(point.y)};
    if (!work.out.plot.grown(6 * work.sizes.scale).contains(at)) return;
    work.obstacles.push_back(Rect{at.x, at.y, 0, 0}.grown(5 * work.sizes.scale));
    work.out.points.push_back({series, at, pixels(work.out.y, point.interval)});
}

void place_cells(Work& work) {
    const Range& x = work.plans.x.whole;
    const Range& y = work.plans.y.whole;
    const auto corner = [&](double column, double row) {
        return Point{static_cast<float>(work.out.x.to_exact_px(column)),
                     static_cast<float>(work.out.y.to_exact_px(row))};
    };
    work.out.heat->cells = rect_between(corner(x.low, y.low), corner(x.high, y.high));
}

/// Double precision, because the ends are far outside the plot at high zoom.
struct Segment {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    Point from() const { return {static_cast<float>(x0), static_cast<float>(y0)}; }
    Point to() const { return {static_cast<float>(x1), static_cast<float>(y1)}; }
};

/// The part of a segment inside the rectangle, or nullopt if there is none.
/// Source: Liang and Barsky, "A new concept and method for line clipping", ACM Transactions on Graphics 3,
/// 1984.
std::optional<Segment> clipped(const Segment& line, const Rect& rect) {
    const double dx = line.x1 - line.x0;
    const double dy = line.y1 - line.y0;
    if (!std::isfinite(dx) || !std::isfinite(dy)) return {};
    double enter = 0;
    double leave = 1;
    const auto cut = [&](double step, double distance) {
        if (step == 0) return distance >= 0;
        const double at = distance / step;
        if (step < 0) {
            if (at > enter) enter = at;
        } else if (at < leave) {
            leave = at;
        }
        return enter <= leave;
    };
    if (!cut(-dx, line.x0 - rect.left()) || !cut(dx, rect.right() - line.x0) ||
        !cut(-dy, line.y0 - rect.top()) || !cut(dy, rect.bottom() - line.y0))
        return {};
    Segment part = line;
    if (enter > 0) part.x0 = line.x0 + enter * dx, part.y0 = line.y0 + enter * dy;
    if (leave < 1) part.x1 = line.x0 + leave * dx, part.y1 = line.y0 + leave * dy;
    return part;
}

/// A point of a line in pixels, before clipping.
struct Place {
    double x = 0;
    double y = 0;
    double low = 0;  ///< y of the band's lower end
    double high = 0;
    std::uint32_t item = 0;
};

/// Keeps the first, highest, lowest and last point of each pixel column, so that the line looks the same.
/// Source of the idea: U. Jugel et al., "M4: a visualization-oriented time series data aggregation", VLDB
/// 2014.
std::vector<Place> thinned_by_column(std::vector<Place> places, float plot_px) {
    if (static_cast<double>(places.size()) <= 4.0 * static_cast<double>(plot_px) || places.size() < 64)
        return places;
    std::vector<Place> kept;
    std::size_t begin = 0;
    while (begin < places.size()) {
        const double column = std::floor(places[begin].x);
        std::size_t end = begin;
        std::size_t top = begin;
        std::size_t bottom = begin;
        double low = places[begin].low;
        double high = places[begin].high;
        for (; end < places.size() && std::floor(places[end].x) == column; ++end) {
            if (places[end].y < places[top].y) top = end;
            if (places[end].y > places[bottom].y) bottom = end;
            low = std::max(low, places[end].low);  // y grows downwards, so low is the maximum
            high = std::min(high, places[end].high);
        }
        std::vector<std::size_t> chosen = {begin, std::min(top, bottom), std::max(top, bottom), end - 1};
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        for (const std::size_t i : chosen) {
            kept.push_back(places[i]);
            kept.back().low = low;
            kept.back().high = high;
        }
        begin = end;
    }
    return kept;
}

/// A clip window around the plot. Lines are clipped there rather than at the plot, where their cut ends would
/// be visible.
Rect reach_of(const Rect& plot) {
    return {plot.x - plot.width - 20, plot.y - plot.height - 20, 3 * plot.width + 40, 3 * plot.height + 40};
}

void add_band(LineShape& shape, const std::vector<Place>& places, const Rect& reach) {
    const auto y_px = [&](double y) {
        return static_cast<float>(std::clamp<double>(y, reach.top(), reach.bottom()));
    };
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place& place = places[i];
        const bool inside = place.x >= reach.left() && place.x <= reach.right();
        // Outside the window, only the points where the band crosses its edge are added.
        const auto cross = [&](const Place& a, const Place& b, double x) {
            const double share = (x - a.x) / (b.x - a.x);
            shape.band_upper.push_back({static_cast<float>(x), y_px(std::lerp(a.high, b.high, share))});
            shape.band_lower.push_back({static_cast<float>(x), y_px(std::lerp(a.low, b.low, share))});
        };
        if (i > 0) {
            const Place& before = places[i - 1];
            for (const double edge : {static_cast<double>(reach.left()), static_cast<double>(reach.right())})
                if (before.x < edge && place.x > edge) cross(before, place, edge);
        }
        if (!inside) continue;
        shape.band_upper.push_back({static_cast<float>(place.x), y_px(place.high)});
        shape.band_lower.push_back({static_cast<float>(place.x), y_px(place.low)});
    }
}

/// Adds obstacles along a line segment, so that labels avoid it.
void add_obstacles(Work& work, Point from, Point to) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    const int steps = std::clamp(static_cast<int>(length / (8 * work.sizes.scale)), 1, 500);
    for (int i = 0; i <= steps && work.obstacles.size() < 4000; ++i) {
        const float share = static_cast<float>(i) / static_cast<float>(steps);
        work.obstacles.push_back(
            Rect{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share, 0, 0}.grown(1));
    }
}

void add_piece(Work& work, std::size_t series, std::vector<Place> all, bool banded) {
    if (all.empty()) return;
    const Rect& plot = work.out.plot;
    const Rect reach = reach_of(plot);
    const std::vector<Place> places = thinned_by_column(std::move(all), plot.width);

    LineShape shape;
    shape.series = series;
    for (const Place& place : places) {
        const Point at = {static_cast<float>(place.x), static_cast<float>(place.y)};
        if (plot.grown(0.5f).contains(at)) shape.marks.push_back({at, place.item, 0});
    }
    // A single point has no line, so it always shows its marker.
    const auto room = static_cast<std::size_t>(plot.width / (9 * work.sizes.scale));
    const bool ghost = work.chart.series[series].ghost;
    shape.markers = (shape.marks.size() <= room && !ghost) || places.size() == 1;
    if (banded && places.size() > 1) add_band(shape, places, reach);

    // Clip the line to the window. This results in one piece per entry into the window; the first piece
    // carries band and markers.
    std::vector<std::vector<Point>> pieces(1);
    for (std::size_t i = 1; i < places.size(); ++i) {
        const auto part = clipped({places[i - 1].x, places[i - 1].y, places[i].x, places[i].y}, reach);
        if (!part) continue;
        if (pieces.back().empty() || !(pieces.back().back() == part->from())) {
            if (!pieces.back().empty()) pieces.emplace_back();
            pieces.back().push_back(part->from());
        }
        pieces.back().push_back(part->to());
    }
    for (std::vector<Point>& piece : pieces) {
        for (std::size_t i = 1; i < piece.size(); ++i) add_obstacles(work, piece[i - 1], piece[i]);
        shape.points = std::move(piece);
        work.out.lines.push_back(std::exchange(shape, {}));
        shape.series = series;
    }
}

void place_line(Work& work, std::size_t series, const Line& line) {
    const Scale& x = work.out.x;
    const Scale& y = work.out.y;
    std::vector<Place> places;
    bool banded = false;
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        const LinePoint& point = line.points[i];
        if (!x.can_place(point.x) || !y.can_place(point.y)) {
            add_piece(work, series, std::move(places), banded);
            places.clear();
            banded = false;
            continue;
        }
        Place place{x.to_exact_px(point.x), y.to_exact_px(point.y), 0, 0, static_cast<std::uint32_t>(i)};
        place.low = place.high = place.y;
        if (point.band && y.can_place(point.band->high)) {
            banded = true;
            // A band that ends at or below 0 has no lower end on a logarithmic axis, so it extends beyond the
            // plot.
            place.low = y.can_place(point.band->low) ? y.to_exact_px(point.band->low)
                                                     : y.to_px(y.range().low) + y.length_px();
            place.high = y.to_exact_px(point.band->high);
        }
        places.push_back(place);
    }
    add_piece(work, series, std::move(places), banded);
}

void place_rule(Work& work, std::size_t series, const Rule& rule) {
    const Scale& x = work.out.x;
    const Scale& y = work.out.y;
    Segment line;
    if (rule.kind == Rule::Kind::Vertical) {
        if (!x.can_place(rule.value)) return;
        line = {x.to_exact_px(rule.value), y.at_low_px(), x.to_exact_px(rule.value), y.at_high_px()};
    } else {
        double from = x.range().low;
        double to = x.range().high;
        if (rule.from && x.can_place(*rule.from)) from = std::max(from, *rule.from);
        if (rule.to && x.can_place(*rule.to)) to = std::min(to, *rule.to);
        const auto y_at = [&](double at) {
            return rule.kind == Rule::Kind::Sloped ? rule.value * at : rule.value;
        };
        if (!(from < to) || !y.can_place(y_at(from)) || !y.can_place(y_at(to))) return;
        line = {x.to_exact_px(from), y.to_exact_px(y_at(from)), x.to_exact_px(to), y.to_exact_px(y_at(to))};
    }
    const auto seen = clipped(line, work.out.plot);
    if (!seen) return;
    work.out.rules.push_back({series, seen->from(), seen->to()});
    add_obstacles(work, seen->from(), seen->to());
}

}  // namespace

void place_marks(Work& work) {
    if (work.plans.heat) return place_cells(work);
    RowPlacer rows(work);
    for (std::size_t i = 0; i < work.chart.series.size(); ++i) {
        if (!work.shows(i)) continue;
        const SeriesData& data = work.chart.series[i].data;
        if (const auto* bars = std::get_if<Bars>(&data)) rows.place(i, *bars);
        if (const auto* line = std::get_if<Line>(&data)) place_line(work, i, *line);
        if (const auto* point = std::get_if<ScatterPoint>(&data)) place_point(work, i, *point);
        if (const auto* rule = std::get_if<Rule>(&data)) place_rule(work, i, *rule);
    }
}

}  // namespace kwb::plot::parts
