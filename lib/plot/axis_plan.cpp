// SPDX-License-Identifier: Apache-2.0
// The value ranges of a chart's axes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Minimum and maximum of the values that an axis can show.
struct Extent {
    ScaleKind kind;
    double low = kInfinity;
    double high = -kInfinity;
    bool bars = false;  ///< these begin at zero

    explicit Extent(ScaleKind scale) : kind(scale) {}
    bool any() const { return low <= high; }
    void add(double value) {
        if (!std::isfinite(value) || (is_log(kind) && value <= 0)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    void add(const std::optional<Interval>& interval) {
        if (!interval) return;
        add(interval->low);
        add(interval->high);
    }
};

/// Adds the values of each series to both axes.
struct Collect {
    Extent& x;
    Extent& y;

    void operator()(const Bars& bars) const {
        for (const Bar& bar : bars.bars) {
            // Outliers must not compress the marks: distant samples are drawn at the edge.
            Range samples = finite_range(bar.samples);
            if (bar.spread) {
                const auto [low, quartile_low, quartile_high, high] = *bar.spread;
                x.add(low);
                x.add(high);
                const double reach = high > low ? 2.5 * (high - low) : kInfinity;
                samples = {std::max(samples.low, low - reach), std::min(samples.high, high + reach)};
            } else {
                x.bars = x.bars || bar.value || bar.interval || !bar.samples.empty();
                if (bar.value) x.add(*bar.value);
                const double end = std::max(bar.value.value_or(0), bar.interval ? bar.interval->high : 0);
                if (bar.value && end > 0) samples.high = std::min(samples.high, 2.5 * end);
            }
            x.add(bar.interval);
            x.add(samples.low);
            x.add(samples.high);
        }
    }
    void operator()(const Line& line) const {
        for (const LinePoint& point : line.points) {
            if (!std::isfinite(point.y)) continue;
            x.add(point.x);
            y.add(point.y);
            y.add(point.band);
        }
    }
    void operator()(const ScatterPoint& point) const {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) return;
        x.add(point.x);
        y.add(point.y);
        y.add(point.interval);
    }
    void operator()(const HeatMap&) const {}
    void operator()(const Rule& rule) const {
        // Leaves room for the label above a ceiling.
        const double above = is_log(y.kind) ? 1.4 : 1.08;
        if (rule.kind == Rule::Kind::Horizontal) y.add(rule.emphasized ? rule.value * above : rule.value);
        if (rule.kind == Rule::Kind::Vertical) return x.add(rule.value);
        if (rule.from) x.add(*rule.from);
        if (rule.to) x.add(*rule.to);
    }
};

/// Whether doubles and pixels can resolve the range, and it is far from the limits of double.
bool is_usable(const Range& range, ScaleKind kind) {
    constexpr double kHuge = 1e301;
    const double size = std::max(std::abs(range.low), std::abs(range.high));
    if (!(size < kHuge) || !(range.low < range.high)) return false;
    if (is_log(kind)) return range.low > 1e-301 && range.high > range.low * (1 + 1e-9);
    return range.span() > std::max(size * 1e-12, 1e-280);
}

Range whole_range(const Axis& axis, const Extent& extent) {
    Range range = is_log(extent.kind) ? Range{1, 10} : Range{0, 1};
    if (extent.any())
        range = pleasant_range(extent.kind, extent.low, extent.high, extent.bars || axis.from_zero);
    const Range fixed = {axis.low.value_or(range.low), axis.high.value_or(range.high)};
    return is_usable(fixed, extent.kind) ? fixed : range;
}

std::string title_of(const Axis& axis, const std::string& unit) {
    if (unit.empty()) return axis.label;
    return axis.label.empty() ? "[" + unit + "]" : axis.label + " [" + unit + "]";
}

AxisPlan plan_of(const Axis& axis, ScaleKind kind, const Range& whole, const std::optional<Range>& zoomed) {
    AxisPlan plan;
    plan.kind = kind;
    plan.whole = whole;
    plan.shown = zoomed && is_usable(*zoomed, kind) ? *zoomed : whole;
    plan.unit = {1, axis.unit};
    plan.title = title_of(axis, axis.unit);
    return plan;
}

AxisPlan plan_numbers(const Axis& axis, const Extent& extent, const std::optional<Range>& zoomed) {
    AxisPlan plan = plan_of(axis, extent.kind, whole_range(axis, extent), zoomed);
    plan.whole_numbers = axis.whole;
    plan.bars = extent.bars;
    if (plan.bars && !is_log(plan.kind)) {  // a zoom may come from a logarithmic axis
        plan.shown.low = std::min(plan.shown.low, 0.0);
        plan.shown.high = std::max(plan.shown.high, 0.0);
    }
    // A logarithmic axis spans several prefixes, so its unit is not changed.
    if (!is_log(plan.kind))
        plan.unit = choose_unit(axis.unit, std::max(std::abs(plan.shown.low), std::abs(plan.shown.high)));
    plan.unit_at_ticks = plan.kind == ScaleKind::Log10 && is_time_unit(axis.unit);
    plan.title = title_of(axis, plan.unit_at_ticks ? "" : plan.unit.unit);
    return plan;
}

AxisPlan plan_rows(const Chart& chart) {
    std::size_t count = std::min(chart.y.categories.size(), kMostCategories);
    for (const Series& series : chart.series)
        if (const auto* bars = std::get_if<Bars>(&series.data))
            for (const Bar& bar : bars->bars)
                if (bar.category < kMostCategories) count = std::max(count, bar.category + 1);
    AxisPlan plan =
        plan_of(chart.y, ScaleKind::Categories, {-0.5, std::max(1.0, static_cast<double>(count)) - 0.5}, {});
    plan.categories = chart.y.categories;
    plan.categories.resize(count);
    plan.downwards = true;
    return plan;
}

AxisPlan plan_cells(const Axis& axis, double a_cell, std::size_t cells, const std::optional<Range>& zoomed) {
    // Indices that a double represents exactly.
    if (!(a_cell >= 1e-3 && a_cell < 1e12)) a_cell = 1;
    AxisPlan plan = plan_of(axis, ScaleKind::Linear, {0, a_cell * static_cast<double>(cells)}, zoomed);
    plan.shown.low = std::max(plan.shown.low, plan.whole.low);
    plan.shown.high = std::min(plan.shown.high, plan.whole.high);
    // Do not zoom in further than one cell.
    if (!is_usable(plan.shown, plan.kind) || plan.shown.span() < a_cell) plan.shown = plan.whole;
    plan.whole_numbers = true;
    return plan;
}

}  // namespace

