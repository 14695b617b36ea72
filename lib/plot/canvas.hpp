// The small surface on which charts are drawn: in a window, in an SVG file, or counted in a test.
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
    float size_px = 12;  ///< of the em, as CSS font-size
    bool bold = false;

    friend bool operator==(const TextStyle&, const TextStyle&) = default;
};

/// Every line of text is taken to be this many em high, its baseline this many em below its top: Inter's
/// metrics (0.969 + 0.241). A canvas whose font sizes are line heights (ImGui) multiplies by kLineHeight.
inline constexpr float kLineHeight = 1.21f;
inline constexpr float kAscent = 0.97f;

enum class AlignX { Left, Center, Right };
enum class AlignY { Top, Middle, Bottom };

/// How a text lies at its anchor point. An upright text is turned by 90° counter-clockwise (it reads from
/// bottom to top); the alignments are then those of the unturned text: Left puts the anchor at its start,
/// which is the lower end; Top puts the anchor at the text's upper edge, which is the left one on the
/// picture.
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

/// A picture made of cells, shown with sharp cell borders (nearest neighbour).
struct Image {
    std::uint64_t key = 0;  ///< equal keys mean equal pixels: a canvas may keep textures by it
    int columns = 0;
    int rows = 0;
    std::function<std::vector<Color>()> pixels;  ///< row by row from the top, columns * rows; made on demand
};

/// A surface of pixels. Calls draw over what earlier ones drew. Coordinates are finite; what lies outside is
/// cut by the clip or the surface. One thread at a time.
class Canvas {
public:
    virtual ~Canvas() = default;

    /// Pixels from the text's first to its last pen position. One line, UTF-8.
    virtual float text_width(std::string_view text, const TextStyle& style) const = 0;

    virtual void line(Point from, Point to, const Stroke& stroke) = 0;

    /// Joined lines; fewer than two points draw nothing.
    virtual void polyline(std::span<const Point> points, const Stroke& stroke) = 0;

    /// @param corner_px  radius of the corners, at most half of the shorter side
    virtual void fill_rect(const Rect& rect, Color color, float corner_px = 0) = 0;
    virtual void stroke_rect(const Rect& rect, const Stroke& stroke, float corner_px = 0) = 0;

    /// A convex polygon (markers).
    virtual void fill_polygon(std::span<const Point> corners, Color color) = 0;

    /// The area between two lines with common x: between upper[i] and lower[i], i = 0 … size - 1. It need not
    /// be convex. x does not fall.
    /// @param upper, lower  equally many
    virtual void band(std::span<const Point> upper, std::span<const Point> lower, Color color) = 0;

    virtual void fill_circle(Point center, float radius_px, Color color) = 0;
    virtual void stroke_circle(Point center, float radius_px, const Stroke& stroke) = 0;

    /// Many equal small discs; a canvas may simplify them. By default fill_circle() for each.
    virtual void dots(std::span<const Point> centers, float radius_px, Color color);

    /// One line of UTF-8.
    virtual void text(Point anchor, std::string_view text, const TextStyle& style, Color color,
                      const TextPlace& place) = 0;

    virtual void image(const Image& image, const Rect& to) = 0;

    /// Only what lies in `rect` (and in the clips pushed before) is drawn until the pop.
    virtual void push_clip(const Rect& rect) = 0;
    virtual void pop_clip() = 0;
};

/// The rectangle that a text of this width covers.
Rect text_box(Point anchor, float width_px, const TextStyle& style, const TextPlace& place);

/// A polyline in dashes. Surfaces have no dashes of their own, so that they look alike.
/// @param pattern_px  lengths of dash, gap, dash, gap …; empty draws the line whole
void dashed_polyline(Canvas& canvas, std::span<const Point> points, const Stroke& stroke,
                     std::span<const float> pattern_px);

enum class Keep { Beginning, BothEnds };

/// The text, or its beginning with "…" (or both ends with "…" between, for names that differ in their ends),
/// so that it is at most `width_px` wide; "…" alone if nothing else fits, empty if not even that. Code points
/// stay whole.
std::string shortened(const Canvas& canvas, std::string_view text, const TextStyle& style, float width_px,
                      Keep keep = Keep::Beginning);

/// @param radius_px  of the circle; other shapes get about its area
/// @param ground     shines through the ring
void draw_marker(Canvas& canvas, Marker marker, Point at, float radius_px, Color color, Color ground);

}  // namespace kwb::plot
