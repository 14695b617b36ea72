// Charts on ImGui's draw list, as far as no pixels are needed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gui/draw_list_canvas.hpp"
#include "gui/sketch.hpp"
#include "gui/stage.hpp"

namespace kwb::test {
namespace {

using gui::DrawListCanvas;

/// Draw with a canvas at (50, 50) and hand the list over before it is closed.
template <typename Draw>
void on_canvas(Draw draw) {
    WindowlessStage stage(800, 600);
    Sketch sketch([&] {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        DrawListCanvas canvas(list, {50, 50});
        draw(canvas, list);
    });
    stage.draw(sketch);
}

plot::Rect bounds(const ImDrawList& list, int first) {
    plot::Point low{1e9f, 1e9f}, high{-1e9f, -1e9f};
    for (int i = first; i < list.VtxBuffer.Size; ++i) {
        const ImVec2 corner = list.VtxBuffer[i].pos;
        low = {std::min(low.x, corner.x), std::min(low.y, corner.y)};
        high = {std::max(high.x, corner.x), std::max(high.y, corner.y)};
    }
    return plot::rect_between(low, high);
}

TEST_CASE("a text covers the box that the canvas's rules give it, level and upright") {
    on_canvas([](DrawListCanvas& canvas, ImDrawList& list) {
        const plot::TextStyle style{.size_px = 12};
        for (const bool upright : {false, true})
            for (const plot::AlignX x : {plot::AlignX::Left, plot::AlignX::Center, plot::AlignX::Right})
                for (const plot::AlignY y : {plot::AlignY::Top, plot::AlignY::Middle, plot::AlignY::Bottom}) {
                    const plot::TextPlace place{x, y, upright};
                    const int first = list.VtxBuffer.Size;
                    canvas.text({200, 200}, "Eight words", style, plot::rgb(0), place);
                    REQUIRE(list.VtxBuffer.Size > first);
                    const float width = canvas.text_width("Eight words", style);
                    const plot::Rect box = plot::text_box({250, 250}, width, style, place);
                    CAPTURE(upright);
                    CAPTURE(static_cast<int>(x));
                    CAPTURE(static_cast<int>(y));
                    CHECK(box.holds(bounds(list, first), 2.5f));
                }
    });
}

TEST_CASE("an upright text beyond the clip of its level self is drawn all the same") {
    on_canvas([](DrawListCanvas& canvas, ImDrawList& list) {
        canvas.push_clip({0, 0, 20, 300});
        const int first = list.VtxBuffer.Size;
        canvas.text({2, 250}, "Time per run, in milliseconds", {}, plot::rgb(0), {.upright = true});
        CHECK(bounds(list, first).height > 100);
        canvas.pop_clip();
    });
}

TEST_CASE("a polyline of 100,000 points is drawn whole") {
    on_canvas([](DrawListCanvas& canvas, ImDrawList& list) {
        std::vector<plot::Point> points;
        for (int i = 0; i < 100'000; ++i)
            points.push_back(
                {static_cast<float>(i) * 0.005f, 100 + 50 * std::sin(static_cast<float>(i) * 0.001f)});
        const int first = list.VtxBuffer.Size;
        canvas.polyline(points, {plot::rgb(0x123456), 1.5f});
        const plot::Rect drawn = bounds(list, first);
        CHECK(drawn.left() < 51);
        CHECK(drawn.right() > 549);
    });
}

TEST_CASE("without textures an image is a frame, and its pixels are not asked for") {
    on_canvas([](DrawListCanvas& canvas, ImDrawList& list) {
        plot::Image image;
        image.columns = image.rows = 4;
        const int first = list.VtxBuffer.Size;
        canvas.image(image, {10, 10, 40, 40});  // calling its empty function would throw
        CHECK(list.VtxBuffer.Size > first);
    });
}

TEST_CASE("bold is wider, larger is wider") {
    on_canvas([](DrawListCanvas& canvas, ImDrawList&) {
        const float normal = canvas.text_width("Throughput", {.size_px = 12});
        CHECK(canvas.text_width("Throughput", {.size_px = 12, .bold = true}) > normal);
        CHECK(canvas.text_width("Throughput", {.size_px = 24}) > 1.8f * normal);
        CHECK(canvas.text_width("", {}) == 0);
    });
}

}  // namespace
}  // namespace kwb::test
