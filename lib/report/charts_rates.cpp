// Charts of rates and errors: sweep, roofline, error map.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/text.hpp"
#include "report/chart_parts.hpp"
#include "report/charts.hpp"
#include "report/text_layout.hpp"

namespace kwb {

using namespace chart_parts;

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

SweepMeasure chosen(const ChartedSweep& sweep, SweepMeasure measure) {
    if (measure != SweepMeasure::Auto) return measure;
    for (const auto& results : sweep.results)
        for (const KernelResult& result : results)
            if (result.gflops && *result.gflops > 0) return SweepMeasure::Gflops;
    for (const auto& results : sweep.results)
        for (const KernelResult& result : results)
            if (result.gbytes_s && *result.gbytes_s > 0) return SweepMeasure::GbytesS;
    return SweepMeasure::Gflops;
}

std::optional<double> rate(const KernelResult& result, SweepMeasure measure) {
    if (!is_timed(result)) return std::nullopt;
    if (measure == SweepMeasure::Time) return result.median_ms;
    return measure == SweepMeasure::GbytesS ? result.gbytes_s : result.gflops;
}

/// The interval of a rate, derived from that of the time; the work is known exactly.
std::optional<Interval> rate_interval(const KernelResult& result, double value, SweepMeasure measure) {
    if (!result.ci95_ms || !(result.ci95_ms->low > 0)) return std::nullopt;
    if (measure == SweepMeasure::Time) return result.ci95_ms;
    const double work = value * *result.median_ms;
    return Interval{work / result.ci95_ms->high, work / result.ci95_ms->low};
}

/// Adds the lines of one or two sweeps to a chart.
class SweepLines {
public:
    SweepLines(plot::Chart& chart, const SizeAxis& axis, SweepMeasure measure, TimeUnit unit)
        : chart_(chart), axis_(axis), measure_(measure), unit_(unit) {}

    /// @param compared  this is the earlier sweep: dashed lines without bands, in the colours of the lines
    ///                  with the same labels
    void add(const ChartedSweep& sweep, bool compared) {
        const std::size_t measured = std::min(sweep.sizes.size(), sweep.results.size());
        std::vector<std::size_t> order(measured);
        for (std::size_t i = 0; i < measured; ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return axis_.at(sweep.sizes[a]) < axis_.at(sweep.sizes[b]);
        });
        for (std::size_t k = 0; k < sweep.labels.size(); ++k) {
            plot::Line line;
            line.dashed = compared;
            std::map<std::string, std::vector<std::string>> sizes_of_verdict;
            for (const std::size_t i : order) {
                if (k >= sweep.results[i].size()) continue;
                const KernelResult& result = sweep.results[i][k];
                line.points.push_back(point_of(result, axis_.at(sweep.sizes[i]), !compared));
                if (std::isnan(line.points.back().y))
                    sizes_of_verdict[missing_text(result)].push_back(to_string(sweep.sizes[i]));
            }
            const std::string name = sweep.labels[k] + (compared ? ", " + sweep.name : "");
            for (const auto& [verdict, sizes] : sizes_of_verdict)
                chart_.notes.push_back(fmt::format("{}: {} at {}.", name, verdict, enumerate(sizes)));
            chart_.series.push_back({name, compared ? slot_of(sweep.labels[k]) : k, std::move(line)});
            if (!compared) slots_.push_back(sweep.labels[k]);
        }
    }

    bool any() const { return any_; }
    bool any_band() const { return any_band_; }

private:
    plot::LinePoint point_of(const KernelResult& result, double x, bool with_band) {
        plot::LinePoint point{x, NAN, std::nullopt};
        const auto value = rate(result, measure_);
        if (!value) return point;
        const bool is_time = measure_ == SweepMeasure::Time;
        point.y = is_time ? unit_.of(*value) : *value;
        if (with_band)
            if (const auto band = rate_interval(result, *value, measure_))
                point.band = is_time ? unit_.of(*band) : *band;
        any_ = true;
        any_band_ = any_band_ || point.band;
        return point;
    }

    /// The colour of the contestant with this label, else an unused one.
    std::size_t slot_of(const std::string& label) {
        const auto known = std::find(slots_.begin(), slots_.end(), label);
        if (known == slots_.end()) slots_.push_back(label);
        return static_cast<std::size_t>(std::find(slots_.begin(), slots_.end(), label) - slots_.begin());
    }

