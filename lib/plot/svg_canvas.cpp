// SPDX-License-Identifier: Apache-2.0
#include "plot/svg_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "base/text.hpp"
#include "plot/png.hpp"

namespace kwb::plot {
namespace {

/// Common font names, so that each system uses one of its good fonts; no font is embedded.
constexpr std::string_view kFonts =
    "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Rounded to hundredths of a pixel, finer than any screen shows: "12.3", "-0.05", "7".
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

struct Attribute {
    std::string_view name;
    float px;
};

void append(std::string& out, std::initializer_list<Attribute> attributes) {
    for (const auto& [name, px] : attributes) {
        out += ' ';
        out += name;
        out += "=\"";
        append_px(out, px);
        out += '"';
    }
}

/// fill="#112233" fill-opacity="0.5"
void append_color(std::string& out, std::string_view name, Color color) {
    fmt::format_to(std::back_inserter(out), " {}=\"#{:02x}{:02x}{:02x}\"", name, color.r, color.g, color.b);
    if (color.a < 255)
        fmt::format_to(std::back_inserter(out), " {}-opacity=\"{:.3g}\"", name, color.a / 255.0);
}

void append_stroke(std::string& out, const Stroke& stroke) {
    append_color(out, "stroke", stroke.color);
    append(out, {{"stroke-width", stroke.width_px}});
}

void append_rect(std::string& out, const Rect& rect, float corner_px = 0) {
    append(out, {{"x", rect.x},
                 {"y", rect.y},
                 {"width", std::max(0.0f, rect.width)},
                 {"height", std::max(0.0f, rect.height)}});
    if (corner_px > 0) append(out, {{"rx", corner_px}});
}

void append_circle(std::string& out, Point center, float radius_px) {
    out += "<circle";
    append(out, {{"cx", center.x}, {"cy", center.y}, {"r", radius_px}});
}

void append_point(std::string& out, Point p) {
    append_px(out, p.x);
    out += ' ';
    append_px(out, p.y);
}

// Average glyph widths, measured with the fonts named in svg_canvas.hpp.

/// Hundredths of an em for ' ' … '~'.
constexpr std::array<std::uint8_t, 95> kAscii = {
    30, 34, 43, 73, 64, 88, 71, 25, 38, 38, 50, 75, 30, 46, 30, 36,  //  !"#$%&'()*+,-./
    63, 55, 62, 64, 64, 62, 63, 60, 63, 63, 31, 31, 75, 75, 75, 52,  // 0123456789:;<=>?
    97, 68, 67, 73, 74, 61, 59, 76, 75, 28, 54, 65, 56, 89, 75, 77,  // @ABCDEFGHIJKLMNO
    63, 77, 67, 64, 64, 74, 68, 97, 66, 66, 66, 38, 36, 38, 65, 48,  // PQRSTUVWXYZ[\]^_
    50, 59, 63, 56, 63, 60, 36, 62, 61, 26, 26, 56, 26, 92, 61, 60,  // `abcdefghijklmno
    62, 62, 39, 52, 38, 61, 57, 82, 57, 57, 54, 50, 33, 50, 75,      // pqrstuvwxyz{|}~
};

constexpr float kBoldRatio = 1.076f;

int width_beyond_ascii(std::uint32_t code) {
    if (code < 0x20 || (code >= 0x300 && code < 0x370) || code == 0x200B)
        return 0;  // control characters, combining marks
    if (code == 0xB7) return 32;
    if (code == 0xB2 || code == 0xB3 || code == 0xB9 || (code >= 0x2070 && code <= 0x209C)) return 45;
    if (code == 0xD7 || code == 0xB1 || (code >= 0x2200 && code < 0x2300)) return code == 0x221E ? 93 : 75;
    if (code == 0x2013) return 50;
    if (code == 0x2014 || code == 0x2026) return 95;
    if (code < 0x250) return 64;  // Latin with diacritics
    if (code < 0x1100) return 72;
    if (code >= 0x2000 && code < 0x2E80) return 75;
    return 100;  // East Asian characters and emoji
}

/// Escapes text for XML 1.0: no markup, no control characters, valid UTF-8.
std::string escaped(std::string_view text) {
    std::string result = to_utf8(text);
    const auto replace_all = [&](std::string_view from, std::string_view to) {
        for (std::size_t at = 0; (at = result.find(from, at)) != std::string::npos; at += to.size())
            result.replace(at, from.size(), to);
    };
    std::ranges::replace_if(
        result, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, ' ');
    replace_all("&", "&amp;");
    replace_all("<", "&lt;");
    replace_all(">", "&gt;");
    replace_all("\"", "&quot;");
    // XML does not allow U+FFFE and U+FFFF.
    for (const std::string_view forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
        replace_all(forbidden, "\xEF\xBF\xBD");
    return result;
}

bool is_finite(Point p) {
    return std::isfinite(p.x) && std::isfinite(p.y);
}

bool is_finite(const Rect& r) {
    return is_finite(Point{r.x, r.y}) && is_finite(Point{r.width, r.height});
}

bool all_finite(std::span<const Point> points) {
    return std::ranges::all_of(points, [](Point p) { return is_finite(p); });
}

void append_path(std::string& out, std::span<const Point> points) {
    out += " d=\"M";
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i > 0) out += i == 1 ? 'L' : ' ';
        append_point(out, points[i]);
    }
}

}  // namespace

