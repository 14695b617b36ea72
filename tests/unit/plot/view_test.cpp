// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plot/draw.hpp"
#include "plot/layout.hpp"
#include "recording_canvas.hpp"
#include "sample_charts.hpp"

namespace kwb::plot {
namespace {

using test::RecordingCanvas;

// --- the view ---

ChartLayout laid_out(const Chart& chart, const ChartView& view) {
    return lay_out(chart, view, {{0, 0, 700, 400}}, RecordingCanvas());
}

TEST_CASE("zooming keeps the value under the pointer where it is") {
    for (const Chart& chart : {test::sweep_lines(3), test::roofline(), test::error_map(64)}) {
        ChartView view;
        for (int step = 0; step < 8; ++step) {
            const ChartLayout before = laid_out(chart, view);
            const Point at = {before.plot.x + before.plot.width * 0.3f,
                              before.plot.y + before.plot.height * 0.6f};
            const double x = before.x.from_px(at.x);
            const double share = (at.x - before.plot.x) / before.plot.width;
            view.zoom(before, at, 1.2);
            const ChartLayout after = laid_out(chart, view);
            // Axis labels of a different width may move the plot slightly, so compare relative positions.
            CHECK((after.x.to_px(x) - after.plot.x) / after.plot.width ==
                  doctest::Approx(share).epsilon(1e-3));
        }
        CHECK(view.is_zoomed());
        view.fit();
        CHECK(view == ChartView{});
    }
}

TEST_CASE("zooming in and out by the same factor ends where it began") {
    const Chart chart = test::sweep_lines(2);
    ChartView view;
    const ChartLayout whole = laid_out(chart, view);
    const Point at = whole.plot.center();
    view.zoom(whole, at, 2);
    const ChartLayout closer = laid_out(chart, view);
    CHECK(std::log2(closer.x.range().high / closer.x.range().low) ==
          doctest::Approx(std::log2(whole.x.range().high / whole.x.range().low) / 2));
    CHECK(closer.y.range().span() == doctest::Approx(whole.y.range().span() / 2));
    view.zoom(closer, closer.plot.center(), 0.5);
    const ChartLayout back = laid_out(chart, view);
    CHECK(back.y.range().low == doctest::Approx(whole.y.range().low).scale(whole.y.range().span()));
    CHECK(back.x.range().high == doctest::Approx(whole.x.range().high));
}

TEST_CASE("panning moves the view by the pointer's distance") {
    const Chart chart = test::sweep_lines(2);
    ChartView view;
    ChartLayout layout = laid_out(chart, view);
    view.zoom(layout, layout.plot.center(), 3);
    layout = laid_out(chart, view);
    const double x = layout.x.from_px(300);
    const double y = layout.y.from_px(200);
    view.pan(layout, 25, -10);
    const Scale moved_x(layout.x.kind(), *view.x, layout.x.at_low_px(), layout.x.at_high_px());
    const Scale moved_y(layout.y.kind(), *view.y, layout.y.at_low_px(), layout.y.at_high_px());
    CHECK(moved_x.to_px(x) == doctest::Approx(325));
    CHECK(moved_y.to_px(y) == doctest::Approx(190));
}

TEST_CASE("bars keep their zero: zooming scales them, and nothing moves it out of view") {
    const Chart chart = test::time_bars(4, 5);
    ChartView view;
    const double whole = laid_out(chart, view).x.range().high;
    double before = whole;
    for (const float share : {0.1f, 0.9f, 0.5f}) {
        const ChartLayout layout = laid_out(chart, view);
        view.zoom(layout, {layout.plot.left() + share * layout.plot.width, layout.plot.center().y}, 1.5);
        const Range shown = laid_out(chart, view).x.range();
        CHECK(shown.low == doctest::Approx(0));
        CHECK(shown.high == doctest::Approx(before / 1.5));
        before = shown.high;
        for (const float move : {-300.0f, 300.0f, -5000.0f}) view.pan(laid_out(chart, view), move, 0);
        CHECK(laid_out(chart, view).x.range().low == doctest::Approx(0));
    }
    for (int step = 0; step < 20; ++step) view.zoom(laid_out(chart, view), {300, 200}, 0.5);
    CHECK(laid_out(chart, view).x.range().low == doctest::Approx(0));
    CHECK(laid_out(chart, view).x.range().high <= 4 * whole * 1.001);
}

TEST_CASE("bars on both sides of zero keep it while they are moved") {
    Chart chart = test::time_bars(3, 0);
    std::get<Bars>(chart.series[1].data).bars[0].value = -30;
    std::get<Bars>(chart.series[1].data).bars[0].interval.reset();
    ChartView view;
    view.zoom(laid_out(chart, view), {300, 200}, 3);
    const Range closer = laid_out(chart, view).x.range();
    CHECK(closer.low < 0);
    CHECK(closer.high > 0);
    view.pan(laid_out(chart, view), 20, 0);
    CHECK(laid_out(chart, view).x.range().low < closer.low);
    view.pan(laid_out(chart, view), 5000, 0);
    CHECK(laid_out(chart, view).x.range().high >= -1e-9);
    view.pan(laid_out(chart, view), -5000, 0);
    CHECK(laid_out(chart, view).x.range().low <= 1e-9);
}

TEST_CASE("a heat map's view never leaves its cells and shows at least two") {
    const Chart chart = test::error_map(64);
    ChartView view;
    for (int step = 0; step < 200; ++step) {
        const ChartLayout layout = laid_out(chart, view);
        view.zoom(layout, {layout.plot.left() + 2, layout.plot.bottom() - 2}, step % 3 == 0 ? 0.8 : 1.5);
        view.pan(laid_out(chart, view), -37, 1000);
        const ChartLayout after = laid_out(chart, view);
        CHECK(after.x.range().low >= -1e-6);
        CHECK(after.x.range().high <= 512 + 1e-6);
        CHECK(after.y.range().low >= -1e-6);
        CHECK(after.x.range().span() >= 16 - 1e-6);
    }
}

TEST_CASE("no amount of zooming or panning loses the data for good") {
    for (const auto& [name, chart] : test::sample_charts()) {
        const auto& shown_name = name;
        CAPTURE(shown_name);
        ChartView view;
        for (int step = 0; step < 300; ++step) {
            const ChartLayout layout = laid_out(chart, view);
            view.zoom(layout, {layout.plot.left(), layout.plot.top()}, step < 150 ? 3 : 0.3);
            view.pan(layout, 5000, step % 2 == 0 ? 5000.0f : -300.0f);
        }
        const ChartLayout layout = laid_out(chart, view);
        if (layout.empty) continue;
        CHECK(layout.x.range().low < layout.whole_x.high);
        CHECK(layout.x.range().high > layout.whole_x.low);
    }
}

TEST_CASE("axes of categories stay whole") {
    const Chart chart = test::time_bars(4, 5);
    ChartView view;
    const ChartLayout layout = laid_out(chart, view);
    view.zoom(layout, layout.plot.center(), 4);
    CHECK_FALSE(view.y);
    REQUIRE(view.x);
    CHECK(view.x->span() < layout.x.range().span());
}

TEST_CASE("factors and distances that are no numbers change nothing") {
    const ChartLayout layout = laid_out(test::sweep_lines(2), {});
    ChartView view;
    for (const double factor : {0.0, -1.0, std::nan(""), HUGE_VAL})
        view.zoom(layout, layout.plot.center(), factor);
    view.zoom(layout, {NAN, 0}, 2);
    view.pan(layout, NAN, 3);
    CHECK(view == ChartView{});
}

TEST_CASE("toggling twice shows a series again, and fit leaves it off") {
    ChartView view;
    view.toggle("naive");
    CHECK_FALSE(view.shows("naive"));
    view.fit();
    CHECK_FALSE(view.shows("naive"));
    view.toggle("naive");
    CHECK(view.shows("naive"));
}

// --- plot/draw.hpp ---

const Frame kFrame{{0, 0, 700, 400}};

bool says(const Hover& hover, const std::string& line) {
    return std::ranges::find(hover.lines, line) != hover.lines.end();
}

TEST_CASE("every mark that lies in the plot is found at its own place") {
    const RecordingCanvas canvas;
    for (const auto& [name, chart] : test::sample_charts()) {
        const ChartLayout layout = lay_out(chart, {}, kFrame, canvas);
        const auto& shown_name = name;
        CAPTURE(shown_name);
        for (const BarShape& bar : layout.bars) {
            if (chart.series[bar.series].ghost) continue;  // the present bar lies on it
            if (bar.dots || bar.rect.height < 1 || bar.rect.width < 1) continue;
            const auto hover = find_mark(chart, layout, bar.rect.center());
            REQUIRE(hover);
            CHECK(hover->series == bar.series);
            CHECK(hover->item == bar.item);
        }
        for (const DotCloud& cloud : layout.clouds)
            for (const Dot& dot : cloud.dots) {
                const auto hover = find_mark(chart, layout, dot.at);
                REQUIRE(hover);
                REQUIRE(hover->sample);
                CHECK(hover->at == dot.at);
            }
        for (const LineShape& line : layout.lines)
            for (const Dot& mark : line.marks) {
                const auto hover = find_mark(chart, layout, mark.at);
                REQUIRE(hover);
                CHECK(hover->lines.size() >= 3);
            }
        for (const PointShape& point : layout.points) {
            const auto hover = find_mark(chart, layout, point.at);
            REQUIRE(hover);
            CHECK(hover->series == point.series);
        }
        for (const BoxShape& box : layout.boxes) {
            const auto hover = find_mark(chart, layout, box.body.center());
            REQUIRE(hover);
            CHECK(hover->series == box.series);
        }
    }
}

TEST_CASE("a bar tells name, value with unit, interval and samples") {
    const Chart chart = test::time_bars(3, 20);
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, kFrame, canvas);
    const Rect& bar = layout.bars[0].rect;
    const auto hover = find_mark(chart, layout, {bar.left() + 10, bar.center().y});
    REQUIRE(hover);
    CHECK(hover->lines ==
          std::vector<std::string>{"naive", "20 ms", "interval 19.4 – 20.8 ms", "20 samples"});
}

TEST_CASE("an earlier run is told with the bar, and by its own outline where that stands out") {
    const Chart chart = test::with_ghosts(test::time_bars(3, 0));
    const ChartLayout layout = lay_out(chart, {}, kFrame, RecordingCanvas());
    const auto hover = find_mark(chart, layout, layout.bars[0].rect.center());
    REQUIRE(hover);
    CHECK(hover->series == 0);
    CHECK(says(*hover, "earlier run of 2026-11-20 14:02: 24 ms"));
    const auto ghost = std::ranges::find(layout.bars, 3u, &BarShape::series);
    REQUIRE(ghost != layout.bars.end());
    const auto outline = find_mark(chart, layout, {ghost->rect.right() - 2, ghost->rect.center().y});
    REQUIRE(outline);
    CHECK(outline->series == 3);
    CHECK(outline->lines.at(0) == "naive · earlier run of 2026-11-20 14:02");
    CHECK(outline->lines.at(1) == "24 ms");
}

TEST_CASE("a missing bar tells why") {
    const Chart chart = test::time_bars(3, 20);
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, kFrame, canvas);
    const auto text = std::ranges::find(layout.texts, TextRole::Missing, &PlacedText::role);
    REQUIRE(text != layout.texts.end());
    const auto hover = find_mark(chart, layout, text->box.center());
    REQUIRE(hover);
    CHECK(hover->series == 2);
    CHECK(says(*hover, "wrong"));
}

