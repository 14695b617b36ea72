#include "plot/canvas.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "recording_canvas.hpp"

namespace kwb::plot {
namespace {

using test::RecordingCanvas;

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
    // Upright: it begins at the anchor and rises.
    CHECK(text_box({100, 50}, 40, style, {AlignX::Left, AlignY::Top, true}) == Rect{100, 10, line, 40});
    CHECK(text_box({100, 50}, 40, style, {AlignX::Right, AlignY::Top, true}) == Rect{100, 50, line, 40});
    CHECK(text_box({100, 50}, 40, style, {AlignX::Center, AlignY::Bottom, true}) ==
          Rect{100 - line, 30, line, 40});
}

}  // namespace
}  // namespace kwb::plot
