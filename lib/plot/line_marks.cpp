// Positions of lines, their bands, and rules.
#include <algorithm>
#include <cmath>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

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
    shape.markers = shape.marks.size() <= room || places.size() == 1;
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
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > 0) {
            shape = {};
            shape.series = series;
        }
        shape.points = std::move(pieces[i]);
        work.out.lines.push_back(std::move(shape));
    }
}

}  // namespace

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

}  // namespace kwb::plot::parts