    plot::Chart& chart_;
    const SizeAxis& axis_;
    SweepMeasure measure_;
    TimeUnit unit_;
    std::vector<std::string> slots_;
    bool any_ = false, any_band_ = false;
};

}  // namespace

plot::Chart sweep_chart(const ChartedSweep& sweep, SweepMeasure wanted, const ChartedSweep* compared) {
    const SweepMeasure measure = chosen(sweep, wanted);
    std::vector<Sizes> all_sizes(sweep.sizes.begin(), sweep.sizes.end());
    if (compared != nullptr)
        all_sizes.insert(all_sizes.end(), compared->sizes.begin(), compared->sizes.end());
    const SizeAxis axis(all_sizes);
    TimeUnit unit;
    if (measure == SweepMeasure::Time)
        for (const ChartedSweep* one : {&sweep, compared})
            for (const auto& results : one != nullptr ? one->results : decltype(one->results)())
                for (const KernelResult& result : results) unit.see(rate(result, measure));

    plot::Chart chart;
    chart.title = measure == SweepMeasure::Time ? "Time over the size" : "Speed over the size";
    chart.subtitle = measure == SweepMeasure::Time ? "lower is better" : "higher is better";
    chart.x = {axis.label(all_sizes), "", plot::ScaleKind::Log2};
    chart.y = measure == SweepMeasure::Time      ? plot::Axis{"time of one run", unit.name()}
              : measure == SweepMeasure::GbytesS ? plot::Axis{"least bytes moved", "GB/s"}
                                                 : plot::Axis{"arithmetic", "GFLOP/s"};
    if (measure == SweepMeasure::Time)
        chart.y.kind = plot::ScaleKind::Log10;
    else
        chart.y.from_zero = true;
    chart.empty_text = "No size has been measured yet. Choose sizes and start a sweep.";

    SweepLines lines(chart, axis, measure, unit);
    lines.add(sweep, false);
    if (!lines.any() && !sweep.sizes.empty() && !sweep.results.empty())
        chart.empty_text = "No kernel was timed at any size. The verdicts say why.";
    if (compared != nullptr) lines.add(*compared, true);
    if (lines.any_band()) chart.notes.push_back("Bands: 95 % intervals of the median, within this run.");
    if (compared != nullptr)
        chart.notes.push_back(
            "Dashed: measured at another time; between runs a machine drifts by more than a band.");
    if (lines.any()) note_device(chart, sweep.device);
    return chart;
}

