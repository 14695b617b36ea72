// The shapes of markers.
#pragma once

#include "plot/canvas.hpp"
#include "plot/palette.hpp"

namespace kwb::plot {

/// @param radius_px  of the circle; other shapes get about its area
/// @param ground     shines through the ring
void draw_marker(Canvas& canvas, Marker marker, Point at, float radius_px, Color color, Color ground);

}  // namespace kwb::plot
