// SPDX-License-Identifier: Apache-2.0
#include "plot/layout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "plot/draw.hpp"
#include "recording_canvas.hpp"
#include "sample_charts.hpp"

namespace kwb::plot {
namespace {

using test::RecordingCanvas;
using test::sample_charts;

std::string where(const PlacedText& text) {
    return "'" + text.text + "' at " + std::to_string(text.box.x) + ", " + std::to_string(text.box.y);
}

/// @return  two texts, or a text and a legend entry, that overlap; empty if there are none
std::string find_overlap(const ChartLayout& layout) {
    for (std::size_t i = 0; i < layout.texts.size(); ++i) {
        // Touching edges are allowed.
        const Rect box = layout.texts[i].box.grown(-0.25f);
        for (std::size_t j = 0; j < i; ++j)
            if (box.overlaps(layout.texts[j].box))
                return where(layout.texts[i]) + " covers " + where(layout.texts[j]);
        for (const LegendEntry& entry : layout.legend)
            if (box.overlaps(entry.rect))
                return where(layout.texts[i]) + " covers the legend's " + entry.name;
    }
    for (std::size_t i = 0; i < layout.legend.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (layout.legend[i].rect.grown(-0.25f).overlaps(layout.legend[j].rect))
                return "legend entries overlap";
    return {};
}

/// @return  a text or legend entry that is not inside the frame; empty if there is none
std::string find_outside(const ChartLayout& layout) {
    for (const PlacedText& text : layout.texts)
        if (!layout.frame.rect.holds(text.box, 0.5f)) return where(text);
    for (const LegendEntry& entry : layout.legend)
        if (!layout.frame.rect.holds(entry.rect, 0.5f)) return "legend: " + entry.name;
    return layout.frame.rect.holds(layout.plot, 0.5f) ? "" : "the plot";
}

constexpr Size kSizes[] = {{220, 140}, {260, 200}, {320, 480},   {400, 240},  {560, 340},
                           {640, 150}, {900, 600}, {1600, 1000}, {3000, 2000}};

TEST_CASE("no text covers another and none leaves the picture, at any size and scale") {
    const RecordingCanvas canvas;
    for (const auto& [name, chart] : sample_charts())
        for (const Size size : kSizes)
            for (const float scale : {1.0f, 1.5f, 2.5f}) {
                if (size.width < 220 * scale || size.height < 140 * scale) continue;
                const auto& shown_name = name;
                CAPTURE(shown_name);
                CAPTURE(size.width);
                CAPTURE(size.height);
                CAPTURE(scale);
                const ChartLayout layout =
                    lay_out(chart, {}, {{7, 9, size.width, size.height}, scale}, canvas);
                CHECK(find_overlap(layout) == "");
                CHECK(find_outside(layout) == "");
                if (layout.empty) continue;
                // A map is square, so it is as narrow as the available height.
                CHECK(layout.plot.width >= (layout.heat ? 24 : 40) * scale);
                CHECK(layout.plot.height >= 24 * scale);
            }
}

TEST_CASE("neither do they while zoomed") {
    const RecordingCanvas canvas;
    for (const auto& [name, chart] : sample_charts()) {
        ChartView view;
        const Frame frame{{0, 0, 500, 300}};
        for (int step = 0; step < 60; ++step) {
            const ChartLayout layout = lay_out(chart, view, frame, canvas);
            const auto& shown_name = name;
            CAPTURE(shown_name);
            CAPTURE(step);
            CHECK(find_overlap(layout) == "");
            CHECK(find_outside(layout) == "");
            const auto x = layout.plot.left() + layout.plot.width * static_cast<float>(step * 7 % 10) / 10;
            view.zoom(layout, {x, layout.plot.center().y + 3}, step < 40 ? 1.4 : 0.7);
            view.pan(layout, static_cast<float>(step % 3), 2);
        }
    }
}

TEST_CASE("numeric axes have at least two numbers where there is room to read") {
    const RecordingCanvas canvas;
    for (const auto& [name, chart] : sample_charts()) {
        const ChartLayout layout = lay_out(chart, {}, {{0, 0, 560, 340}}, canvas);
        if (layout.empty) continue;
        const auto& shown_name = name;
        CAPTURE(shown_name);
        const auto labelled = [](const std::vector<Tick>& ticks) {
            return std::ranges::count_if(ticks, [](const Tick& tick) { return !tick.label.empty(); });
        };
        CHECK(labelled(layout.x_ticks) >= 2);
        if (chart.y.kind != ScaleKind::Categories) CHECK(labelled(layout.y_ticks) >= 2);
    }
}

TEST_CASE("title, unit, names and values are written") {
    const Chart chart = test::time_bars(4, 20);
    RecordingCanvas canvas;
    draw(chart, lay_out(chart, {}, {{0, 0, 700, 400}}, canvas), dark_theme(), canvas);
    for (const char* text : {"Kernel time", "time [ms]", "naive", "20 ms", "10 ms", "6.67 ms", "wrong"}) {
        CAPTURE(text);
        CHECK(canvas.wrote(text));
    }
    CHECK(canvas.open_clips == 0);
}

TEST_CASE("an axis is written in the unit that suits its values") {
    Chart chart = test::time_bars(3, 0);
    for (Series& series : chart.series)
        for (Bar& bar : std::get<Bars>(series.data).bars) {
            if (bar.value) *bar.value /= 1000;
            bar.interval.reset();
        }
    RecordingCanvas canvas;
    draw(chart, lay_out(chart, {}, {{0, 0, 700, 400}}, canvas), light_theme(), canvas);
    CHECK(canvas.wrote("time [µs]"));
    CHECK(canvas.wrote("20"));
}

TEST_CASE("bars begin at zero and end at their values") {
    const Chart chart = test::time_bars(4, 0);
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 700, 400}}, canvas);
    CHECK(layout.x.range().low == 0);
    REQUIRE(layout.bars.size() == 4);
    for (const BarShape& bar : layout.bars) {
        CHECK(bar.rect.left() == doctest::Approx(layout.x.to_px(0)));
        const Bar& source = std::get<Bars>(chart.series[bar.series].data).bars[bar.item];
        CHECK(bar.rect.right() == doctest::Approx(layout.x.to_px(source.value.value_or(0))));
    }
}

