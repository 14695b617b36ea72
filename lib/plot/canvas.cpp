// SPDX-License-Identifier: Apache-2.0
#include "plot/canvas.hpp"

#include <array>
#include <cmath>

namespace kwb::plot {

void Canvas::dots(std::span<const Point> centers, float radius_px, Color color) {
    for (const Point& center : centers) fill_circle(center, radius_px, color);
}

Rect text_box(Point anchor, float width_px, const TextStyle& style, const TextPlace& place) {
    const float height_px = style.size_px * kLineHeight;
    const float along = place.x == AlignX::Left ? 0 : place.x == AlignX::Center ? width_px / 2 : width_px;
    const float across = place.y == AlignY::Top ? 0 : place.y == AlignY::Middle ? height_px / 2 : height_px;
    if (place.upright) return {anchor.x - across, anchor.y + along - width_px, height_px, width_px};
    return {anchor.x - along, anchor.y - across, width_px, height_px};
}

void dashed_polyline(Canvas& canvas, std::span<const Point> points, const Stroke& stroke,
                     std::span<const float> pattern_px) {
    float period_px = 0;
    for (const float length_px : pattern_px) period_px += length_px;
    if (pattern_px.empty() || !(period_px > 0.5f)) return canvas.polyline(points, stroke);

    std::vector<Point> dash;
    std::size_t phase = 0;
    float left_px = pattern_px[0];
    if (!points.empty()) dash.push_back(points.front());
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Point from = points[i - 1];
        const Point to = points[i];
        const float length_px = std::hypot(to.x - from.x, to.y - from.y);
        float done_px = 0;
        while (length_px - done_px > left_px) {
            done_px += left_px;
            const float share = done_px / length_px;
            const Point at = {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
            const bool drawn = phase % 2 == 0;
            if (drawn) {
                dash.push_back(at);
                canvas.polyline(dash, stroke);
            }
            dash.assign(1, at);
            phase = (phase + 1) % pattern_px.size();
            left_px = pattern_px[phase];
        }
        left_px -= length_px - done_px;
        if (phase % 2 == 0) dash.push_back(to);
    }
    if (phase % 2 == 0) canvas.polyline(dash, stroke);
}

std::string shortened(const Canvas& canvas, std::string_view text, const TextStyle& style, float width_px,
                      Keep keep) {
    if (canvas.text_width(text, style) <= width_px) return std::string(text);
    if (canvas.text_width("…", style) > width_px) return {};

    // The end offsets of all code points; a binary search then finds how many fit.
    std::vector<std::size_t> ends = {0};
    for (std::size_t i = 1; i <= text.size(); ++i)
        if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) ends.push_back(i);
    const auto with = [&](std::size_t count) {
        const std::size_t behind = keep == Keep::BothEnds ? count / 2 : 0;
        std::string result(text.substr(0, ends[count - behind]));
        result += "…";
        return result.append(text.substr(ends[ends.size() - 1 - behind]));
    };
    std::size_t fits = 0;
    std::size_t too_long = ends.size() - 1;
    while (too_long - fits > 1) {
        const std::size_t middle = (fits + too_long) / 2;
        (canvas.text_width(with(middle), style) <= width_px ? fits : too_long) = middle;
    }
    return with(fits);
}

void draw_marker(Canvas& canvas, Marker marker, Point at, float radius_px, Color color, Color ground) {
    const float r = radius_px;
    const auto polygon = [&](auto... offsets) {
        const std::array corners = {Point{at.x + offsets.x, at.y + offsets.y}...};
        canvas.fill_polygon(corners, color);
    };
    switch (marker) {
        case Marker::Circle:
            return canvas.fill_circle(at, r, color);
        case Marker::Square:
            return canvas.fill_rect({at.x - 0.89f * r, at.y - 0.89f * r, 1.78f * r, 1.78f * r}, color);
        case Marker::Triangle:
            return polygon(Point{0, -1.3f * r}, Point{1.2f * r, 0.85f * r}, Point{-1.2f * r, 0.85f * r});
        case Marker::Diamond:
            return polygon(Point{0, -1.35f * r}, Point{1.35f * r, 0}, Point{0, 1.35f * r},
                           Point{-1.35f * r, 0});
        case Marker::TriangleDown:
            return polygon(Point{-1.2f * r, -0.85f * r}, Point{1.2f * r, -0.85f * r}, Point{0, 1.3f * r});
        case Marker::Plus:
            canvas.fill_rect({at.x - 1.25f * r, at.y - 0.45f * r, 2.5f * r, 0.9f * r}, color);
            return canvas.fill_rect({at.x - 0.45f * r, at.y - 1.25f * r, 0.9f * r, 2.5f * r}, color);
        case Marker::Cross:
            canvas.line({at.x - r, at.y - r}, {at.x + r, at.y + r}, {color, 0.75f * r});
            return canvas.line({at.x - r, at.y + r}, {at.x + r, at.y - r}, {color, 0.75f * r});
        case Marker::Ring:
            canvas.fill_circle(at, r, ground);
            return canvas.stroke_circle(at, r, {color, 0.5f * r});
    }
}

}  // namespace kwb::plot
