// SPDX-License-Identifier: Apache-2.0
// Charts of a single run.
#include "report/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "plot/numbers.hpp"
#include "plot/palette.hpp"
#include "report/text_layout.hpp"
#include "stats/interval.hpp"

namespace kwb {

std::string missing_text(const KernelResult& result) {
    if (!result.judged) return "not yet timed";
    if (is_good(result.verdict)) return "not timed";
    std::string text = to_string(result.verdict);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

bool is_timed(const KernelResult& result) {
    return (!result.judged || is_good(result.verdict)) && result.median_ms &&
           std::isfinite(*result.median_ms);
}

std::optional<Interval> rate_interval(const KernelResult& result, double rate) {
    if (!result.ci95_ms || !(result.ci95_ms->low > 0)) return std::nullopt;
    const double work = rate * *result.median_ms;
    return Interval{work / result.ci95_ms->high, work / result.ci95_ms->low};
}

void note_device(plot::Chart& chart, const std::string& device) {
    if (!device.empty()) chart.notes.push_back("Measured on " + printable(device) + ".");
}

bool is_logarithmic(const plot::Chart& chart) {
    const bool bars = chart.y.kind == plot::ScaleKind::Categories;
    return plot::is_log(bars ? chart.x.kind : chart.y.kind);
}

void set_logarithmic(plot::Chart& chart, bool logarithmic) {
    if (logarithmic == is_logarithmic(chart)) return;
    const bool bars = chart.y.kind == plot::ScaleKind::Categories;
    plot::Axis& axis = bars ? chart.x : chart.y;
    axis.kind = logarithmic ? plot::ScaleKind::Log10 : plot::ScaleKind::Linear;
    axis.from_zero = !logarithmic;
    if (logarithmic)
        chart.notes.push_back(std::string("Logarithmic axis: equal distances are equal ratios") +
                              (bars ? "; it has no zero, so dots replace bars." : "."));
}

namespace {

/// Text of a chart without any results.
constexpr const char* kRunFirst = "Nothing has run yet. Choose kernels and run them.";

void check(const ChartedRun& run) {
    expects(run.results.size() == run.labels.size(), "charts: one label a result");
}

plot::Axis label_axis(std::span<const std::string> labels) {
    plot::Axis axis;
    axis.kind = plot::ScaleKind::Categories;
    axis.categories.assign(labels.begin(), labels.end());
    return axis;
}

/// Set `empty_text` to the reason if no contestant has a time, because the chart then has no axis either.
/// @return  true if no contestant has a time
bool nothing_timed(plot::Chart& chart, const ChartedRun& run) {
    if (std::ranges::any_of(run.results, is_timed)) return false;
    if (run.results.empty())
        chart.empty_text = kRunFirst;
    else if (!std::ranges::all_of(run.results, &KernelResult::judged))
        chart.empty_text = "Times appear here as the rounds come in.";
    else if (std::ranges::all_of(run.results, [](const KernelResult& result) {
                 return result.verdict == Verdict::Skipped || is_good(result.verdict);
             }))
        chart.empty_text = "The run ended before any kernel was timed. Run it again.";
    else
        chart.empty_text = "No kernel was timed. The verdicts give the reasons. Fix one and run again.";
    return true;
}

bool is_judged(const ChartedRun& run) {
    return std::ranges::all_of(run.results, &KernelResult::judged);
}

/// Add the notes of a chart of times: number of rounds, meaning of the marks, device.
void note_times(plot::Chart& chart, const ChartedRun& run, const std::string& marks) {
    std::size_t least = SIZE_MAX;
    std::size_t most = 0;
    bool any_short = false;
    for (const KernelResult& result : run.results) {
        if (!is_timed(result)) continue;
        least = std::min(least, result.samples_ms.size());
        most = std::max(most, result.samples_ms.size());
        any_short = any_short || !result.ci95_ms;
    }
    if (most > 0)
        chart.notes.push_back(fmt::format("{}{} per kernel; {}",
                                          least < most ? fmt::format("{} to ", least) : "",
                                          counted(most, "round"), marks));
    if (!is_judged(run)) chart.notes.push_back("Rounds are still coming in; no kernel is judged yet.");
    if (any_short) chart.notes.push_back("No interval for fewer than 6 rounds.");
    note_device(chart, run.device);
}

/// The difference from the median in per cent, so that fast and slow kernels can be compared.
double off_median(const KernelResult& result, double time_ms) {
    return 100 * (time_ms / *result.median_ms - 1);
}

/// The differences of all samples from the median; empty if there is no usable median.
std::vector<double> off_median(const KernelResult& result) {
    std::vector<double> shares;
    if (!is_timed(result) || !(*result.median_ms > 0)) return shares;
    for (const double time_ms : result.samples_ms) shares.push_back(off_median(result, time_ms));
    return shares;
}

/// The verdict in place of a bar.
plot::Bar missing_bar(std::size_t category, const KernelResult& result) {
    return {.category = category, .missing = missing_text(result), .pending = !result.judged};
}

plot::Bar time_bar(std::size_t category, const KernelResult& result) {
    if (!is_timed(result)) return missing_bar(category, result);
    return {.category = category,
            .value = result.median_ms,
            .interval = result.ci95_ms,
            .samples = result.samples_ms};
}

/// Add the times of an earlier run as ghosts of the bars with the same label.
void add_compared(plot::Chart& chart, const ChartedRun& run, const ChartedRun& compared) {
    const std::size_t before = chart.series.size();
    for (std::size_t i = 0; i < compared.results.size(); ++i) {
        const auto same = std::find(run.labels.begin(), run.labels.end(), compared.labels[i]);
        if (same == run.labels.end() || !is_timed(compared.results[i])) continue;
        const auto index = static_cast<std::size_t>(same - run.labels.begin());
        plot::Bar bar = time_bar(index, compared.results[i]);
        bar.samples.clear();
        chart.series.push_back({compared.name, index, plot::Bars{{std::move(bar)}}, true, true});
    }
    if (chart.series.size() == before) {
        chart.notes.push_back(fmt::format("{}: it has no time for any of these kernels.", compared.name));
        return;
    }
    for (plot::Series& series : chart.series) series.in_legend = series.ghost;
    chart.always_legend = true;
    chart.notes.push_back(
        fmt::format("Outlines: {}. The two runs were made at different times, so drift between them can "
                    "exceed the intervals.",
                    compared.name));
}

}  // namespace

plot::Chart time_chart(const ChartedRun& run, const ChartedRun* compared) {
    check(run);
    if (compared != nullptr) check(*compared);
    plot::Chart chart;
    chart.title = "Kernel time";
    chart.subtitle = "shorter is better";
    chart.x = {"time of one run", "ms"};
    chart.x.from_zero = true;
    chart.y = label_axis(run.labels);
    if (nothing_timed(chart, run)) return chart;
    for (std::size_t i = 0; i < run.results.size(); ++i)
        chart.series.push_back({run.labels[i], i, plot::Bars{{time_bar(i, run.results[i])}}});
    note_times(
        chart, run,
        "bars: medians; whiskers: 95 % intervals of the median, within this run; small dots: one per round.");
    if (compared != nullptr) add_compared(chart, run, *compared);
    return chart;
}

plot::Chart distribution_chart(const ChartedRun& run) {
    check(run);
    plot::Chart chart;
    chart.title = "Distribution of the rounds";
    chart.subtitle = "narrower is steadier";
    chart.x = {"difference from its own median", "%"};
    chart.y = label_axis(run.labels);
    if (nothing_timed(chart, run)) return chart;
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        const KernelResult& result = run.results[i];
        const std::vector<double> shares = off_median(result);
        plot::Bar box = shares.empty() ? missing_bar(i, result) : plot::make_box(i, shares);
        if (box.value && result.ci95_ms)
            box.interval =
                Interval{off_median(result, result.ci95_ms->low), off_median(result, result.ci95_ms->high)};
        chart.series.push_back({run.labels[i], i, plot::Bars{{std::move(box)}}});
    }
    note_times(chart, run,
               "boxes: the middle half; whiskers: 5 and 95 % of the rounds; notch: 95 % interval of the "
               "median.");
    return chart;
}

plot::Chart rounds_chart(const ChartedRun& run) {
    check(run);
    plot::Chart chart;
    chart.title = "Rounds in order";
    chart.subtitle = "a slope is drift of the machine";
    chart.x = {"round", ""};
    chart.x.whole = true;
    chart.y = {"difference from its own median", "%"};
    chart.label_lines = true;
    if (nothing_timed(chart, run)) return chart;
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        plot::Line line;
        for (const double share : off_median(run.results[i]))
            line.points.push_back({static_cast<double>(line.points.size() + 1), share, std::nullopt});
        if (line.points.empty()) continue;
        chart.series.push_back({run.labels[i], i, std::move(line)});
    }
    if (!chart.series.empty()) {
        chart.series.push_back({"", 0, plot::Rule{}, false});
        chart.notes.push_back(
            "In each round every kernel takes one turn, in random order, so drift affects all alike.");
        note_device(chart, run.device);
    }
    return chart;
}

