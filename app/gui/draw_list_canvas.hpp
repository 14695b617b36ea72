// SPDX-License-Identifier: Apache-2.0
// Charts in the window: plot's Canvas on an ImGui draw list.
#pragma once

#include <vector>

#include "gui/imgui_compat.hpp"
#include "plot/canvas.hpp"

namespace kwb::gui {

/// Draws into `list`, whose own clip rectangle stays in effect. Lives for one frame.
class DrawListCanvas : public plot::Canvas {
public:
    /// @param origin  position of the picture's (0, 0) in window pixels; rounded to whole pixels
    DrawListCanvas(ImDrawList& list, ImVec2 origin);

    float text_width(std::string_view text, const plot::TextStyle& style) const override;
    void line(plot::Point from, plot::Point to, const plot::Stroke& stroke) override;
    void polyline(std::span<const plot::Point> points, const plot::Stroke& stroke) override;
    void fill_rect(const plot::Rect& rect, plot::Color color, float corner_px) override;
    void stroke_rect(const plot::Rect& rect, const plot::Stroke& stroke, float corner_px) override;
    void fill_polygon(std::span<const plot::Point> corners, plot::Color color) override;
    void band(std::span<const plot::Point> upper, std::span<const plot::Point> lower,
              plot::Color color) override;
    void fill_circle(plot::Point center, float radius_px, plot::Color color) override;
    void stroke_circle(plot::Point center, float radius_px, const plot::Stroke& stroke) override;
    /// Draws squares instead of discs up to a radius of 1.5 pixels; the difference is not visible.
    void dots(std::span<const plot::Point> centers, float radius_px, plot::Color color) override;
    void text(plot::Point anchor, std::string_view text, const plot::TextStyle& style, plot::Color color,
              const plot::TextPlace& place) override;
    /// Without textures (tests without a window), only an outline is drawn.
    void image(const plot::Image& image, const plot::Rect& to) override;
    void push_clip(const plot::Rect& rect) override;
    void pop_clip() override { list_.PopClipRect(); }

private:
    struct Face {
        ImFont* font;
        float size_px;
    };
    /// The loaded font for a style. If a loaded size is within 8 %, that size is used, because its glyphs are
    /// sharp.
    Face face(const plot::TextStyle& style) const;
    ImVec2 at(plot::Point point) const { return {origin_.x + point.x, origin_.y + point.y}; }

    ImDrawList& list_;
    ImVec2 origin_;
    std::vector<ImVec2> points_;  ///< scratch
};

}  // namespace kwb::gui