SvgCanvas::SvgCanvas(Size size, std::string_view title) {
    const float width = std::max(1.0f, size.width);
    const float height = std::max(1.0f, size.height);
    body_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
    append(body_, {{"width", width}, {"height", height}});
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
    append(body_, {{"x1", from.x}, {"y1", from.y}, {"x2", to.x}, {"y2", to.y}});
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
    append_rect(body_, rect, corner_px);
    append_color(body_, "fill", color);
    body_ += "/>\n";
}

void SvgCanvas::stroke_rect(const Rect& rect, const Stroke& stroke, float corner_px) {
    if (!is_finite(rect)) return;
    body_ += "<rect";
    append_rect(body_, rect, corner_px);
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
    append_circle(body_, center, radius_px);
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
        append_circle(body_, center, radius_px);
        body_ += "/>";
    }
    body_ += "</g>\n";
}

void SvgCanvas::text(Point anchor, std::string_view text, const TextStyle& style, Color color,
                     const TextPlace& place) {
    if (!is_finite(anchor) || text.empty()) return;
    // Compute the baseline here: few viewers support dominant-baseline.
    const float height_px = style.size_px * kLineHeight;
    const float top_px = place.y == AlignY::Top ? 0 : place.y == AlignY::Middle ? -height_px / 2 : -height_px;
    const float baseline_px = top_px + style.size_px * kAscent;
    body_ += "<text";
    if (place.upright) {
        body_ += " transform=\"translate(";
        append_point(body_, {anchor.x + baseline_px, anchor.y});
        body_ += ") rotate(-90)\"";
    } else {
        append(body_, {{"x", anchor.x}, {"y", anchor.y + baseline_px}});
    }
    append(body_, {{"font-size", style.size_px}});
    if (style.bold) body_ += " font-weight=\"bold\"";
    if (place.x == AlignX::Center) body_ += " text-anchor=\"middle\"";
    if (place.x == AlignX::Right) body_ += " text-anchor=\"end\"";
    append_color(body_, "fill", color);
    body_ += ">" + escaped(text) + "</text>\n";
}

void SvgCanvas::image(const Image& image, const Rect& to) {
    if (!is_finite(to) || image.columns < 1 || image.rows < 1) return;
    // Viewers smooth enlarged images (few support image-rendering). Embed the image at about screen
    // resolution, enlarged by an integer factor, with a limit on its size.
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
    // A nested svg element clips its content and needs no id, which could clash with other pictures in the
    // page.
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

float average_text_width_em(std::string_view text, bool bold) {
    int hundredths = 0;
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= ' ' && byte < 0x7F) {
            hundredths += kAscii[byte - ' '];
            continue;
        }
        if (byte < 0x80) continue;
        // Decode one code point; invalid UTF-8 only makes the width slightly wrong.
        const bool first = (byte & 0xC0) == 0xC0;
        code = first ? byte & (byte >= 0xF0   ? 0x07u
                               : byte >= 0xE0 ? 0x0Fu
                                              : 0x1Fu)
                     : code << 6 | (byte & 0x3Fu);
        const bool ends = i + 1 == text.size() || (static_cast<unsigned char>(text[i + 1]) & 0xC0) != 0x80;
        if (ends) hundredths += width_beyond_ascii(code);
    }
    return static_cast<float>(hundredths) / 100 * (bold ? kBoldRatio : 1);
}

}  // namespace kwb::plot
