#include "plot/marker.hpp"

#include <array>

namespace kwb::plot {

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
