// SPDX-License-Identifier: Apache-2.0
// A canvas that records what is drawn, with the text widths of the SVG canvas.
#pragma once

#include <string>
#include <vector>

#include "plot/svg_canvas.hpp"

namespace kwb::plot::test {

class RecordingCanvas final : public Canvas {
public:
    struct Filled {
        Rect rect;
        Color color;
    };

    std::vector<Filled> rects;
    std::vector<std::vector<Point>> polylines;
    std::vector<Color> line_colors;
    std::vector<Point> dots_drawn;
    std::vector<std::string> texts;
    std::vector<Rect> images;
    std::size_t bands = 0;
    std::size_t lines = 0;
    std::size_t markers = 0;
    std::size_t calls = 0;
    int open_clips = 0;
    bool all_finite = true;

    float text_width(std::string_view text, const TextStyle& style) const override {
        return average_text_width_em(text, style.bold) * style.size_px;
    }
    void line(Point from, Point to, const Stroke& stroke) override {
        see(from), see(to), ++lines, line_colors.push_back(stroke.color);
    }
    void polyline(std::span<const Point> points, const Stroke& stroke) override {
        line_colors.push_back(stroke.color);
        for (const Point& p : points) see(p);
        polylines.emplace_back(points.begin(), points.end());
    }
    void fill_rect(const Rect& rect, Color color, float) override {
        see(rect), rects.push_back({rect, color});
    }
    void stroke_rect(const Rect& rect, const Stroke&, float) override { see(rect); }
    void fill_polygon(std::span<const Point> corners, Color) override {
        for (const Point& p : corners) see(p);
        ++markers;
    }
    void band(std::span<const Point> upper, std::span<const Point> lower, Color) override {
        for (const Point& p : upper) see(p);
        for (const Point& p : lower) see(p);
        all_finite = all_finite && upper.size() == lower.size();
        ++bands;
    }
    void fill_circle(Point center, float, Color) override { see(center), ++markers; }
    void stroke_circle(Point center, float, const Stroke&) override { see(center); }
    void dots(std::span<const Point> centers, float, Color) override {
        for (const Point& p : centers) see(p), dots_drawn.push_back(p);
    }
    void text(Point anchor, std::string_view text, const TextStyle&, Color, const TextPlace&) override {
        see(anchor), texts.emplace_back(text);
    }
    void image(const Image& image, const Rect& to) override {
        see(to), images.push_back(to);
        all_finite =
            all_finite && image.pixels().size() == static_cast<std::size_t>(image.columns * image.rows);
    }
    void push_clip(const Rect& rect) override { see(rect), ++open_clips; }
    void pop_clip() override { --open_clips; }

    bool wrote(std::string_view text) const {
        for (const std::string& t : texts)
            if (t == text) return true;
        return false;
    }

private:
    void see(Point p) {
        ++calls;
        // Beyond this limit, single precision and 16-bit surfaces would misplace visible shapes.
        if (!(p.x > -1e7f && p.x < 1e7f && p.y > -1e7f && p.y < 1e7f)) all_finite = false;
    }
    void see(const Rect& r) { see(Point{r.x, r.y}), see(Point{r.right(), r.bottom()}); }
};

}  // namespace kwb::plot::test
