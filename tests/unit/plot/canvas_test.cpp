// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "plot/canvas.hpp"
#include "plot/chart.hpp"
#include "plot/draw.hpp"
#include "plot/png.hpp"
#include "plot/svg_canvas.hpp"
#include "recording_canvas.hpp"
#include "sample_charts.hpp"
#include "support/xml_check.hpp"

namespace kwb::plot {
namespace {

using test::RecordingCanvas;

// --- plot/canvas.hpp ---

float length(const std::vector<Point>& points) {
    float sum = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
        sum += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    return sum;
}

TEST_CASE("dashes have their lengths, also around corners") {
    RecordingCanvas canvas;
    const std::vector<Point> corner = {{0, 0}, {13, 0}, {13, 20}};
    const std::vector<float> pattern = {4, 2};
    dashed_polyline(canvas, corner, {}, pattern);
    REQUIRE(canvas.polylines.size() == 6);
    for (std::size_t i = 0; i + 1 < canvas.polylines.size(); ++i)
        CHECK(length(canvas.polylines[i]) == doctest::Approx(4));
    CHECK(canvas.polylines[2].size() == 3);
    CHECK(canvas.polylines[1].front() == Point{6, 0});
}

TEST_CASE("without a pattern, or with one of no length, a line is whole") {
    RecordingCanvas canvas;
    const std::vector<Point> points = {{0, 0}, {10, 0}};
    dashed_polyline(canvas, points, {}, {});
    dashed_polyline(canvas, points, {}, std::vector<float>{0, 0});
    CHECK(canvas.polylines == std::vector{points, points});
}

TEST_CASE("shortened texts fit and keep whole characters") {
    const RecordingCanvas canvas;
    const TextStyle style;
    for (const std::string text : {"matmul/tiled", "größer größer", "中文字符測試", "m"})
        for (const Keep keep : {Keep::Beginning, Keep::BothEnds})
            for (float width = 0; width < 120; width += 3) {
                const std::string result = shortened(canvas, text, style, width, keep);
                CAPTURE(text);
                CAPTURE(width);
                CHECK(canvas.text_width(result, style) <= width);
                if (result != text && !result.empty()) CHECK(result.find("…") != std::string::npos);
                CHECK((result.empty() || (static_cast<unsigned char>(result.front()) & 0xC0) != 0x80));
            }
    CHECK(shortened(canvas, "naive", style, 500) == "naive");
    CHECK(shortened(canvas, "matmul/tiled_16", style, 50, Keep::BothEnds).ends_with("16"));
}

TEST_CASE("a text's box lies at its anchor as its place says") {
    const TextStyle style{10, false};
    const float line = 10 * kLineHeight;
    CHECK(text_box({100, 50}, 40, style, {}) == Rect{100, 50, 40, line});
    CHECK(text_box({100, 50}, 40, style, {AlignX::Right, AlignY::Bottom, false}) ==
          Rect{60, 50 - line, 40, line});
    CHECK(text_box({100, 50}, 40, style, {AlignX::Center, AlignY::Middle, false}) ==
          Rect{80, 50 - line / 2, 40, line});
    // Rotated text begins at the anchor and runs upwards.
    CHECK(text_box({100, 50}, 40, style, {AlignX::Left, AlignY::Top, true}) == Rect{100, 10, line, 40});
    CHECK(text_box({100, 50}, 40, style, {AlignX::Right, AlignY::Top, true}) == Rect{100, 50, line, 40});
    CHECK(text_box({100, 50}, 40, style, {AlignX::Center, AlignY::Bottom, true}) ==
          Rect{100 - line, 30, line, 40});
}

// --- plot/svg_canvas.hpp ---

using kwb::test::find_xml_fault;

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

TEST_CASE("the check of XML finds what is wrong") {
    CHECK(find_xml_fault("<a><b x=\"1\"/>text</a>\n").empty());
    for (const char* bad : {"", "<a>", "<a></b>", "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&nbsp;</a>",
                            "<a>\x01</a>", "<a/><b/>", "<a>x & y</a>", "x<a/>", "<a x=\"<\"/>"}) {
        CAPTURE(bad);
        CHECK_FALSE(find_xml_fault(bad).empty());
    }
}

TEST_CASE("every chart is well-formed, in both themes and at several sizes") {
    for (const auto& [name, chart] : test::sample_charts())
        for (const Size size : {Size{220, 140}, Size{700, 400}})
            for (const bool dark : {false, true}) {
                const auto& shown_name = name;
                CAPTURE(shown_name);
                const std::string svg = render_svg(chart, {.size = size, .dark = dark});
                CHECK(find_xml_fault(svg) == "");
                CHECK(count(svg, "\"nan") + count(svg, " nan") + count(svg, "inf\"") == 0);
                CHECK(count(svg, " id=") == 0);
                CHECK(count(svg, "aria-label=") == 1);
            }
}

TEST_CASE("a bar chart has a rectangle a bar and a dot a sample") {
    const std::string svg = render_svg(test::time_bars(5, 10), {.size = {700, 400}});
    CHECK(count(svg, "rx=\"3\"") == 4);
    CHECK(count(svg, "<circle") == 40);
    CHECK(count(svg, ">wrong</text>") == 1);
    CHECK(count(svg, "rotate(-90)") == 0);
    CHECK(count(render_svg(test::sweep_lines(2)), "rotate(-90)") == 1);
}

TEST_CASE("names may hold anything") {
    Chart chart = test::sweep_lines(2);
    chart.title = "<script>alert('&\"')</script> \x01 \xFF \xEF\xBF\xBF größer";
    chart.series[0].name = "]]> & \n tab\t";
    const std::string svg = render_svg(chart);
    CHECK(find_xml_fault(svg) == "");
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("größer") != std::string::npos);
}

TEST_CASE("clips that were left open are closed, and a pop too many does no harm") {
    SvgCanvas canvas({100, 100});
    canvas.push_clip({0, 0, 50, 50});
    canvas.push_clip({0, 0, 0, 0});
    CHECK(find_xml_fault(canvas.finish()) == "");
    canvas.pop_clip();
    canvas.pop_clip();
    canvas.pop_clip();
    CHECK(find_xml_fault(canvas.finish()) == "");
}

TEST_CASE("coordinates that are no numbers draw nothing") {
    SvgCanvas canvas({100, 100});
    const std::string before = canvas.finish();
    const std::vector<Point> points = {{1, 2}, {NAN, 3}};
    canvas.line({NAN, 0}, {1, 1}, {});
    canvas.polyline(points, {});
    canvas.fill_polygon(points, {});
    canvas.fill_rect({0, 0, HUGE_VALF, 1}, {});
    canvas.stroke_circle({0, NAN}, 2, {});
    canvas.text({NAN, 0}, "x", {}, {}, {});
    CHECK(canvas.finish() == before);
}

TEST_CASE("pictures are embedded as PNG and enlarged by a whole number") {
    SvgCanvas canvas({100, 100});
    canvas.image({1, 3, 2, [] { return std::vector<Color>(6, rgb(0x123456)); }}, {0, 0, 30, 20});
    const std::string svg = canvas.finish();
    CHECK(find_xml_fault(svg) == "");
    CHECK(svg.find("data:image/png;base64,iVBORw0KGgo") != std::string::npos);
    const std::vector<Color> pixels = {rgb(1), rgb(2)};
    CHECK(enlarged(pixels, 2, 1, 2) ==
          std::vector<Color>{rgb(1), rgb(1), rgb(2), rgb(2), rgb(1), rgb(1), rgb(2), rgb(2)});
    CHECK_THROWS_AS(encode_png(pixels, 3, 1), ContractError);
    CHECK_THROWS_AS(encode_png({}, 0, 0), ContractError);
}

TEST_CASE("base64 of the standard's examples") {
    // RFC 4648, section 10.
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("wider letters, more letters and bold ones are wider") {
    CHECK(average_text_width_em("iii", false) < average_text_width_em("mmm", false));
    CHECK(average_text_width_em("ab", false) < average_text_width_em("ab", true));
    CHECK(average_text_width_em("ä", false) == doctest::Approx(0.64));
    CHECK(average_text_width_em("", false) == 0);
    CHECK(average_text_width_em("\xFF\xC3", false) >= 0);
}

// --- plot/chart.hpp ---

TEST_CASE("quartiles and whiskers interpolate between samples, in any order") {
    std::vector<double> samples;
    for (int i = 100; i >= 0; --i) samples.push_back(i);
    const Bar box = make_box(2, samples);
    CHECK(box.category == 2);
    REQUIRE(box.spread);
    CHECK(box.spread->whisker_low == doctest::Approx(5));
    CHECK(box.spread->quartile_low == doctest::Approx(25));
    CHECK(*box.value == doctest::Approx(50));
    CHECK(box.spread->quartile_high == doctest::Approx(75));
    CHECK(box.spread->whisker_high == doctest::Approx(95));
    CHECK(box.samples == samples);
    CHECK(*make_box(0, {1, 2}).value == doctest::Approx(1.5));
}

TEST_CASE("a box of no finite samples is missing with its reason") {
    CHECK(make_box(0, {}).missing == "no samples");
    CHECK(make_box(0, {std::nan(""), HUGE_VAL}).missing == "no samples");
    CHECK(make_box(0, {std::nan(""), 3}).value == 3);
}

TEST_CASE("reasons are data, and reference lines alone are not unless they are ceilings") {
    Chart chart;
    CHECK_FALSE(has_data(chart));
    chart.series.push_back({"baseline", 0, Rule{Rule::Kind::Horizontal, 1, {}, {}, "1"}});
    CHECK_FALSE(has_data(chart));
    chart.series.push_back({"nothing", 0, Bars{{Bar{}}}});
    chart.series.push_back({"nan", 0, Line{{{1, std::nan(""), {}}}}});
    CHECK_FALSE(has_data(chart));
    chart.series.push_back({"wrong", 0, Bars{{{.missing = "wrong"}}}});
    CHECK(has_data(chart));
    chart.series.clear();
    chart.series.push_back({"peak", 0, Rule{Rule::Kind::Horizontal, 1, {}, {}, "peak", true}});
    CHECK(has_data(chart));
}

}  // namespace
}  // namespace kwb::plot
