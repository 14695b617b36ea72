#include "plot/svg_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/text.hpp"
#include "plot/png.hpp"

namespace kwb::plot {
namespace {

/// Generic, so that each system takes a good font of its own; no font is embedded.
constexpr std::string_view kFonts =
    "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Hundredths of a pixel are finer than any screen shows. "12.3", "-0.05", "7"
void append_px(std::string& out, float px) {
    const long hundredths = std::lround(std::clamp(px, -1e7f, 1e7f) * 100);
    const auto size = static_cast<unsigned long>(std::labs(hundredths));
    if (hundredths < 0) out += '-';
    fmt::format_to(std::back_inserter(out), "{}", size / 100);
    if (size % 100 == 0) return;
    out += '.';
    out += static_cast<char>('0' + size / 10 % 10);
    if (size % 10 != 0) out += static_cast<char>('0' + size % 10);
}

void append_attribute(std::string& out, std::string_view name, float px) {
    out += ' ';
    out += name;
    out += "=\"";
    append_px(out, px);
    out += '"';
}

/// fill="#112233" fill-opacity="0.5"
void append_color(std::string& out, std::string_view name, Color color) {
    fmt::format_to(std::back_inserter(out), " {}=\"#{:02x}{:02x}{:02x}\"", name, color.r, color.g, color.b);
    if (color.a < 255)
        fmt::format_to(std::back_inserter(out), " {}-opacity=\"{:.3g}\"", name, color.a / 255.0);
}

void append_stroke(std::string& out, const Stroke& stroke) {
    append_color(out, "stroke", stroke.color);
    append_attribute(out, "stroke-width", stroke.width_px);
}

void append_rect(std::string& out, const Rect& rect) {
    append_attribute(out, "x", rect.x);
    append_attribute(out, "y", rect.y);
    append_attribute(out, "width", std::max(0.0f, rect.width));
    append_attribute(out, "height", std::max(0.0f, rect.height));
}

void append_point(std::string& out, Point p) {
    append_px(out, p.x);
    out += ' ';
    append_px(out, p.y);
}

/// Text for XML 1.0: no markup, no control characters, valid UTF-8.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : to_utf8(text)) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else if (static_cast<unsigned char>(c) < ' ' || c == 0x7F)
            result += ' ';
        else
            result += c;
    }
    // U+FFFE and U+FFFF are no XML characters.
    for (const std::string_view forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
        for (std::size_t at; (at = result.find(forbidden)) != std::string::npos;)
            result.replace(at, forbidden.size(), "\xEF\xBF\xBD");
    return result;
}

bool is_finite(Point p) {
    return std::isfinite(p.x) && std::isfinite(p.y);
}

bool is_finite(const Rect& r) {
    return std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.width) && std::isfinite(r.height);
}

bool all_finite(std::span<const Point> points) {
    return std::ranges::all_of(points, [](Point p) { return is_finite(p); });
}

void append_path(std::string& out, std::span<const Point> points) {
    out += " d=\"M";
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i == 1)
            out += 'L';
        else if (i > 1)
            out += ' ';
        append_point(out, points[i]);
    }
}

}  // namespace

SvgCanvas::SvgCanvas(Size size, std::string_view title) {
    const float width = std::max(1.0f, size.width);
    const float height = std::max(1.0f, size.height);
    body_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
    append_attribute(body_, "width", width);
    append_attribute(body_, "height", height);
    body_ += " viewBox=\"0 0 ";
    append_point(body_, {width, height});
    fmt::format_to(std::back_inserter(body_), "\" role=\"img\" font-family=\"{}\"", kFonts);
    if (!title.empty()) body_ += " aria-label=\"" + escaped(title) + "\"";
    body_ += ">\n";
    if (!title.empty()) body_ += "<title>" + escaped(title) + "</title>\n";
}

std::string SvgCanvas::finish() const {
    std::string picture = body_;
    for (int i = 0; i < open_clips_; ++i) picture += "</svg>\n";
    return picture + "</svg>\n";
}

float SvgCanvas::text_width(std::string_view text, const TextStyle& style) const {
    return average_text_width_em(text, style.bold) * style.size_px;
}

void SvgCanvas::line(Point from, Point to, const Stroke& stroke) {
    if (!is_finite(from) || !is_finite(to)) return;
    body_ += "<line";
    append_attribute(body_, "x1", from.x);
    append_attribute(body_, "y1", from.y);
    append_attribute(body_, "x2", to.x);
    append_attribute(body_, "y2", to.y);
    append_stroke(body_, stroke);
    body_ += "/>\n";
}

void SvgCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
    if (points.size() < 2 || !all_finite(points)) return;
    body_ += "<path";
    append_path(body_, points);
    body_ += "\" fill=\"none\" stroke-linejoin=\"round\"";
    append_stroke(body_, stroke);
    body_ += "/>\n";
}

void SvgCanvas::fill_rect(const Rect& rect, Color color, float corner_px) {
    if (!is_finite(rect)) return;
    body_ += "<rect";
    append_rect(body_, rect);
    if (corner_px > 0) append_attribute(body_, "rx", corner_px);
    append_color(body_, "fill", color);
    body_ += "/>\n";
}