TEST_CASE("on a logarithmic axis bars are dots at their values, because no zero is in sight") {
    Chart chart = test::time_bars(4, 5);
    chart.x.kind = ScaleKind::Log10;
    RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 700, 400}}, canvas);
    int dots = 0;
    for (const BarShape& bar : layout.bars) {
        const Bar& source = bar_at(chart, bar.series, bar.item);
        CHECK(bar.is_dot == source.value.has_value());
        if (!bar.is_dot) continue;
        ++dots;
        CHECK(bar.rect.center().x == doctest::Approx(layout.x.to_px(*source.value)));
        CHECK(bar.rect.width < 20);
        REQUIRE(find_mark(chart, layout, bar.rect.center()));
        CHECK(find_mark(chart, layout, bar.rect.center())->series == bar.series);
    }
    CHECK(dots == 3);
    draw(chart, layout, dark_theme(), canvas);
    CHECK(canvas.wrote("20 ms"));
    CHECK(canvas.wrote("wrong"));
}

TEST_CASE("a ghost surrounds the bar of its kernel, and takes none of its room") {
    const Chart chart = test::with_ghosts(test::time_bars(4, 0));
    RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 700, 400}}, canvas);
    const ChartLayout alone = lay_out(test::time_bars(4, 0), {}, {{0, 0, 700, 400}}, canvas);
    REQUIRE(layout.bars.size() == 7);
    for (std::size_t i = 0; i < 3; ++i) {
        const Rect &bar = layout.bars[i].rect, &ghost = layout.bars[4 + i].rect;
        CHECK(ghost.top() < bar.top());
        CHECK(ghost.bottom() > bar.bottom());
        CHECK(bar.height > 0.9f * alone.bars[i].rect.height);
    }
    REQUIRE(layout.legend.size() >= 1);
    CHECK(layout.legend.back().name == "earlier run of 2026-11-20 14:02");
    CHECK(layout.legend.back().ghost);
    draw(chart, layout, light_theme(), canvas);
    for (const char* value : {"20 ms", "24 ms", "10 ms", "6.67 ms"}) {
        CAPTURE(value);
        CHECK(canvas.wrote(value));
    }
}

TEST_CASE("every bar has its number at every scale, with and without an earlier run") {
    const RecordingCanvas canvas;
    for (const float scale : {1.0f, 1.25f, 1.5f, 2.0f})
        for (const bool compares : {false, true})
            for (const std::size_t samples : {0u, 20u}) {
                CAPTURE(scale);
                CAPTURE(compares);
                CAPTURE(samples);
                Chart chart = test::time_bars(8, samples);
                if (compares) chart = test::with_ghosts(chart);
                const ChartLayout layout =
                    lay_out(chart, {}, {{0, 0, 420 * scale, 300 * scale}, scale}, canvas);
                std::size_t values = 0;
                for (const PlacedText& text : layout.texts)
                    values += text.role == TextRole::Value && !chart.series[text.series].ghost;
                CHECK(values == 7);
            }
}