plot::Chart roofline_chart(const ChartedRun& run, const RooflineCeilings& ceilings) {
    check(run);
    plot::Chart chart;
    chart.title = "Roofline";
    chart.subtitle = "how near the device's limits";
    chart.x = {"arithmetic intensity", "FLOP/byte", plot::ScaleKind::Log10};
    chart.y = {"arithmetic", "GFLOP/s", plot::ScaleKind::Log10};
    chart.empty_text = run.results.empty()
                           ? "Measure the device's ceilings, then run a kernel to see it below them."
                           : "No kernel here has both arithmetic and a time. Run a correct one.";

    double low = INFINITY;  // range of intensities
    double high = 0;
    double most_gflops = ceilings.gflops.value_or(0);
    double least_gflops = ceilings.gflops.value_or(INFINITY);
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        const KernelResult& result = run.results[i];
        if (!is_timed(result) || !result.gflops || !result.gbytes_s || !(*result.gflops > 0) ||
            !(*result.gbytes_s > 0))
            continue;
        plot::ScatterPoint point;
        point.x = *result.gflops / *result.gbytes_s;
        point.y = *result.gflops;
        point.interval = rate_interval(result, point.y, SweepMeasure::Gflops);
        point.label = run.labels[i];
        low = std::min(low, point.x);
        high = std::max(high, point.x);
        most_gflops = std::max(most_gflops, point.y);
        least_gflops = std::min(least_gflops, point.y);
        chart.series.push_back({run.labels[i], i, plot::Points{{std::move(point)}}});
    }
    const bool any = !chart.series.empty();
    const bool has_compute = ceilings.gflops && *ceilings.gflops > 0;
    const bool has_memory = ceilings.gbytes_s && *ceilings.gbytes_s > 0;
    const std::size_t slot = run.results.size();
    std::optional<double> ridge;
    if (has_compute && has_memory) {
        ridge = *ceilings.gflops / *ceilings.gbytes_s;
        low = std::min(low, *ridge);
        high = std::max(high, *ridge);
    }
    if (low <= high) {
        // A decade on either side, so that both ceilings can be seen.
        chart.x.low = low / 10;
        chart.x.high = high * 10;
        if (has_memory) least_gflops = std::min(least_gflops, *ceilings.gbytes_s * *chart.x.low);
        chart.y.low = least_gflops / 2;
        chart.y.high = most_gflops * 3;
    }
    if (has_compute) {
        plot::Rule roof{plot::Rule::Kind::Horizontal, *ceilings.gflops, ridge, {}, "", true};
        roof.label = plot::format_number(*ceilings.gflops) + " GFLOP/s";
        chart.series.push_back({"compute ceiling", slot, std::move(roof), false});
    }
    if (has_memory) {
        plot::Rule slope{plot::Rule::Kind::Sloped, *ceilings.gbytes_s, {}, ridge, "", true};
        slope.label = plot::format_number(*ceilings.gbytes_s) + " GB/s";
        chart.series.push_back({"memory ceiling", slot, std::move(slope), false});
    }
    if (any) {
        chart.notes.push_back(
            "Intensity counts the least bytes that the problem must move; a point left of the ridge is bound "
            "by "
            "memory, right of it by arithmetic.");
        if (!has_compute || !has_memory)
            chart.notes.push_back("Measure the device's ceilings to see how far the kernels are below them.");
    }
    if (any || has_compute || has_memory) note_device(chart, run.device);
    return chart;
}

plot::Chart error_map_chart(const KernelResult& result, const std::string& label) {
    plot::Chart chart;
    chart.title = "Errors";
    chart.empty_text = "No error map: " + label + " did not come to a result that could be compared (" +
                       missing_text(result) + ").";
    if (!result.judged) chart.empty_text = "The error map of " + label + " comes with the end of the run.";
    if (result.verdict == Verdict::Correct)
        chart.empty_text = "No error map of " + label + ": run it to get one.";
    if (!result.error_map) return chart;
    const ErrorMap& errors = *result.error_map;
    if (errors.rows == 0 || errors.columns == 0 ||
        errors.worst_share.size() != std::size_t{errors.rows} * errors.columns)
        return chart;
    chart.title = "Errors in " + printable(errors.buffer) + " of " + label;
    chart.subtitle = result.verdict == Verdict::Correct ? "all within the bound" : missing_text(result);
    plot::HeatMap map;
    map.rows = errors.rows;
    map.columns = errors.columns;
    map.values = errors.worst_share;
    const std::optional<MapExtents>& extents = errors.extents;
    const bool known = extents && extents->rows >= errors.rows && extents->columns >= errors.columns;
    if (known) {
        map.rows_a_cell = static_cast<double>(extents->rows) / errors.rows;
        map.columns_a_cell = static_cast<double>(extents->columns) / errors.columns;
    }
    map.value_label = "share of the bound";
    map.infinity_meaning = "beyond any bound";
    chart.series.push_back({"error", 0, std::move(map), false});
    chart.x = {known ? "column" : "column of cells", ""};
    chart.y = {known ? "row" : "row of cells", ""};
    chart.x.whole = chart.y.whole = true;
    const char* note = "Above 1 is wrong.";
    if (known && (extents->rows > errors.rows || extents->columns > errors.columns))
        note = result.random_check ? "Each cell shows the worst of its compared elements; above 1 is wrong."
                                   : "Each cell shows its worst element; above 1 is wrong.";
    chart.notes.push_back(note);
    if (std::any_of(errors.worst_share.begin(), errors.worst_share.end(),
                    [](float share) { return std::isinf(share); }))
        chart.notes.push_back(
            "Beyond any bound: never written, not a number, or wrong in the exact check, which allows no "
            "error.");
    if (result.wrong_elements.value_or(0) > 0)
        chart.notes.push_back(counted(*result.wrong_elements, "wrong element") + " in all.");
    return chart;
}

}  // namespace kwb