TEST_CASE("a sample tells its number and value") {
    const Chart chart = test::time_bars(2, 6);
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, kFrame, canvas);
    const Dot& dot = layout.clouds.at(0).dots.at(3);
    const auto hover = find_mark(chart, layout, dot.at);
    REQUIRE(hover);
    CHECK(hover->sample == 3);
    CHECK(hover->lines.at(1).starts_with("sample 4 of 6: "));
    CHECK(hover->lines.at(1).ends_with(" ms"));
}

TEST_CASE("a point of a sweep tells its exact size") {
    const Chart chart = test::sweep_lines(2);
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, kFrame, canvas);
    const auto hover =
        find_mark(chart, layout, {layout.x.to_px(8192), layout.y.to_px(40 * (1 - std::exp(-4.0)))});
    REQUIRE(hover);
    CHECK(says(*hover, "matrix size N: 8192"));
    CHECK(says(*hover, "throughput: 39.27 GFLOP/s"));
}

TEST_CASE("a cell tells its indices and whether it is within the bound") {
    const Chart chart = test::error_map(64);
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, kFrame, canvas);
    const auto at_cell = [&](double row, double column) {
        return find_mark(chart, layout, {layout.x.to_px(column * 8 + 4), layout.y.to_px(row * 8 + 4)});
    };
    auto hover = at_cell(0, 0);
    REQUIRE(hover);
    CHECK(hover->item == 0);
    CHECK(hover->lines ==
          std::vector<std::string>{"row 0 – 7, column 0 – 7", "error / bound: never written"});
    hover = at_cell(63, 63);
    REQUIRE(hover);
    CHECK(hover->item == 64 * 64 - 1);
    CHECK(says(*hover, "error / bound: 50"));
    CHECK(says(*hover, "beyond the error bound"));
    CHECK(says(*at_cell(0, 63), "error / bound: not a number"));
    // The highlighted cell is the one under the pointer.
    CHECK(hover->mark.contains({layout.x.to_px(63 * 8 + 4), layout.y.to_px(63 * 8 + 4)}));
}