TEST_CASE("the number of a bar stands in a gap between its samples") {
    Chart chart = test::time_bars(2, 0);
    Bar& bar = std::get<Bars>(chart.series[0].data).bars[0];
    for (int i = 0; i < 50; ++i) bar.samples.push_back(20 + 0.2 * i);
    bar.samples.push_back(45);
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 900, 300}}, RecordingCanvas());
    const auto number = std::ranges::find(layout.texts, TextRole::Value, &PlacedText::role);
    REQUIRE(number != layout.texts.end());
    for (const DotCloud& cloud : layout.clouds)
        for (const Dot& dot : cloud.dots)
            CHECK_FALSE((number->box.left() < dot.at.x && dot.at.x < number->box.right() &&
                         number->box.top() < dot.at.y && dot.at.y < number->box.bottom()));
}

TEST_CASE("lines carry their names at their ends, in the order of the ends") {
    Chart chart = test::sweep_lines(6);
    chart.label_lines = true;
    for (const float scale : {1.0f, 1.25f, 1.5f, 2.0f}) {
        CAPTURE(scale);
        const ChartLayout layout =
            lay_out(chart, {}, {{0, 0, 640 * scale, 400 * scale}, scale}, RecordingCanvas());
        REQUIRE(layout.legend.size() == 6);
        for (std::size_t k = 0; k < 6; ++k) {
            const LegendEntry& entry = layout.legend[k];
            CHECK(entry.name == chart.series[k].name);
            CHECK(entry.rect.left() >= layout.plot.right());
            REQUIRE(entry.line_end);
            const LinePoint& last = std::get<Line>(chart.series[k].data).points.back();
            CHECK(entry.line_end->y == doctest::Approx(layout.y.to_px(last.y)));
            CHECK(entry.rect.center().y == doctest::Approx(entry.line_end->y).epsilon(0.02));
            CHECK(find_legend_entry(layout, entry.rect.center()) == &entry);
            if (k > 0) CHECK(entry.rect.center().y < layout.legend[k - 1].rect.center().y);
        }
    }
}

TEST_CASE("names of lines that end at one point move apart, and that of a hidden line comes last") {
    Chart chart = test::sweep_lines(8);
    chart.label_lines = true;
    for (Series& series : chart.series) std::get<Line>(series.data).points.back().y = 100;
    ChartView view;
    view.toggle(chart.series[3].name);
    const ChartLayout layout = lay_out(chart, view, {{0, 0, 640, 300}}, RecordingCanvas());
    REQUIRE(layout.legend.size() == 8);
    CHECK(find_overlap(layout) == "");
    float lowest = 0, sum = 0;
    for (const LegendEntry& entry : layout.legend) {
        lowest = std::max(lowest, entry.rect.center().y);
        if (!entry.hidden) sum += entry.rect.center().y;
    }
    CHECK(layout.legend[3].hidden);
    CHECK(layout.legend[3].rect.center().y == lowest);
    CHECK_FALSE(layout.legend[3].line_end);
    CHECK(sum / 7 == doctest::Approx(layout.y.to_px(100)).epsilon(0.1));
}

TEST_CASE("where lines' names have no room, the legend stands above the plot") {
    Chart chart = test::sweep_lines(8);
    chart.label_lines = true;
    for (const Size size : {Size{230, 300}, Size{640, 150}}) {
        const ChartLayout layout = lay_out(chart, {}, {{0, 0, size.width, size.height}}, RecordingCanvas());
        REQUIRE(!layout.legend.empty());
        for (const LegendEntry& entry : layout.legend) CHECK(entry.rect.bottom() <= layout.plot.top());
    }
}

TEST_CASE("lit series keep their colour, the others are dimmed") {
    const Chart chart = test::sweep_lines(3);
    const Theme& theme = light_theme();
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 640, 300}}, RecordingCanvas());
    const auto draws = [&](std::optional<std::size_t> lit, std::size_t slot) {
        RecordingCanvas canvas;
        draw(chart, layout, theme, canvas, lit);
        const Color wanted = theme.series_color(slot);
        return std::ranges::find(canvas.line_colors, wanted) != canvas.line_colors.end();
    };
    for (const std::size_t slot : {0u, 1u, 2u}) CHECK(draws({}, slot));
    CHECK(draws(1, 1));
    CHECK_FALSE(draws(1, 0));
    CHECK_FALSE(draws(1, 2));
}

