// SPDX-License-Identifier: Apache-2.0
#include "gui/draw_list_canvas.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "gui/look.hpp"

namespace kwb::gui {
namespace {

ImU32 packed(plot::Color color) {
    return IM_COL32(color.r, color.g, color.b, color.a);
}

}  // namespace

DrawListCanvas::DrawListCanvas(ImDrawList& list, ImVec2 origin)
    : list_(list), origin_(std::round(origin.x), std::round(origin.y)) {}

DrawListCanvas::Face DrawListCanvas::face(const plot::TextStyle& style) const {
    constexpr float kSharpWithin = 0.08f;
    const float wanted = style.size_px * plot::kLineHeight;
    ImFont* best = nullptr;
    float best_ratio = 0;
    ImFont* const regular[] = {fonts().small, fonts().body};
    ImFont* const bold[] = {fonts().strong, fonts().title};
    for (ImFont* font : style.bold ? bold : regular) {
        const float size = compat::size_of(*font);
        const float ratio = std::max(size / wanted, wanted / size);
        if (best == nullptr || ratio < best_ratio) {
            best = font;
            best_ratio = ratio;
        }
    }
    return {best, best_ratio <= 1 + kSharpWithin ? compat::size_of(*best) : wanted};
}

float DrawListCanvas::text_width(std::string_view text, const plot::TextStyle& style) const {
    const Face chosen = face(style);
    return compat::text_size(*chosen.font, chosen.size_px, text.data(), text.data() + text.size()).x;
}

void DrawListCanvas::line(plot::Point from, plot::Point to, const plot::Stroke& stroke) {
    list_.AddLine(at(from), at(to), packed(stroke.color), stroke.width_px);
}

void DrawListCanvas::polyline(std::span<const plot::Point> points, const plot::Stroke& stroke) {
    // Split into pieces: one call can create at most 65,536 vertices, four per point.
    constexpr std::size_t kMost = 8000;
    for (std::size_t first = 0; first + 1 < points.size(); first += kMost - 1) {
        const auto piece = points.subspan(first, std::min(kMost, points.size() - first));
        points_.clear();
        for (const plot::Point point : piece) points_.push_back(at(point));
        list_.AddPolyline(points_.data(), static_cast<int>(points_.size()), packed(stroke.color), 0,
                          stroke.width_px);
    }
}

void DrawListCanvas::fill_rect(const plot::Rect& rect, plot::Color color, float corner_px) {
    list_.AddRectFilled(at({rect.left(), rect.top()}), at({rect.right(), rect.bottom()}), packed(color),
                        corner_px);
}

void DrawListCanvas::stroke_rect(const plot::Rect& rect, const plot::Stroke& stroke, float corner_px) {
    list_.AddRect(at({rect.left(), rect.top()}), at({rect.right(), rect.bottom()}), packed(stroke.color),
                  corner_px, 0, stroke.width_px);
}

void DrawListCanvas::fill_polygon(std::span<const plot::Point> corners, plot::Color color) {
    if (corners.size() < 3) return;
    // ImGui's anti-aliasing requires clockwise polygons.
    float doubled_area = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const plot::Point a = corners[i], b = corners[(i + 1) % corners.size()];
        doubled_area += a.x * b.y - b.x * a.y;
    }
    points_.clear();
    for (const plot::Point corner : corners) points_.push_back(at(corner));
    if (doubled_area < 0) std::reverse(points_.begin(), points_.end());
    list_.AddConvexPolyFilled(points_.data(), static_cast<int>(points_.size()), packed(color));
}

void DrawListCanvas::band(std::span<const plot::Point> upper, std::span<const plot::Point> lower,
                          plot::Color color) {
    expects(upper.size() == lower.size(), "band: as many points above as below");
    // The smoothed edges of adjacent pieces would be visible as seams.
    const ImDrawListFlags flags = std::exchange(list_.Flags, list_.Flags & ~ImDrawListFlags_AntiAliasedFill);
    for (std::size_t i = 0; i + 1 < upper.size(); ++i)
        list_.AddQuadFilled(at(upper[i]), at(upper[i + 1]), at(lower[i + 1]), at(lower[i]), packed(color));
    list_.Flags = flags;
}

