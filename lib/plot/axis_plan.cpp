// The value ranges of a chart's axes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/layout_parts.hpp"

namespace kwb::plot::parts {
namespace {

/// Minimum and maximum of the values that an axis can show.
struct Extent {
    ScaleKind kind;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

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
    bool& from_zero;

    void operator()(const Bars& bars) const {
        from_zero = true;
        for (const Bar& bar : bars.bars) {
            if (bar.value) x.add(*bar.value);
            x.add(bar.interval);
            add_samples(bar.samples, std::max(bar.value.value_or(0), bar.interval ? bar.interval->high : 0));
        }
    }
    /// Outliers must not compress the bars: samples beyond 2.5 times the value are drawn at the edge.
    void add_samples(const std::vector<double>& samples, double value) const {
        if (samples.empty()) return;
        constexpr double kMost = std::numeric_limits<double>::max();
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (const double sample : samples) {
            low = sample < low && sample >= -kMost ? sample : low;
            high = sample > high && sample <= kMost ? sample : high;
        }
        x.add(low);
        x.add(value > 0 ? std::min(high, 2.5 * value) : high);
    }
    void operator()(const Line& line) const {
        for (const LinePoint& point : line.points) {
            if (!std::isfinite(point.y)) continue;
            x.add(point.x);
            y.add(point.y);
            y.add(point.band);
        }
    }
    void operator()(const Points& points) const {
        for (const ScatterPoint& point : points.points) {
            if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
            x.add(point.x);
            y.add(point.y);
            y.add(point.interval);
        }
    }
    void operator()(const Boxes& boxes) const {
        for (const Box& box : boxes.boxes) {
            if (!box.missing.empty()) continue;
            for (const double v :
                 {box.whisker_low, box.quartile_low, box.median, box.quartile_high, box.whisker_high})
                x.add(v);
            x.add(box.interval);
            // The whiskers exclude a tenth of the samples; distant samples are drawn at the edge.
            const double reach = 2.5 * (box.whisker_high - box.whisker_low);
            for (const double sample : box.samples)
                x.add(reach > 0 ? std::clamp(sample, box.whisker_low - reach, box.whisker_high + reach)
                                : sample);
        }
    }
    void operator()(const HeatMap&) const {}
    void operator()(const Rule& rule) const {
        // Leaves room for the label above a ceiling.
        const double above = is_log(y.kind) ? 1.4 : 1.08;
        if (rule.kind == Rule::Kind::Horizontal) y.add(rule.emphasized ? rule.value * above : rule.value);
        if (rule.kind == Rule::Kind::Vertical) x.add(rule.value);
        Extent& other = rule.kind == Rule::Kind::Vertical ? y : x;
        if (rule.from) other.add(*rule.from);
        if (rule.to) other.add(*rule.to);
    }
};

struct SlotCount {
    std::size_t& count;
    void see(std::size_t category) const {
        if (category < kMostCategories) count = std::max(count, category + 1);
    }
    void operator()(const Bars& bars) const {
        for (const Bar& bar : bars.bars) see(bar.category);
    }
    void operator()(const Boxes& boxes) const {
        for (const Box& box : boxes.boxes) see(box.category);
    }
    void operator()(const auto&) const {}
};

bool has_rows(const Chart& chart) {
    return chart.y.kind == ScaleKind::Categories ||
           std::ranges::any_of(chart.series, [](const Series& series) {
               return std::holds_alternative<Bars>(series.data) || std::holds_alternative<Boxes>(series.data);
           });
}

/// Whether doubles and pixels can resolve the range, and it is far from the limits of double.
bool is_usable(const Range& range, ScaleKind kind) {
    constexpr double kHuge = 1e301;
    const double size = std::max(std::abs(range.low), std::abs(range.high));
    if (!(size < kHuge) || !(range.low < range.high)) return false;
    if (is_log(kind)) return range.low > 1e-301 && range.high > range.low * (1 + 1e-9);
    return range.span() > std::max(size * 1e-12, 1e-280);
}

Range whole_range(const Axis& axis, const Extent& extent, bool from_zero) {
    Range range = is_log(extent.kind) ? Range{1, 10} : Range{0, 1};
    if (extent.any())
        range = pleasant_range(extent.kind, extent.low, extent.high, from_zero || axis.from_zero);
    const Range fixed = {axis.low.value_or(range.low), axis.high.value_or(range.high)};
    return is_usable(fixed, extent.kind) ? fixed : range;
}

std::string title_of(const Axis& axis, const std::string& unit) {
    if (unit.empty()) return axis.label;
    return axis.label.empty() ? "[" + unit + "]" : axis.label + " [" + unit + "]";
}

AxisPlan plan_numbers(const Axis& axis, const Extent& extent, bool from_zero,
                      const std::optional<Range>& zoomed) {
    AxisPlan plan;
    plan.kind = extent.kind;
    plan.whole = whole_range(axis, extent, from_zero);
    plan.shown = zoomed && is_usable(*zoomed, plan.kind) ? *zoomed : plan.whole;
    plan.whole_numbers = axis.whole;
    plan.unit = {1, axis.unit};
    // A logarithmic axis spans several prefixes, so its unit is not changed.
    if (!is_log(plan.kind))
        plan.unit = choose_unit(axis.unit, std::max(std::abs(plan.shown.low), std::abs(plan.shown.high)));
    plan.unit_at_ticks = plan.kind == ScaleKind::Log10 && is_time_unit(axis.unit);
    plan.title = title_of(axis, plan.unit_at_ticks ? "" : plan.unit.unit);
    return plan;
}

AxisPlan plan_rows(const Chart& chart) {
    const Axis& axis = chart.y;
    AxisPlan plan;
    plan.kind = ScaleKind::Categories;
    std::size_t count = std::min(axis.categories.size(), kMostCategories);
    for (const Series& series : chart.series) std::visit(SlotCount{count}, series.data);
    plan.categories.assign(
        axis.categories.begin(),
        axis.categories.begin() + static_cast<std::ptrdiff_t>(std::min(axis.categories.size(), count)));
    plan.categories.resize(count);
    plan.whole = {-0.5, std::max(1.0, static_cast<double>(count)) - 0.5};
    plan.shown = plan.whole;
    plan.downwards = true;
    plan.unit = {1, axis.unit};
    plan.title = title_of(axis, axis.unit);
    return plan;
}

AxisPlan plan_cells(const Axis& axis, double a_cell, std::size_t cells, const std::optional<Range>& zoomed,
                    bool downwards) {
    AxisPlan plan;
    // Indices that a double represents exactly.
    if (!(a_cell >= 1e-3 && a_cell < 1e12)) a_cell = 1;
    plan.whole = {0, a_cell * static_cast<double>(cells)};
    plan.shown = zoomed && is_usable(*zoomed, plan.kind) ? *zoomed : plan.whole;
    plan.shown.low = std::max(plan.shown.low, plan.whole.low);
    plan.shown.high = std::min(plan.shown.high, plan.whole.high);
    // Do not zoom in further than one cell.
    if (!is_usable(plan.shown, plan.kind) || plan.shown.span() < a_cell) plan.shown = plan.whole;
    plan.whole_numbers = true;
    plan.downwards = downwards;
    plan.unit = {1, axis.unit};
    plan.title = title_of(axis, axis.unit);
    return plan;
}

}  // namespace

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
        plans.x = plan_cells(chart.x, plans.heat->columns_a_cell, plans.heat->columns, view.x, false);
        plans.y = plan_cells(chart.y, plans.heat->rows_a_cell, plans.heat->rows, view.y, true);
        return plans;
    }

    plans.has_rows = has_rows(chart);
    Extent x(chart.x.kind == ScaleKind::Categories ? ScaleKind::Linear : chart.x.kind);
    Extent y(chart.y.kind);
    bool from_zero = false;
    // If all series are hidden, the axes stay as if all were shown.
    const bool any_visible = std::ranges::any_of(chart.series, [&](const Series& s) {
        return view.shows(s.name) && !std::holds_alternative<Rule>(s.data);
    });
    const Collect collect{x, y, from_zero};
    for (const Series& series : chart.series)
        if (!any_visible || view.shows(series.name)) std::visit(collect, series.data);

    plans.x = plan_numbers(chart.x, x, from_zero && !is_log(x.kind), view.x);
    plans.y = plans.has_rows ? plan_rows(chart) : plan_numbers(chart.y, y, false, view.y);
    return plans;
}

}  // namespace kwb::plot::parts