TEST_CASE("bars show their zero, wherever the zoom comes from") {
    ChartView view;
    view.x = Range{2, 8};  // from a logarithmic axis
    const ChartLayout layout = lay_out(test::time_bars(4, 0), view, {{0, 0, 700, 400}}, RecordingCanvas());
    CHECK(layout.x.range().low == 0);
    CHECK(layout.x.range().high == 8);
}

TEST_CASE("a roofline on log-log axes turns at the ridge") {
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(test::roofline(), {}, {{0, 0, 700, 400}}, canvas);
    REQUIRE(layout.rules.size() == 2);
    CHECK(layout.rules[0].to.x == doctest::Approx(layout.rules[1].from.x).epsilon(1e-3));
    CHECK(layout.rules[0].to.y == doctest::Approx(layout.rules[1].from.y).epsilon(1e-3));
    CHECK(layout.rules[0].from.y > layout.rules[0].to.y);
}

TEST_CASE("a gap splits a line, and its band follows") {
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(test::sweep_lines(3), {}, {{0, 0, 700, 400}}, canvas);
    int pieces = 0;
    for (const LineShape& line : layout.lines) {
        pieces += line.series == 1;
        CHECK(line.band_upper.size() == line.band_lower.size());
        CHECK(line.band_upper.size() >= 2);
    }
    CHECK(pieces == 2);
}

TEST_CASE("without data there is a sentence and nothing else") {
    Chart chart;
    chart.title = "Throughput";
    chart.empty_text = "Press Run (F5).";
    RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 400, 300}}, canvas);
    CHECK(layout.empty);
    draw(chart, layout, dark_theme(), canvas);
    CHECK(canvas.wrote("Press Run (F5)."));
    CHECK(canvas.lines == 0);
}

TEST_CASE("series that are switched off leave no marks but stay in the legend") {
    const Chart chart = test::sweep_lines(4);
    const RecordingCanvas canvas;
    ChartView view;
    view.toggle("naive");
    const ChartLayout layout = lay_out(chart, view, {{0, 0, 700, 400}}, canvas);
    for (const LineShape& line : layout.lines) CHECK(line.series != 0);
    REQUIRE(layout.legend.size() == 4);
    CHECK(layout.legend[0].hidden);
    CHECK_FALSE(layout.legend[1].hidden);
    // With all series hidden the axes are still drawn.
    for (const Series& series : chart.series) view.hidden.insert(series.name);
    const ChartLayout bare = lay_out(chart, view, {{0, 0, 700, 400}}, canvas);
    CHECK(bare.lines.empty());
    CHECK(bare.x.range() == lay_out(chart, {}, {{0, 0, 700, 400}}, canvas).x.range());
}

TEST_CASE("legends that do not fit say how many entries are missing") {
    const RecordingCanvas canvas;
    const Chart chart = test::sweep_lines(8);
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 220, 140}}, canvas);
    REQUIRE(layout.legend.size() < 8);
    const std::string rest = "+" + std::to_string(8 - layout.legend.size());
    CHECK(std::ranges::count(layout.texts, rest, &PlacedText::text) == 1);
}

/// Numbers that cause trouble in careless code.
std::vector<double> awkward_numbers() {
    using Limits = std::numeric_limits<double>;
    return {0,
            -0.0,
            1,
            -1,
            1e-320,
            1e-300,
            1e300,
            -1e300,
            Limits::max(),
            Limits::lowest(),
            Limits::infinity(),
            -Limits::infinity(),
            Limits::quiet_NaN(),
            1e-9,
            123456789012345678.0};
}