namespace {

plot::Bar ratio_bar(std::size_t category, const KernelResult& baseline, const KernelResult& result) {
    if (!is_timed(result)) return missing_bar(category, result);
    const auto comparison = stats::compare_paired(baseline.samples_ms, result.samples_ms);
    if (!comparison || !comparison->interval) return {.category = category, .missing = "too few rounds"};
    plot::Bar bar{.category = category, .value = comparison->ratio, .interval = comparison->interval};
    for (std::size_t i = 0; i < comparison->rounds; ++i)
        if (result.samples_ms[i] > 0) bar.samples.push_back(baseline.samples_ms[i] / result.samples_ms[i]);
    return bar;
}

}  // namespace

plot::Chart speedup_chart(const ChartedRun& run) {
    check(run);
    plot::Chart chart;
    chart.title = "Speed-up";
    chart.x = {"speed-up", ""};
    chart.x.from_zero = true;
    chart.y = label_axis(run.labels);
    chart.empty_text = kRunFirst;
    if (nothing_timed(chart, run) || run.baseline >= run.results.size()) return chart;
    const std::string& to = run.labels[run.baseline];
    chart.subtitle = "against " + to + "; above 1 is faster";
    if (!is_timed(run.results[run.baseline])) {
        chart.empty_text =
            is_judged(run) ? fmt::format("The baseline {} has no time ({}). Choose another baseline.", to,
                                         missing_text(run.results[run.baseline]))
                           : fmt::format("The comparison appears once the baseline {} has been timed.", to);
        return chart;
    }
    std::vector<std::string> undecided;
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        plot::Bar bar{.category = i, .value = 1};
        if (i != run.baseline) bar = ratio_bar(i, run.results[run.baseline], run.results[i]);
        if (bar.interval && bar.interval->contains(1)) undecided.push_back(run.labels[i]);
        chart.series.push_back({run.labels[i], i, plot::Bars{{std::move(bar)}}});
    }
    chart.series.push_back({"", run.baseline, plot::Rule{plot::Rule::Kind::Vertical, 1}, false});
    if (!undecided.empty())
        chart.notes.push_back("No difference seen: " + enumerate(undecided) + " (the interval includes 1).");
    chart.notes.push_back(
        "Medians of the ratios within each round; whiskers: their 95 % intervals; small dots: one per "
        "round.");
    note_device(chart, run.device);
    return chart;
}

