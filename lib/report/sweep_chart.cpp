// SPDX-License-Identifier: Apache-2.0
// The chart of a sweep over sizes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/text.hpp"
#include "report/charts.hpp"

namespace kwb {
namespace {

/// Maps sizes to positions on the axis.
class SizeAxis {
public:
    explicit SizeAxis(std::span<const Sizes> sizes) {
        std::map<std::string, std::set<std::int64_t>> values;
        for (const Sizes& size : sizes) {
            std::set<std::int64_t> extents;
            for (const auto& [name, extent] : size) {
                values[name].insert(extent);
                extents.insert(extent);
            }
            square_ = square_ && extents.size() == 1;
        }
        for (const auto& [name, seen] : values)
            if (seen.size() > 1) varied_.push_back(name);
    }

    double at(const Sizes& size) const {
        if (size.empty()) return 0;
        if (square_) return static_cast<double>(size.front().value);
        if (varied_.size() == 1)
            if (const auto* extent = find_named(size, varied_.front())) return static_cast<double>(*extent);
        double log_sum = 0;
        for (const auto& extent : size)
            log_sum += std::log(static_cast<double>(std::max<std::int64_t>(extent.value, 1)));
        return std::exp(log_sum / static_cast<double>(size.size()));
    }

    std::string label(std::span<const Sizes> sizes) const {
        const std::string names = sizes.empty() ? "N" : join(names_of(sizes.front()), " = ");
        if (square_) return "size " + names;
        if (varied_.size() == 1) return "size " + varied_.front();
        return "geometric mean of " + enumerate(names_of(sizes.front()));
    }

private:
    bool square_ = true;
    std::vector<std::string> varied_;
};

/// The quantity that the lines show.
using Measured = std::optional<double> KernelResult::*;

Measured measured_by(const ChartedSweep& sweep, SweepMeasure measure) {
    if (measure == SweepMeasure::Time) return &KernelResult::median_ms;
    const auto any = [&](Measured rate) {
        return std::ranges::any_of(sweep.results, [&](const std::vector<KernelResult>& results) {
            return std::ranges::any_of(results, [&](const auto& result) { return result.*rate > 0.0; });
        });
    };
    const bool only_moves = !any(&KernelResult::gflops) && any(&KernelResult::gbytes_s);
    return only_moves ? &KernelResult::gbytes_s : &KernelResult::gflops;
}

plot::LinePoint point_of(const KernelResult& result, double x, Measured measured) {
    if (!is_timed(result) || !(result.*measured)) return {x, NAN, std::nullopt};
    const double y = *(result.*measured);
    const auto band = rate_interval(result, y);
    return {x, y, band && measured == &KernelResult::median_ms ? result.ci95_ms : band};
}

/// Adds one line per contestant, and a note on each verdict that leaves a gap.
/// @param suffix  follows the labels in the names of the lines
void add_lines(plot::Chart& chart, const ChartedSweep& sweep, const SizeAxis& axis, Measured measured,
               const std::string& suffix) {
    std::vector<std::size_t> order(std::min(sweep.sizes.size(), sweep.results.size()));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return axis.at(sweep.sizes[i]); });
    for (std::size_t k = 0; k < sweep.labels.size(); ++k) {
        const std::string name = sweep.labels[k] + suffix;
        plot::Line line;
        std::map<std::string, std::vector<std::string>> sizes_of_verdict;
        for (const std::size_t i : order) {
            if (k >= sweep.results[i].size()) continue;
            const KernelResult& result = sweep.results[i][k];
            line.points.push_back(point_of(result, axis.at(sweep.sizes[i]), measured));
            if (std::isnan(line.points.back().y))
                sizes_of_verdict[missing_text(result)].push_back(to_string(sweep.sizes[i]));
        }
        for (const auto& [verdict, sizes] : sizes_of_verdict)
            chart.notes.push_back(fmt::format("{}: {} at {}.", name, verdict, enumerate(sizes)));
        chart.series.push_back({name, k, std::move(line)});
    }
}

/// Adds the lines of an earlier sweep: ghosts without bands, in the colours of the lines with the same
/// labels.
void add_compared(plot::Chart& chart, const ChartedSweep& sweep, const ChartedSweep& compared,
                  const SizeAxis& axis, Measured measured) {
    std::vector<std::string> slots(sweep.labels.begin(), sweep.labels.end());
    const std::size_t first = chart.series.size();
    add_lines(chart, compared, axis, measured, ", " + compared.name);
    for (std::size_t k = 0; k < compared.labels.size(); ++k) {
        plot::Series& series = chart.series[first + k];
        const auto known = std::ranges::find(slots, compared.labels[k]);
        series.color_slot = static_cast<std::size_t>(known - slots.begin());
        series.name = compared.name;
        series.subject = compared.labels[k];
        series.ghost = true;
        if (known == slots.end()) slots.push_back(compared.labels[k]);
        auto& line = std::get<plot::Line>(series.data);
        line.dashed = true;
        for (plot::LinePoint& point : line.points) point.band.reset();
    }
}

bool has_band(const plot::Series& series) {
    return std::ranges::any_of(std::get<plot::Line>(series.data).points,
                               [](const plot::LinePoint& point) { return point.band.has_value(); });
}

/// Whether a linear axis would hide the small values.
bool is_wide(const plot::Chart& chart) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const plot::Series& series : chart.series)
        for (const plot::LinePoint& point : std::get<plot::Line>(series.data).points)
            if (point.y > 0) least = std::min(least, point.y), most = std::max(most, point.y);
    return most > kTooFarApart * least;
}

}  // namespace

plot::Chart sweep_chart(const ChartedSweep& sweep, SweepMeasure measure, const ChartedSweep* compared) {
    std::vector<Sizes> all_sizes(sweep.sizes.begin(), sweep.sizes.end());
    if (compared != nullptr)
        all_sizes.insert(all_sizes.end(), compared->sizes.begin(), compared->sizes.end());
    const SizeAxis axis(all_sizes);
    const Measured measured = measured_by(sweep, measure);

    plot::Chart chart;
    chart.x = {axis.label(all_sizes), "", plot::ScaleKind::Log2};
    if (measure == SweepMeasure::Time) {
        chart.title = "Time by size";
        chart.subtitle = "lower is better";
        chart.y = {"time of one run", "ms", plot::ScaleKind::Log10};
    } else {
        chart.title = "Speed by size";
        chart.subtitle = "higher is better";
        chart.y = measured == &KernelResult::gflops ? plot::Axis{"arithmetic", "GFLOP/s"}
                                                    : plot::Axis{"fewest bytes moved", "GB/s"};
        chart.y.from_zero = true;
    }
    chart.label_lines = true;
    chart.always_legend = compared != nullptr;
    chart.empty_text = "No size has been measured yet. Choose sizes and start a sweep.";

    add_lines(chart, sweep, axis, measured, "");
    if (!plot::has_data(chart) && !sweep.sizes.empty() && !sweep.results.empty())
        chart.empty_text = "No kernel was timed at any size. The verdicts give the reasons.";
    if (measure != SweepMeasure::Time && is_wide(chart)) set_logarithmic(chart, true);
    const bool any_band = std::ranges::any_of(chart.series, has_band);
    if (compared != nullptr) add_compared(chart, sweep, *compared, axis, measured);
    if (any_band) chart.notes.push_back("Bands: 95 % intervals of the median, within this run.");
    if (compared != nullptr)
        chart.notes.push_back("Dashed: " + compared->name + "; drift between runs is larger than a band.");
    if (plot::has_data(chart)) note_device(chart, sweep.device);
    return chart;
}

}  // namespace kwb
