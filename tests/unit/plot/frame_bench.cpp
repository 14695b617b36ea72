// SPDX-License-Identifier: Apache-2.0
// Cost of a frame: 8 kernels with 10,000 samples in total, laid out and drawn on a canvas that does about the
// work of an ImDrawList (appending vertices to an array). Prints milliseconds; to be run manually.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "plot/draw.hpp"
#include "plot/svg_canvas.hpp"
#include "sample_charts.hpp"

namespace {

using namespace kwb::plot;

/// Generates the vertices of anti-aliased lines, rectangles, discs and glyphs.
class VertexCanvas final : public Canvas {
public:
    struct Vertex {
        float x, y, u, v;
        Color color;
    };
    std::vector<Vertex> vertices;
    std::size_t calls = 0;

    float text_width(std::string_view text, const TextStyle& style) const override {
        return average_text_width_em(text, style.bold) * style.size_px;
    }
    void line(Point from, Point to, const Stroke& stroke) override { segment(from, to, stroke.color); }
    void polyline(std::span<const Point> points, const Stroke& stroke) override {
        for (std::size_t i = 1; i < points.size(); ++i) segment(points[i - 1], points[i], stroke.color);
    }
    void fill_rect(const Rect& rect, Color color, float corner_px) override {
        corner_px > 0 ? round(rect.center(), rect.width, 32, color) : quad(rect, color);
    }
    void stroke_rect(const Rect& rect, const Stroke& stroke, float) override {
        round(rect.center(), rect.width, 16, stroke.color);
    }
    void fill_polygon(std::span<const Point> corners, Color color) override {
        round(corners[0], 4, static_cast<int>(corners.size()), color);
    }
    void band(std::span<const Point> upper, std::span<const Point> lower, Color color) override {
        for (std::size_t i = 0; i < upper.size(); ++i) add(upper[i], color), add(lower[i], color);
    }
    void fill_circle(Point center, float radius_px, Color color) override {
        round(center, radius_px, 12, color);
    }
    void stroke_circle(Point center, float radius_px, const Stroke& stroke) override {
        round(center, radius_px, 24, stroke.color);
    }
    void text(Point anchor, std::string_view text, const TextStyle& style, Color color,
              const TextPlace&) override {
        ++calls;
        for (std::size_t i = 0; i < text.size(); ++i)
            quad({anchor.x + static_cast<float>(i) * style.size_px / 2, anchor.y, 6, 12}, color);
    }
    // A window caches the texture by its key.
    void image(const Image&, const Rect& to) override { quad(to, {}); }
    void push_clip(const Rect&) override { ++calls; }
    void pop_clip() override { ++calls; }

private:
    void add(Point p, Color color) { vertices.push_back({p.x, p.y, 0, 0, color}); }
    void quad(const Rect& r, Color color) {
        ++calls;
        add({r.left(), r.top()}, color), add({r.right(), r.top()}, color),
            add({r.right(), r.bottom()}, color), add({r.left(), r.bottom()}, color);
    }
    void segment(Point a, Point b, Color color) {
        ++calls;
        const float length = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)) + 1e-6f;
        const Point n = {(b.y - a.y) / length, (a.x - b.x) / length};
        for (const float side : {-1.5f, -0.5f, 0.5f, 1.5f})
            add({a.x + n.x * side, a.y + n.y * side}, color),
                add({b.x + n.x * side, b.y + n.y * side}, color);
    }
    void round(Point center, float radius, int segments, Color color) {
        ++calls;
        static const std::vector<Point> kCircle = [] {
            std::vector<Point> circle;
            for (int i = 0; i < 48; ++i)
                circle.push_back(
                    {std::cos(static_cast<float>(i) * 0.131f), std::sin(static_cast<float>(i) * 0.131f)});
            return circle;
        }();
        for (int i = 0; i < segments; ++i) {
            const Point& c = kCircle[static_cast<std::size_t>(i * 48 / segments)];
            add({center.x + radius * c.x, center.y + radius * c.y}, color);
            add({center.x + (radius + 1) * c.x, center.y + (radius + 1) * c.y},
                {color.r, color.g, color.b, 0});
        }
    }
};

double ms_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void measure(const char* name, const Chart& chart) {
    constexpr int kFrames = 300;
    double lay_out_ms = 1e9;
    double draw_ms = 1e9;
    VertexCanvas canvas;
    for (int batch = 0; batch < 7; ++batch) {
        auto start = std::chrono::steady_clock::now();
        ChartLayout layout;
        for (int i = 0; i < kFrames; ++i) layout = lay_out(chart, {}, {{0, 0, 900, 500}}, canvas);
        lay_out_ms = std::min(lay_out_ms, ms_since(start) / kFrames);
        start = std::chrono::steady_clock::now();
        for (int i = 0; i < kFrames; ++i) {
            canvas.vertices.clear();
            canvas.calls = 0;
            draw(chart, layout, dark_theme(), canvas);
        }
        draw_ms = std::min(draw_ms, ms_since(start) / kFrames);
    }
    const auto start = std::chrono::steady_clock::now();
    const std::string svg = render_svg(chart, {.size = {900, 500}});
    fmt::print(
        "{:32} lay out {:.3f} ms, draw {:.3f} ms, {:5} calls, {:6} vertices; SVG {:5.1f} ms, {:4} KiB\n",
        name, lay_out_ms, draw_ms, canvas.calls, canvas.vertices.size(), ms_since(start), svg.size() / 1024);
}

}  // namespace

int main() {
    using namespace kwb::plot::test;
    measure("8 kernels, 10,000 samples", time_bars(9, 1250));
    measure("8 kernels, 400,000 samples", time_bars(9, 50000));
    for (const auto& [name, chart] : sample_charts()) measure(name.c_str(), chart);
    measure("error map 256 × 256", error_map(256));
    return 0;
}