Range finite_range(std::span<const double> values) {
    // Written so that the compiler vectorizes it.
    constexpr double kMost = std::numeric_limits<double>::max();
    Range range{kInfinity, -kInfinity};
    for (const double value : values) {
        range.low = value < range.low && value >= -kMost ? value : range.low;
        range.high = value > range.high && value <= kMost ? value : range.high;
    }
    return range;
}

Plans plan_axes(const Chart& chart, const ChartView& view) {
    Plans plans;
    for (std::size_t i = 0; i < chart.series.size() && !plans.heat; ++i) {
        const auto* map = std::get_if<HeatMap>(&chart.series[i].data);
        if (!map || map->rows == 0 || map->columns == 0 || map->values.size() != map->rows * map->columns)
            continue;
        plans.heat = map;
        plans.heat_series = i;
    }
    if (plans.heat) {
        plans.x = plan_cells(chart.x, plans.heat->columns_a_cell, plans.heat->columns, view.x);
        plans.y = plan_cells(chart.y, plans.heat->rows_a_cell, plans.heat->rows, view.y);
        plans.y.downwards = true;
        return plans;
    }

    Extent x(chart.x.kind);
    Extent y(chart.y.kind);
    // If all series are hidden, the axes stay as if all were shown.
    const bool any_visible = std::ranges::any_of(chart.series, [&](const Series& s) {
        return view.shows(s.name) && !std::holds_alternative<Rule>(s.data);
    });
    for (const Series& series : chart.series)
        if (!any_visible || view.shows(series.name)) std::visit(Collect{x, y}, series.data);

    plans.x = plan_numbers(chart.x, x, view.x);
    const bool has_rows =
        chart.y.kind == ScaleKind::Categories || std::ranges::any_of(chart.series, [](const Series& series) {
            return std::holds_alternative<Bars>(series.data);
        });
    plans.y = has_rows ? plan_rows(chart) : plan_numbers(chart.y, y, view.y);
    return plans;
}

}  // namespace kwb::plot::parts