namespace {

struct Phase {
    const char* name;
    std::optional<double> KernelResult::*member;

    std::optional<double> time_ms(const KernelResult& result) const {
        const bool is_shown = member != &KernelResult::median_ms || is_timed(result);
        return is_shown ? result.*member : std::nullopt;
    }
};

constexpr std::array kPhases = {
    Phase{"build", &KernelResult::build_ms}, Phase{"to the device", &KernelResult::upload_ms},
    Phase{"first run", &KernelResult::first_run_ms}, Phase{"later run", &KernelResult::median_ms},
    Phase{"from the device", &KernelResult::download_ms}};

}  // namespace

plot::Chart phases_chart(const ChartedRun& run) {
    check(run);
    double least_ms = INFINITY;
    double most_ms = 0;
    for (const KernelResult& result : run.results)
        for (const Phase& phase : kPhases) {
            const auto time_ms = phase.time_ms(result);
            if (!time_ms || !(*time_ms > 0)) continue;
            least_ms = std::min(least_ms, *time_ms);
            most_ms = std::max(most_ms, *time_ms);
        }

    plot::Chart chart;
    chart.title = "One-time costs, and the cost of each run";
    const bool is_log = most_ms > kTooFarApart * least_ms;
    chart.x = {"time", "ms"};
    chart.x.kind = is_log ? plot::ScaleKind::Log10 : plot::ScaleKind::Linear;
    chart.x.from_zero = !is_log;
    std::vector<std::string> names;
    for (const Phase& phase : kPhases) names.push_back(phase.name);
    chart.y = label_axis(names);
    if (!(most_ms > 0)) {
        if (!nothing_timed(chart, run)) chart.empty_text = "No phase of this run took any time.";
        return chart;
    }
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        plot::Bars bars;
        for (std::size_t p = 0; p < kPhases.size(); ++p)
            bars.bars.push_back({.category = p, .value = kPhases[p].time_ms(run.results[i])});
        // A contestant that failed shows its verdict once, at the first phase without a time. A correct one
        // may lack phases, too: the host's library has neither builds nor transfers.
        const auto is_empty = [](const plot::Bar& bar) { return !bar.value; };
        const auto stuck = std::find_if(bars.bars.begin(), bars.bars.end(), is_empty);
        if (stuck != bars.bars.end() && run.results[i].judged && !is_good(run.results[i].verdict))
            stuck->missing = run.labels[i] + ": " + missing_text(run.results[i]);
        std::erase_if(bars.bars, [](const plot::Bar& bar) { return !bar.value && bar.missing.empty(); });
        chart.series.push_back({run.labels[i], i, std::move(bars)});
    }
    if (is_log) chart.notes.push_back("Logarithmic axis: each labelled line is ten times the previous one.");
    chart.notes.push_back(
        "Build, transfers and first run were measured once; a later run is the median of the rounds.");
    note_device(chart, run.device);
    return chart;
}

