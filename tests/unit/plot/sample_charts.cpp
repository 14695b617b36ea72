// SPDX-License-Identifier: Apache-2.0
#include "sample_charts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kwb::plot::test {
namespace {

/// Uniform numbers in [0, 1), the same on every machine.
class Noise {
public:
    double next() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state_ >> 11) / 9007199254740992.0;
    }

private:
    unsigned long long state_ = 42;
};

std::vector<double> samples_around(Noise& noise, double middle, std::size_t count) {
    std::vector<double> samples(count);
    for (double& sample : samples) sample = middle * (0.97 + 0.1 * noise.next() * noise.next());
    return samples;
}

Chart time_boxes() {
    Noise noise;
    Chart chart;
    chart.title = "Distribution";
    chart.x = {.label = "time", .unit = "s"};
    chart.y.kind = ScaleKind::Categories;
    chart.y.categories = kernel_names(6);
    for (std::size_t i = 0; i < 6; ++i) {
        Bar box = make_box(i, samples_around(noise, 1e-5 * static_cast<double>(i + 3), 80));
        if (i == 5) box = {.category = 5, .missing = "timeout"};
        chart.series.push_back({chart.y.categories[i], i, Bars{{box}}});
    }
    return chart;
}

Chart speed_ups() {
    Chart chart;
    chart.title = "Speed-up";
    chart.subtitle = "median of the ratios in each round, against naive";
    chart.x = {.label = "times as fast", .unit = "×"};
    chart.y = {.label = "N", .kind = ScaleKind::Categories, .categories = {"512", "1024", "2048"}};
    for (std::size_t k = 0; k < 3; ++k) {
        Bars bars;
        for (std::size_t i = 0; i < 3; ++i) {
            const double value = 0.8 + static_cast<double>(k + i);
            bars.bars.push_back({i, value, Interval{value * 0.9, value * 1.1}, {}, {}});
        }
        chart.series.push_back({kernel_names(3)[k], k, bars});
    }
    chart.series.push_back({"baseline", 0, Rule{Rule::Kind::Vertical, 1, {}, {}, "naive = 1"}});
    return chart;
}

Chart rounds_in_order(std::size_t rounds) {
    Noise noise;
    Chart chart;
    chart.title = "Rounds";
    chart.x = {.label = "round", .whole = true};
    chart.y = {.label = "time", .unit = "ms"};
    Line line;
    for (std::size_t i = 0; i < rounds; ++i)
        line.points.push_back({static_cast<double>(i + 1), 3 + noise.next(), {}});
    chart.series.push_back({"naive", 0, line});
    chart.series.push_back(
        {"end of warm-up", 1,
         Rule{Rule::Kind::Vertical, static_cast<double>(rounds) / 4, {}, {}, "clocks settled"}});
    return chart;
}

}  // namespace

std::vector<std::string> kernel_names(std::size_t count) {
    const std::vector<std::string> names = {"naive",
                                            "tiled 8×8",
                                            "matmul/tiled_local_memory_16x16",
                                            "vec4",
                                            "cpu:blas",
                                            "matmul/register_blocked_with_prefetch",
                                            "größer & <kleiner>",
                                            "\"quoted\""};
    std::vector<std::string> result;
    for (std::size_t i = 0; i < count; ++i)
        result.push_back(i < names.size() ? names[i] : "kernel " + std::to_string(i));
    return result;
}

Chart time_bars(std::size_t kernels, std::size_t samples_each) {
    Noise noise;
    Chart chart;
    chart.title = "Kernel time";
    chart.subtitle = "N = 1024, median of the rounds, 95 % interval";
    chart.x = {.label = "time", .unit = "ms"};
    chart.y.kind = ScaleKind::Categories;
    chart.y.categories = kernel_names(kernels);
    chart.notes = {"Intervals hold within this run; the drift between runs is larger."};
    for (std::size_t i = 0; i < kernels; ++i) {
        const double value = 20.0 / static_cast<double>(i + 1);
        Bar bar{.category = i, .value = value, .interval = Interval{value * 0.97, value * 1.04}};
        bar.samples = samples_around(noise, value, samples_each);
        if (i + 1 == kernels && kernels > 1) bar = {.category = i, .missing = "wrong"};
        chart.series.push_back({chart.y.categories[i], i, Bars{{bar}}});
    }
    return chart;
}

Chart sweep_lines(std::size_t kernels) {
    Chart chart;
    chart.title = "Throughput";
    chart.subtitle = "square matrices, single precision";
    chart.x = {.label = "matrix size N", .kind = ScaleKind::Log2};
    chart.y = {.label = "throughput", .unit = "GFLOP/s", .from_zero = true};
    for (std::size_t k = 0; k < kernels; ++k) {
        Line line;
        for (int e = 6; e <= 13; ++e) {
            const double y = 40.0 * static_cast<double>(k + 1) * (1 - std::exp(-(e - 5) / 2.0));
            line.points.push_back({std::exp2(e), y, Interval{y * 0.95, y * 1.05}});
        }
        if (k == 1) line.points[4].y = std::numeric_limits<double>::quiet_NaN();
        line.dashed = k == 2;
        chart.series.push_back({kernel_names(kernels)[k], k, line});
    }
    return chart;
}