TEST_CASE("cells are found while zoomed, too") {
    const Chart chart = test::error_map(64);
    const RecordingCanvas canvas;
    ChartView view;
    for (int i = 0; i < 12; ++i) {
        const ChartLayout layout = lay_out(chart, view, kFrame, canvas);
        view.zoom(layout, {layout.plot.right() - 1, layout.plot.bottom() - 1}, 1.3);
    }
    const ChartLayout layout = lay_out(chart, view, kFrame, canvas);
    const auto hover = find_mark(chart, layout, {layout.plot.right() - 1, layout.plot.bottom() - 1});
    REQUIRE(hover);
    CHECK(hover->item == 64 * 64 - 1);
}

TEST_CASE("names that were shortened are told whole") {
    const Chart chart = test::time_bars(6, 0);
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(chart, {}, {{0, 0, 420, 300}}, canvas);
    int shortened_names = 0;
    for (const PlacedText& text : layout.texts) {
        if (!text.shortened || text.role != TextRole::TickY) continue;
        ++shortened_names;
        const auto hover = find_mark(chart, layout, text.box.center());
        REQUIRE(hover);
        CHECK(hover->lines == std::vector{text.whole});
        CHECK(text.text.find("…") != std::string::npos);
    }
    CHECK(shortened_names > 0);
}

TEST_CASE("legend entries are hit, and nothing is found beside them or in empty charts") {
    const RecordingCanvas canvas;
    const ChartLayout layout = lay_out(test::sweep_lines(3), {}, kFrame, canvas);
    for (const LegendEntry& entry : layout.legend)
        CHECK(find_legend_entry(layout, entry.rect.center()) == &entry);
    CHECK(find_legend_entry(layout, {0, 0}) == nullptr);
    const Chart empty;
    CHECK_FALSE(find_mark(empty, lay_out(empty, {}, kFrame, canvas), {100, 100}));
}

TEST_CASE("a highlight is drawn for a mark with and without an area") {
    RecordingCanvas canvas;
    const ChartLayout layout = lay_out(test::sweep_lines(3), {}, kFrame, canvas);
    draw_highlight({0, 0, {}, {}, {50, 50}, {}}, layout, dark_theme(), canvas);
    draw_highlight({0, 0, {}, {}, {50, 50}, {10, 10, 5, 5}}, layout, dark_theme(), canvas);
    CHECK(canvas.open_clips == 0);
    CHECK(canvas.calls > 0);
}

}  // namespace
}  // namespace kwb::plot