void SvgCanvas::stroke_rect(const Rect& rect, const Stroke& stroke, float corner_px) {
    if (!is_finite(rect)) return;
    body_ += "<rect";
    append_rect(body_, rect);
    if (corner_px > 0) append_attribute(body_, "rx", corner_px);
    body_ += " fill=\"none\"";
    append_stroke(body_, stroke);
    body_ += "/>\n";
}

void SvgCanvas::fill_polygon(std::span<const Point> corners, Color color) {
    if (corners.size() < 3 || !all_finite(corners)) return;
    body_ += "<path";
    append_path(body_, corners);
    body_ += "Z\"";
    append_color(body_, "fill", color);
    body_ += "/>\n";
}

void SvgCanvas::band(std::span<const Point> upper, std::span<const Point> lower, Color color) {
    if (upper.size() < 2 || upper.size() != lower.size()) return;
    std::vector<Point> outline(upper.begin(), upper.end());
    outline.insert(outline.end(), lower.rbegin(), lower.rend());
    fill_polygon(outline, color);
}

void SvgCanvas::fill_circle(Point center, float radius_px, Color color) {
    dots({&center, 1}, radius_px, color);
}

void SvgCanvas::stroke_circle(Point center, float radius_px, const Stroke& stroke) {
    if (!is_finite(center)) return;
    body_ += "<circle";
    append_attribute(body_, "cx", center.x);
    append_attribute(body_, "cy", center.y);
    append_attribute(body_, "r", radius_px);
    body_ += " fill=\"none\"";
    append_stroke(body_, stroke);
    body_ += "/>\n";
}

void SvgCanvas::dots(std::span<const Point> centers, float radius_px, Color color) {
    if (centers.empty()) return;
    body_ += "<g";
    append_color(body_, "fill", color);
    body_ += ">";
    for (const Point& center : centers) {
        if (!is_finite(center)) continue;
        body_ += "<circle";
        append_attribute(body_, "cx", center.x);
        append_attribute(body_, "cy", center.y);
        append_attribute(body_, "r", radius_px);
        body_ += "/>";
    }
    body_ += "</g>\n";
}

void SvgCanvas::text(Point anchor, std::string_view text, const TextStyle& style, Color color,
                     const TextPlace& place) {
    if (!is_finite(anchor) || text.empty()) return;
    // The baseline by hand: few viewers know dominant-baseline.
    const float height_px = style.size_px * kLineHeight;
    const float top_px = place.y == AlignY::Top ? 0 : place.y == AlignY::Middle ? -height_px / 2 : -height_px;
    const float baseline_px = top_px + style.size_px * kAscent;
    body_ += "<text";
    if (place.upright) {
        body_ += " transform=\"translate(";
        append_point(body_, {anchor.x + baseline_px, anchor.y});
        body_ += ") rotate(-90)\"";
    } else {
        append_attribute(body_, "x", anchor.x);
        append_attribute(body_, "y", anchor.y + baseline_px);
    }
    append_attribute(body_, "font-size", style.size_px);
    if (style.bold) body_ += " font-weight=\"bold\"";
    if (place.x == AlignX::Center) body_ += " text-anchor=\"middle\"";
    if (place.x == AlignX::Right) body_ += " text-anchor=\"end\"";
    append_color(body_, "fill", color);
    body_ += ">" + escaped(text) + "</text>\n";
}

void SvgCanvas::image(const Image& image, const Rect& to) {
    if (!is_finite(to) || image.columns < 1 || image.rows < 1) return;
    // Viewers smooth what they enlarge (few know image-rendering): give them the pixels of the screen, in
    // whole multiples, but no more than a page can bear.
    const float wanted =
        std::max(to.width / static_cast<float>(image.columns), to.height / static_cast<float>(image.rows));
    const int most = std::max(1, 1024 / std::max(image.columns, image.rows));
    const int factor =
        std::clamp(static_cast<int>(std::ceil(std::min(wanted, 1e4f))), std::min(2, most), most);
    const std::vector<Color> pixels = enlarged(image.pixels(), image.columns, image.rows, factor);
    body_ += "<image";
    append_rect(body_, to);
    body_ +=
        " preserveAspectRatio=\"none\" image-rendering=\"pixelated\" xlink:href=\"data:image/png;base64,";
    body_ += base64(encode_png(pixels, image.columns * factor, image.rows * factor));
    body_ += "\"/>\n";
}

void SvgCanvas::push_clip(const Rect& rect) {
    // A nested picture cuts what lies outside and needs no id, which would clash on a page of many.
    Rect area = is_finite(rect) ? rect : Rect{};
    area.width = std::max(area.width, 0.01f);
    area.height = std::max(area.height, 0.01f);
    body_ += "<svg overflow=\"hidden\"";
    append_rect(body_, area);
    body_ += " viewBox=\"";
    append_point(body_, {area.x, area.y});
    body_ += ' ';
    append_point(body_, {area.width, area.height});
    body_ += "\">\n";
    ++open_clips_;
}

void SvgCanvas::pop_clip() {
    if (open_clips_ == 0) return;
    body_ += "</svg>\n";
    --open_clips_;
}

}  // namespace kwb::plot