Chart with_ghosts(Chart chart) {
    const std::vector<Series> series = chart.series;
    for (const Series& present : series) {
        Series ghost = present;
        ghost.subject = present.name;
        ghost.name = "earlier run of 2026-11-20 14:02";
        ghost.ghost = true;
        if (auto* bars = std::get_if<Bars>(&ghost.data)) {
            std::erase_if(bars->bars, [](const Bar& bar) { return !bar.value; });
            for (Bar& bar : bars->bars) {
                *bar.value *= present.color_slot % 2 == 0 ? 1.2 : 0.7;
                bar.samples.clear();
            }
        }
        if (auto* line = std::get_if<Line>(&ghost.data)) {
            line->dashed = true;
            for (LinePoint& point : line->points) point.y *= 0.8, point.band.reset();
        }
        chart.series.push_back(std::move(ghost));
    }
    chart.always_legend = true;
    return chart;
}

Chart roofline() {
    Chart chart;
    chart.title = "Roofline";
    chart.x = {.label = "arithmetic intensity", .unit = "FLOP/B", .kind = ScaleKind::Log10};
    chart.y = {.label = "performance", .unit = "GFLOP/s", .kind = ScaleKind::Log10};
    const double ridge = 412.0 / 38;
    chart.series.push_back(
        {"bandwidth", 0, Rule{Rule::Kind::Sloped, 38, {}, ridge, "38 GB/s memory bandwidth", true}});
    chart.series.push_back(
        {"peak", 0, Rule{Rule::Kind::Horizontal, 412, ridge, {}, "412 GFLOP/s peak", true}});
    for (std::size_t k = 0; k < 5; ++k) {
        const double x = 0.25 * std::pow(3.0, static_cast<double>(k));
        const double y = std::min(38 * x, 412.0) * 0.6;
        chart.series.push_back(
            {kernel_names(5)[k], k, ScatterPoint{x, y, Interval{y * 0.9, y * 1.1}, kernel_names(5)[k]}});
    }
    return chart;
}

Chart error_map(std::size_t side) {
    Noise noise;
    Chart chart;
    chart.title = "Error map";
    chart.subtitle = "|C − reference| / bound";
    chart.x = {.label = "column"};
    chart.y = {.label = "row"};
    HeatMap map;
    map.rows = map.columns = side;
    map.rows_a_cell = map.columns_a_cell = 8;
    map.values.resize(side * side);
    for (float& value : map.values) value = static_cast<float>(std::exp(-8 + 8 * noise.next()));
    for (std::size_t i = 0; i < side / 8 + 1; ++i) map.values[side * side - 1 - i] = 50;
    map.values[0] = std::numeric_limits<float>::infinity();
    map.values[side - 1] = std::numeric_limits<float>::quiet_NaN();
    map.value_label = "error / bound";
    map.infinity_meaning = "never written";
    chart.series.push_back({"error", 0, map});
    return chart;
}

std::vector<SampleChart> sample_charts() {
    std::vector<SampleChart> charts;
    charts.push_back({"bars", time_bars(6, 20)});
    Chart legend = time_bars(8, 20);
    legend.always_legend = true;
    charts.push_back({"bars with a legend", legend});
    charts.push_back({"many bars", time_bars(40, 2)});
    charts.push_back({"one bar", time_bars(1, 6)});
    charts.push_back({"speed-ups", speed_ups()});
    charts.push_back({"boxes", time_boxes()});
    charts.push_back({"lines", sweep_lines(5)});
    Chart named = sweep_lines(8);
    named.label_lines = true;
    charts.push_back({"named lines", named});
    charts.push_back({"named lines with ghosts", with_ghosts(named)});
    charts.push_back({"bars with ghosts", with_ghosts(time_bars(6, 20))});
    Chart dots = with_ghosts(time_bars(6, 20));
    dots.x.kind = ScaleKind::Log10;
    charts.push_back({"dots with ghosts", dots});
    charts.push_back({"roofline", roofline()});
    charts.push_back({"rounds", rounds_in_order(40)});
    charts.push_back({"many rounds", rounds_in_order(20000)});
    charts.push_back({"error map", error_map(64)});
    Chart wide = error_map(64);
    auto& map = std::get<HeatMap>(wide.series[0].data);
    map.columns = 256;
    map.rows = 16;
    charts.push_back({"wide map", wide});
    Chart empty = sweep_lines(0);
    empty.empty_text = "Press Run (F5) to measure the chosen kernels; the curve grows while the sweep runs.";
    charts.push_back({"empty", empty});
    return charts;
}

}  // namespace kwb::plot::test
