#include "plot/chart.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

namespace kwb::plot {
namespace {

struct HasData {
    bool operator()(const Bars& bars) const {
        return std::ranges::any_of(bars.bars, [](const Bar& bar) {
            return (bar.value && std::isfinite(*bar.value)) || !bar.missing.empty();
        });
    }
    bool operator()(const Line& line) const {
        return std::ranges::any_of(
            line.points, [](const LinePoint& p) { return std::isfinite(p.x) && std::isfinite(p.y); });
    }
    bool operator()(const Points& points) const {
        return std::ranges::any_of(
            points.points, [](const ScatterPoint& p) { return std::isfinite(p.x) && std::isfinite(p.y); });
    }
    bool operator()(const Boxes& boxes) const {
        return std::ranges::any_of(
            boxes.boxes, [](const Box& box) { return std::isfinite(box.median) || !box.missing.empty(); });
    }
    bool operator()(const HeatMap& map) const {
        return map.rows > 0 && map.columns > 0 && map.values.size() == map.rows * map.columns;
    }
    /// A reference line alone is not data, unless it is the subject of the chart (ceilings).
    bool operator()(const Rule& rule) const { return rule.emphasized && std::isfinite(rule.value); }
};

double quantile(std::span<const double> sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto index = static_cast<std::size_t>(at);
    if (index + 1 >= sorted.size()) return sorted.back();
    return std::lerp(sorted[index], sorted[index + 1], at - static_cast<double>(index));
}

}  // namespace

bool has_data(const Chart& chart) {
    return std::ranges::any_of(chart.series,
                               [](const Series& series) { return std::visit(HasData{}, series.data); });
}

Box make_box(std::size_t category, std::vector<double> samples) {
    std::vector<double> sorted;
    sorted.reserve(samples.size());
    std::ranges::copy_if(samples, std::back_inserter(sorted), [](double v) { return std::isfinite(v); });
    std::ranges::sort(sorted);

    Box box;
    box.category = category;
    box.samples = std::move(samples);
    if (sorted.empty()) {
        box.missing = "no samples";
        return box;
    }
    box.whisker_low = quantile(sorted, 0.05);
    box.quartile_low = quantile(sorted, 0.25);
    box.median = quantile(sorted, 0.5);
    box.quartile_high = quantile(sorted, 0.75);
    box.whisker_high = quantile(sorted, 0.95);
    return box;
}

}  // namespace kwb::plot
