// SPDX-License-Identifier: Apache-2.0
// The drawing interface of charts. Implementations draw in a window, write SVG, or count calls in a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot/geometry.hpp"
#include "plot/palette.hpp"

namespace kwb::plot {

struct TextStyle {
    float size_px = 12;  ///< font size (the em), as CSS font-size
    bool bold = false;

    friend bool operator==(const TextStyle&, const TextStyle&) = default;
};

/// Every line of text is assumed to be this many em high, with its baseline this many em below its top:
/// Inter's metrics (ascent 0.969 + descent 0.241). A canvas whose font sizes are line heights (ImGui)
/// multiplies by kLineHeight.
inline constexpr float kLineHeight = 1.21f;
inline constexpr float kAscent = 0.97f;

enum class AlignX { Left, Center, Right };
enum class AlignY { Top, Middle, Bottom };

/// How a text is placed relative to its anchor point. An upright text is rotated by 90° counter-clockwise and
/// reads from bottom to top. Its alignments are those of the unrotated text: Left puts the anchor at the
/// start of the text, which is its lower end; Top puts the anchor at the text's upper edge, which is the left
/// edge in the picture.
struct TextPlace {
    AlignX x = AlignX::Left;
    AlignY y = AlignY::Top;
    bool upright = false;

    friend bool operator==(const TextPlace&, const TextPlace&) = default;
};

struct Stroke {
    Color color;
    float width_px = 1;
};

/// A picture made of cells, drawn with sharp cell borders (nearest neighbour).
struct Image {
    std::uint64_t key = 0;  ///< equal keys mean equal pixels, so a canvas can cache textures by key
    int columns = 0;
    int rows = 0;
    std::function<std::vector<Color>()> pixels;  ///< columns * rows, row-major from the top; on demand
};

/// A surface of pixels. Later calls draw over earlier ones. Coordinates are finite; anything outside the clip
/// rectangle or the surface is cut off. Not thread-safe.
class Canvas {
public:
    virtual ~Canvas() = default;

    /// Advance width of the text in pixels. One line, UTF-8.
    virtual float text_width(std::string_view text, const TextStyle& style) const = 0;

    virtual void line(Point from, Point to, const Stroke& stroke) = 0;

    /// Joined lines; fewer than two points draw nothing.
    virtual void polyline(std::span<const Point> points, const Stroke& stroke) = 0;

    /// @param corner_px  radius of the corners, at most half of the shorter side
    virtual void fill_rect(const Rect& rect, Color color, float corner_px = 0) = 0;
    virtual void stroke_rect(const Rect& rect, const Stroke& stroke, float corner_px = 0) = 0;

    /// A convex polygon (markers).
    virtual void fill_polygon(std::span<const Point> corners, Color color) = 0;

    /// Fills the area between two lines with the same x coordinates: between upper[i] and lower[i], i = 0 …
    /// size - 1. The area may be concave. x must not decrease.
    /// @param upper, lower  the same number of points
    virtual void band(std::span<const Point> upper, std::span<const Point> lower, Color color) = 0;

    virtual void fill_circle(Point center, float radius_px, Color color) = 0;
    virtual void stroke_circle(Point center, float radius_px, const Stroke& stroke) = 0;

    /// Draws many small discs of the same size; a canvas may simplify them. The default calls fill_circle()
    /// for each.
    virtual void dots(std::span<const Point> centers, float radius_px, Color color);

    /// One line of UTF-8.
    virtual void text(Point anchor, std::string_view text, const TextStyle& style, Color color,
                      const TextPlace& place) = 0;

    virtual void image(const Image& image, const Rect& to) = 0;

    /// Restricts drawing to `rect` (intersected with the clips pushed before) until the matching pop.
    virtual void push_clip(const Rect& rect) = 0;
    virtual void pop_clip() = 0;
};

/// The rectangle that a text of this width covers.
Rect text_box(Point anchor, float width_px, const TextStyle& style, const TextPlace& place);

/// Draws a dashed polyline. Dashes are computed here rather than by each canvas so that all canvases look
/// alike.
/// @param pattern_px  lengths of dash, gap, dash, gap …; empty draws a solid line
void dashed_polyline(Canvas& canvas, std::span<const Point> points, const Stroke& stroke,
                     std::span<const float> pattern_px);

enum class Keep { Beginning, BothEnds };

/// Shortens the text to at most `width_px` with "…": at the end, or in the middle for names that differ in
/// their ends. Returns only "…" if nothing else fits, and an empty string if not even that fits. Never
/// splits a code point.
std::string shortened(const Canvas& canvas, std::string_view text, const TextStyle& style, float width_px,
                      Keep keep = Keep::Beginning);

/// @param radius_px  of the circle; other shapes get about the same area
/// @param ground  background colour, which fills the inside of the ring
void draw_marker(Canvas& canvas, Marker marker, Point at, float radius_px, Color color, Color ground);

}  // namespace kwb::plot