TEST_CASE("any numbers give finite pictures: alone, in pairs, on every kind of axis") {
    const auto numbers = awkward_numbers();
    for (const ScaleKind kind : {ScaleKind::Linear, ScaleKind::Log2, ScaleKind::Log10})
        for (const double a : numbers)
            for (const double b : numbers) {
                Chart chart;
                chart.x = {.label = "x", .kind = kind};
                chart.y = {.label = "y", .unit = "ms", .kind = kind};
                chart.series.push_back(
                    {"line", 0, Line{{{a, b, Interval{a, b}}, {b, a, {}}, {a, a, Interval{b, a}}}, true}});
                chart.series.push_back({"points", 1, ScatterPoint{b, a, Interval{a, b}, "name"}});
                chart.series.push_back({"h", 2, Rule{Rule::Kind::Horizontal, a, b, {}, "h"}});
                chart.series.push_back({"v", 3, Rule{Rule::Kind::Vertical, b, {}, a, "v"}});
                chart.series.push_back({"s", 4, Rule{Rule::Kind::Sloped, a, b, {}, "s", true}});
                Chart bars;
                bars.x = {.label = "x", .kind = kind};
                bars.series.push_back(
                    {"bars", 0, Bars{{{0, a, Interval{a, b}, {a, b, a}, {}}, {1, b, {}, {}, "late"}}}});
                bars.series.push_back({"boxes", 2, Bars{{make_box(0, {a, b}), make_box(1, {b})}}});
                Chart map = test::error_map(4);
                auto& cells = std::get<HeatMap>(map.series[0].data);
                cells.rows_a_cell = b;
                for (float& value : cells.values) value = static_cast<float>(a);
                cells.values[5] = static_cast<float>(b);
                CAPTURE(a);
                CAPTURE(b);
                for (Chart* each : {&chart, &bars, &map}) {
                    RecordingCanvas canvas;
                    ChartView view;
                    view.x = Range{a, b};
                    view.y = Range{b, a};
                    for (const ChartView& seen : {ChartView{}, view}) {
                        const ChartLayout layout = lay_out(*each, seen, {{0, 0, 400, 300}}, canvas);
                        draw(*each, layout, dark_theme(), canvas);
                        CHECK(canvas.all_finite);
                        CHECK(find_overlap(layout) == "");
                    }
                }
            }
}

TEST_CASE("frames of any size are drawn without harm") {
    for (const auto& [name, chart] : sample_charts())
        for (const Rect rect : {Rect{0, 0, 0, 0}, Rect{0, 0, 1, 1}, Rect{5, 5, -10, -10}, Rect{0, 0, 40, 30},
                                Rect{0, 0, 30, 900}, Rect{0, 0, 900, 20}, Rect{0, 0, 100000, 100000},
                                Rect{NAN, 0, HUGE_VALF, 10}})
            for (const float scale : {1.0f, 0.0f, -1.0f, 40.0f}) {
                const auto& shown_name = name;
                CAPTURE(shown_name);
                RecordingCanvas canvas;
                draw(chart, lay_out(chart, {}, {rect, scale}, canvas), light_theme(), canvas);
                CHECK(canvas.all_finite);
            }
}

TEST_CASE("wrong indices and missing cells are left out") {
    Chart chart;
    chart.series.push_back({"far", 0, Bars{{{SIZE_MAX, 1.0, {}, {1, 2}, {}}, {1, 2.0, {}, {}, {}}}}});
    chart.series.push_back({"boxes", 1, Bars{{make_box(SIZE_MAX, {1, 2})}}});
    RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 400, 300}}, canvas);
    CHECK(layout.bars.size() == 1);
    Chart map;
    map.series.push_back({"map", 0, HeatMap{.rows = 3, .columns = 3, .values = {1, 2}}});
    CHECK(lay_out(map, {}, {{0, 0, 400, 300}}, canvas).empty);
}

TEST_CASE("of many samples few are drawn, always the same, with smallest and largest") {
    Chart chart = test::time_bars(8, 50000);
    auto& samples = std::get<Bars>(chart.series[0].data).bars[0].samples;
    samples[777] = 19;
    samples[40321] = 25;
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 700, 400}}, canvas);
    std::size_t dots = 0;
    bool least = false;
    bool largest = false;
    for (const DotCloud& cloud : layout.clouds) {
        dots += cloud.dots.size();
        for (const Dot& dot : cloud.dots) {
            least |= cloud.series == 0 && dot.sample == 777;
            largest |= cloud.series == 0 && dot.sample == 40321;
        }
    }
    CHECK(dots > 1000);
    CHECK(dots < 2000);
    CHECK(least);
    CHECK(largest);
    const ChartLayout again = lay_out(chart, {}, {{0, 0, 700, 400}}, canvas);
    CHECK(again.clouds[0].centers == layout.clouds[0].centers);
}

