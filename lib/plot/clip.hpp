// Cutting lines at a rectangle, in double precision: zoomed far in, their ends lie far outside.
#pragma once

#include <cmath>
#include <optional>

#include "plot/geometry.hpp"

namespace kwb::plot::parts {

struct Segment {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    Point from() const { return {static_cast<float>(x0), static_cast<float>(y0)}; }
    Point to() const { return {static_cast<float>(x1), static_cast<float>(y1)}; }
};

/// The part of a segment inside the rectangle; nothing if there is none.
/// Source: Liang and Barsky, "A new concept and method for line clipping", ACM Transactions on Graphics 3,
/// 1984.
inline std::optional<Segment> clipped(const Segment& line, const Rect& rect) {
    const double dx = line.x1 - line.x0;
    const double dy = line.y1 - line.y0;
    if (!std::isfinite(dx) || !std::isfinite(dy)) return {};
    double enter = 0;
    double leave = 1;
    const auto cut = [&](double step, double distance) {
        if (step == 0) return distance >= 0;
        const double at = distance / step;
        if (step < 0) {
            if (at > enter) enter = at;
        } else if (at < leave) {
            leave = at;
        }
        return enter <= leave;
    };
    if (!cut(-dx, line.x0 - rect.left()) || !cut(dx, rect.right() - line.x0) ||
        !cut(-dy, line.y0 - rect.top()) || !cut(dy, rect.bottom() - line.y0))
        return {};
    Segment part = line;
    if (enter > 0) part.x0 = line.x0 + enter * dx, part.y0 = line.y0 + enter * dy;
    if (leave < 1) part.x1 = line.x0 + leave * dx, part.y1 = line.y0 + leave * dy;
    return part;
}

}  // namespace kwb::plot::parts