plot::Chart roofline_chart(const ChartedRun& run, const RooflineCeilings& ceilings) {
    check(run);
    plot::Chart chart;
    chart.title = "Roofline";
    chart.subtitle = "how close to the device's limits";
    chart.x = {"arithmetic intensity", "FLOP/byte", plot::ScaleKind::Log10};
    chart.y = {"arithmetic", "GFLOP/s", plot::ScaleKind::Log10};
    chart.empty_text = run.results.empty()
                           ? "Measure the device's ceilings, then run a kernel to see it below them."
                           : "None of these kernels has both arithmetic and a time.";

    std::vector<std::string> above_memory, above_compute;
    double low = INFINITY;  // range of intensities
    double high = 0;
    double most_gflops = ceilings.gflops.value_or(0);
    double least_gflops = ceilings.gflops.value_or(INFINITY);
    bool has_observed = false;
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        const KernelResult& result = run.results[i];
        if (!is_timed(result) || !result.gflops || !result.gbytes_s || !(*result.gflops > 0) ||
            !(*result.gbytes_s > 0))
            continue;
        plot::ScatterPoint point;
        point.x = *result.gflops / *result.gbytes_s;
        point.y = *result.gflops;
        point.interval = rate_interval(result, point.y);
        point.label = run.labels[i];
        // Above a ceiling only if the interval is.
        const double least_share = (point.interval ? point.interval->low : point.y) / point.y;
        if (ceilings.gflops && *result.gflops * least_share > *ceilings.gflops)
            above_compute.push_back(run.labels[i]);
        else if (ceilings.gbytes_s && *result.gbytes_s * least_share > *ceilings.gbytes_s)
            above_memory.push_back(run.labels[i]);
        low = std::min(low, point.x);
        high = std::max(high, point.x);
        most_gflops = std::max(most_gflops, point.y);
        least_gflops = std::min(least_gflops, point.y);
        const double flops = point.y * 1e6 * *result.median_ms;
        chart.series.push_back({run.labels[i], i, std::move(point)});
        if (i >= run.sector_bytes.size() || !run.sector_bytes[i] || !(*run.sector_bytes[i] > 0)) continue;
        plot::ScatterPoint observed{.x = flops / *run.sector_bytes[i], .y = *result.gflops};
        observed.label = run.labels[i] + ", by X-ray";
        low = std::min(low, observed.x);
        high = std::max(high, observed.x);
        has_observed = true;
        plot::Series series{observed.label, i, observed, false};
        series.ghost = true;
        chart.series.push_back(std::move(series));
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
    if (!above_memory.empty())
        chart.notes.push_back(enumerate(above_memory) + (above_memory.size() == 1 ? " lies" : " lie") +
                              " above the memory ceiling, which was measured with copies of large data. Data "
                              "that stays in caches or is mostly read moves faster. Or the measured ceiling "
                              "is too low. Measure it again to find out.");
    if (!above_compute.empty())
        chart.notes.push_back(
            enumerate(above_compute) + (above_compute.size() == 1 ? " lies" : " lie") +
            " above the compute ceiling, which was measured with single-precision multiply-adds. Either the "
            "measured ceiling is too low (measure it again to find out), or a kernel needs fewer operations "
            "than are counted for its problem, or uses narrower numbers.");
    if (any) {
        chart.notes.push_back(
            "Intensity counts the fewest bytes that the problem must move. A point left of the ridge is "
            "bound by memory, right of it by arithmetic.");
        if (has_observed)
            chart.notes.push_back(
                "Rings: the same time with the traffic that X-ray observed, in sectors of 32 bytes, as a "
                "device without caches would fetch them. Caches fetch less, so a ring may lie above the "
                "memory ceiling.");
        if (!has_compute || !has_memory)
            chart.notes.push_back("Measure the device's ceilings to see how far the kernels are below them.");
    }
    if (any || has_compute || has_memory) note_device(chart, run.device);
    return chart;
}