TEST_CASE("samples that are not finite hide neither the extremes nor the axis") {
    Chart chart = test::time_bars(2, 5000);
    auto& samples = std::get<Bars>(chart.series[0].data).bars[0].samples;
    samples[0] = NAN;
    samples[1] = HUGE_VAL;
    samples[2] = -HUGE_VAL;
    samples[1234] = 31;
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 700, 400}}, canvas);
    CHECK(layout.x.range().contains(31));
    REQUIRE(layout.clouds.size() == 1);
    CHECK(std::ranges::any_of(layout.clouds[0].dots, [](const Dot& dot) { return dot.sample == 1234; }));
    for (const Dot& dot : layout.clouds[0].dots) CHECK(dot.sample > 2);
}

TEST_CASE("a line of a hundred thousand points keeps its peaks and few points") {
    Chart chart;
    Line line;
    for (int i = 0; i < 100000; ++i)
        line.points.push_back({static_cast<double>(i), i == 54321 ? 9.0 : std::sin(i * 0.01), {}});
    chart.series.push_back({"rounds", 0, line});
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 700, 400}}, canvas);
    REQUIRE(layout.lines.size() == 1);
    CHECK(layout.lines[0].points.size() < 4 * 700);
    CHECK(std::ranges::any_of(layout.lines[0].marks, [](const Dot& dot) { return dot.item == 54321; }));
    CHECK_FALSE(layout.lines[0].markers);
}

TEST_CASE("eight names stand beside low bars too, in small letters, with their reasons in the same rows") {
    Chart chart;
    chart.x = {"time", "ms"};
    chart.y.kind = ScaleKind::Categories;
    for (std::size_t i = 0; i < 8; ++i) {
        chart.y.categories.push_back("kernel " + std::to_string(i));
        Bar bar;
        bar.category = i;
        if (i % 3 == 1)
            bar.missing = "constraint";
        else
            bar.value = 10.0 + static_cast<double>(i);
        chart.series.push_back({"kernel " + std::to_string(i), i, Bars{{bar}}});
    }
    const RecordingCanvas canvas;
    for (const float height : {150.0f, 180.0f, 400.0f}) {
        CAPTURE(height);
        const ChartLayout layout = lay_out(chart, {}, {{0, 0, 560, height}}, canvas);
        REQUIRE(layout.y_ticks.size() == 8);
        for (const Tick& tick : layout.y_ticks) CHECK_FALSE(tick.label.empty());
        CHECK(find_overlap(layout) == "");
        int reasons = 0;
        for (const PlacedText& text : layout.texts) {
            if (text.role != TextRole::Missing) continue;
            ++reasons;
            CHECK(std::ranges::any_of(layout.y_ticks, [&](const Tick& tick) {
                return std::abs(tick.at_px - text.box.center().y) < 1.5f;
            }));
        }
        CHECK(reasons == 3);
    }
}

TEST_CASE("a logarithmic axis of times writes each in its own unit, a linear one those that are short") {
    Chart chart;
    chart.x = {"time", "s", ScaleKind::Log10};
    chart.y.kind = ScaleKind::Categories;
    chart.y.categories = {"build", "later run"};
    chart.series.push_back({"naive", 0, Bars{{{0, 1.2}, {1, 4e-5}}}});
    const RecordingCanvas canvas;
    ChartLayout layout = lay_out(chart, {}, {{0, 0, 700, 300}}, canvas);
    const auto says = [&](TextRole role, const char* words) {
        return std::ranges::any_of(
            layout.texts, [&](const PlacedText& text) { return text.role == role && text.text == words; });
    };
    CHECK(says(TextRole::TickX, "100 µs"));
    CHECK(says(TextRole::TickX, "10 ms"));
    CHECK(says(TextRole::TickX, "1 s"));
    CHECK(says(TextRole::AxisTitle, "time"));
    CHECK(says(TextRole::Value, "40 µs"));
    chart.x = {"time", "s"};
    layout = lay_out(chart, {}, {{0, 0, 700, 300}}, canvas);
    CHECK(says(TextRole::Value, "40 µs"));
    CHECK(says(TextRole::Value, "1.2 s"));
}

TEST_CASE("notes that stand elsewhere leave their room to the plot") {
    Chart chart = test::time_bars(2, 5);
    chart.notes = {"Measured on some CPU."};
    const RecordingCanvas canvas;
    Frame frame{{0, 0, 700, 400}};
    const ChartLayout with = lay_out(chart, {}, frame, canvas);
    frame.notes = false;
    const ChartLayout without = lay_out(chart, {}, frame, canvas);
    CHECK(without.plot.height > with.plot.height);
    CHECK(std::ranges::none_of(without.texts,
                               [](const PlacedText& text) { return text.role == TextRole::Note; }));
}

}  // namespace
}  // namespace kwb::plot
