// SPDX-License-Identifier: Apache-2.0
// A canvas that writes SVG and needs no display or font.
#pragma once

#include <string>
#include <string_view>

#include "plot/canvas.hpp"

namespace kwb::plot {

/// Writes one self-contained SVG 1.1 picture without scripts, references or ids, so that an HTML page can
/// contain many of them. Coordinates are rounded to a hundredth of a pixel; calls with non-finite coordinates
/// draw nothing.
class SvgCanvas final : public Canvas {
public:
    /// @param size   at least 1×1
    /// @param title  for screen readers; may be empty
    explicit SvgCanvas(Size size, std::string_view title = {});

    /// The complete document. Open clips are closed in it.
    std::string finish() const;

    float text_width(std::string_view text, const TextStyle& style) const override;
    void line(Point from, Point to, const Stroke& stroke) override;
    void polyline(std::span<const Point> points, const Stroke& stroke) override;
    void fill_rect(const Rect& rect, Color color, float corner_px = 0) override;
    void stroke_rect(const Rect& rect, const Stroke& stroke, float corner_px = 0) override;
    void fill_polygon(std::span<const Point> corners, Color color) override;
    void band(std::span<const Point> upper, std::span<const Point> lower, Color color) override;
    void fill_circle(Point center, float radius_px, Color color) override;
    void stroke_circle(Point center, float radius_px, const Stroke& stroke) override;
    void dots(std::span<const Point> centers, float radius_px, Color color) override;
    void text(Point anchor, std::string_view text, const TextStyle& style, Color color,
              const TextPlace& place) override;
    void image(const Image& image, const Rect& to) override;
    void push_clip(const Rect& rect) override;
    void pop_clip() override;

private:
    std::string body_;
    int open_clips_ = 0;
};

/// Width of a line of text in em, from a table of average glyph widths of common sans-serif fonts (Inter,
/// Arial, DejaVu Sans). Tends to overestimate.
float average_text_width_em(std::string_view text, bool bold);

}  // namespace kwb::plot