plot::Chart error_map_chart(const KernelResult& result, const std::string& label) {
    plot::Chart chart;
    chart.title = "Errors";
    chart.empty_text = "No error map: " + label + " has no result to compare (" + missing_text(result) + ").";
    if (!result.judged) chart.empty_text = "The error map of " + label + " appears at the end of the run.";
    if (result.verdict == Verdict::Ran)
        chart.empty_text = "No error map of " + label + ": the problem has no reference.";
    if (result.verdict == Verdict::Correct)
        chart.empty_text = "No error map of " + label + ": run it to get one.";
    if (!result.error_map) return chart;
    const ErrorMap& errors = *result.error_map;
    if (errors.rows == 0 || errors.columns == 0 ||
        errors.worst_share.size() != std::size_t{errors.rows} * errors.columns)
        return chart;
    chart.title = "Errors in " + printable(errors.buffer) + " of " + label;
    const bool is_right = result.verdict == Verdict::Correct || result.verdict == Verdict::Undefined;
    chart.subtitle = !is_right                              ? missing_text(result)
                     : result.verdict == Verdict::Undefined ? "all within the error bound, by luck"
                                                            : "all within the error bound";
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
    map.value_label = "share of the error bound";
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
    if (const auto wrong = result.wrong_elements.value_or(0); wrong > 0)
        chart.notes.push_back(group_thousands(std::to_string(wrong)) +
                              (wrong == 1 ? " wrong element in all." : " wrong elements in all."));
    return chart;
}

}  // namespace kwb