void DrawListCanvas::fill_circle(plot::Point center, float radius_px, plot::Color color) {
    list_.AddCircleFilled(at(center), radius_px, packed(color));
}

void DrawListCanvas::stroke_circle(plot::Point center, float radius_px, const plot::Stroke& stroke) {
    list_.AddCircle(at(center), radius_px, packed(stroke.color), 0, stroke.width_px);
}

void DrawListCanvas::dots(std::span<const plot::Point> centers, float radius_px, plot::Color color) {
    if (radius_px <= 1.5f) {
        // A square with the disc's area has a half side of sqrt(pi) / 2 times the radius.
        const float half = radius_px * 0.886f;
        for (const plot::Point center : centers)
            list_.AddRectFilled(at({center.x - half, center.y - half}),
                                at({center.x + half, center.y + half}), packed(color));
        return;
    }
    for (const plot::Point center : centers)
        list_.AddCircleFilled(at(center), radius_px, packed(color), radius_px < 4 ? 10 : 0);
}

void DrawListCanvas::text(plot::Point anchor, std::string_view text, const plot::TextStyle& style,
                          plot::Color color, const plot::TextPlace& place) {
    const Face chosen = face(style);
    const char* const end = text.data() + text.size();
    const ImVec2 size = compat::text_size(*chosen.font, chosen.size_px, text.data(), end);
    const float back = place.x == plot::AlignX::Left     ? 0
                       : place.x == plot::AlignX::Center ? size.x / 2
                                                         : size.x;
    const float up = place.y == plot::AlignY::Top      ? 0
                     : place.y == plot::AlignY::Middle ? chosen.size_px / 2
                                                       : chosen.size_px;
    const ImVec2 pivot = at(anchor);
    if (!place.upright) {
        list_.AddText(chosen.font, chosen.size_px, {std::round(pivot.x - back), std::round(pivot.y - up)},
                      packed(color), text.data(), end);
        return;
    }
    // Add the text horizontally, then rotate its vertices. The clip rectangle applies to the rotated text,
    // but ImGui would use it to skip glyphs of the horizontal one, so it is disabled meanwhile.
    const ImVec2 whole = {std::round(pivot.x), std::round(pivot.y)};
    const int first = list_.VtxBuffer.Size;
    const ImVec4 clip = list_._CmdHeader.ClipRect;
    list_._CmdHeader.ClipRect = {-1e6f, -1e6f, 1e6f, 1e6f};
    list_.AddText(chosen.font, chosen.size_px, {whole.x - std::round(back), whole.y - std::round(up)},
                  packed(color), text.data(), end);
    list_._CmdHeader.ClipRect = clip;
    for (int i = first; i < list_.VtxBuffer.Size; ++i) {
        ImVec2& corner = list_.VtxBuffer[i].pos;
        corner = {whole.x + (corner.y - whole.y), whole.y - (corner.x - whole.x)};
    }
}

void DrawListCanvas::image(const plot::Image& image, const plot::Rect& to) {
    if (image.columns <= 0 || image.rows <= 0) return;
    const TextureOf& texture_of = look().texture_of;
    if (!texture_of) {
        list_.AddRect(at({to.left(), to.top()}), at({to.right(), to.bottom()}), colors().border.u32());
        return;
    }
    list_.AddImage(texture_of(image), at({to.left(), to.top()}), at({to.right(), to.bottom()}));
}

void DrawListCanvas::push_clip(const plot::Rect& rect) {
    list_.PushClipRect(at({rect.left(), rect.top()}), at({rect.right(), rect.bottom()}), true);
}

}  // namespace kwb::gui
