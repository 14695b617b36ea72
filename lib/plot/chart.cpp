// SPDX-License-Identifier: Apache-2.0
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
    bool operator()(const ScatterPoint& p) const { return std::isfinite(p.x) && std::isfinite(p.y); }
    bool operator()(const HeatMap& map) const {
        return map.rows > 0 && map.columns > 0 && map.values.size() == map.rows * map.columns;
    }
    /// A reference line is not data, unless it is the subject of the chart (ceilings).
    bool operator()(const Rule& rule) const { return rule.emphasized && std::isfinite(rule.value); }
};

double quantile(std::span<const double> sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto index = static_cast<std::size_t>(at);
    if (index + 1 >= sorted.size()) return sorted.back();
    return std::lerp(sorted[index], sorted[index + 1], at - static_cast<double>(index));
}

}  // namespace

const Bar& bar_at(const Chart& chart, std::size_t series, std::size_t item) {
    return std::get<Bars>(chart.series[series].data).bars[item];
}

bool has_data(const Chart& chart) {
    return std::ranges::any_of(chart.series,
                               [](const Series& series) { return std::visit(HasData{}, series.data); });
}

Bar make_box(std::size_t category, std::vector<double> samples) {
    std::vector<double> sorted;
    sorted.reserve(samples.size());
    std::ranges::copy_if(samples, std::back_inserter(sorted), [](double v) { return std::isfinite(v); });
    std::ranges::sort(sorted);

    if (sorted.empty()) return {.category = category, .samples = std::move(samples), .missing = "no samples"};
    return {.category = category,
            .value = quantile(sorted, 0.5),
            .samples = std::move(samples),
            .spread = Spread{quantile(sorted, 0.05), quantile(sorted, 0.25), quantile(sorted, 0.75),
                             quantile(sorted, 0.95)}};
}

}  // namespace kwb::plot
