#include "plot/view.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "plot/layout.hpp"
#include "recording_canvas.hpp"
#include "sample_charts.hpp"

namespace kwb::plot {
namespace {

using test::RecordingCanvas;

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
            // Numbers of another width may move the plot a little: compare shares of it.
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

TEST_CASE("panning moves what is seen by as many pixels as the hand") {
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
        CAPTURE(name);
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

}  // namespace
}  // namespace kwb::plot
