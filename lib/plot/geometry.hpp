// SPDX-License-Identifier: Apache-2.0
// Points, rectangles and colours of a picture.
#pragma once

#include <algorithm>
#include <cstdint>

namespace kwb::plot {

/// A position in pixels: x to the right, y down, from the picture's upper left corner.
struct Point {
    float x = 0;
    float y = 0;

    friend bool operator==(const Point&, const Point&) = default;
};

struct Size {
    float width = 0;
    float height = 0;

    friend bool operator==(const Size&, const Size&) = default;
};

/// An axis-aligned rectangle in pixels; rectangles made by this library never have a negative size.
struct Rect {
    float x = 0;
    float y = 0;
    float width = 0;
    float height = 0;

    float left() const { return x; }
    float top() const { return y; }
    float right() const { return x + width; }
    float bottom() const { return y + height; }
    Point center() const { return {x + width / 2, y + height / 2}; }

    bool contains(Point p) const { return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom(); }

    /// Whether the two share more than an edge.
    bool overlaps(const Rect& other) const {
        return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }

    /// Whether `other` lies inside, with a tolerance of `slack_px`.
    bool holds(const Rect& other, float slack_px = 0) const {
        return other.x >= x - slack_px && other.right() <= right() + slack_px && other.y >= y - slack_px &&
               other.bottom() <= bottom() + slack_px;
    }

    /// Grown by `by_px` on all sides (shrunk if negative, but the size never becomes negative).
    Rect grown(float by_px) const {
        return {x - by_px, y - by_px, std::max(0.0f, width + 2 * by_px), std::max(0.0f, height + 2 * by_px)};
    }

    friend bool operator==(const Rect&, const Rect&) = default;
};

/// The rectangle with these two opposite corners, in any order.
inline Rect rect_between(Point a, Point b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x) - std::min(a.x, b.x),
            std::max(a.y, b.y) - std::min(a.y, b.y)};
}

/// sRGB with 8 bits per channel; alpha is not premultiplied, 255 is opaque.
struct Color {
    std::uint8_t r = 0;
    std::uint8_t g = 0;
    std::uint8_t b = 0;
    std::uint8_t a = 255;

    friend bool operator==(const Color&, const Color&) = default;
};

/// 0xRRGGBB, opaque.
constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16 & 255), static_cast<std::uint8_t>(hex >> 8 & 255),
            static_cast<std::uint8_t>(hex & 255), 255};
}

/// The colour with its alpha multiplied by `opacity`, in [0, 1].
constexpr Color faded(Color color, double opacity) {
    color.a = static_cast<std::uint8_t>(color.a * opacity + 0.5);
    return color;
}

/// Linear interpolation per channel: `a` at share 0, `b` at share 1.
constexpr Color mixed(Color a, Color b, double share) {
    const auto mix = [share](std::uint8_t from, std::uint8_t to) {
        return static_cast<std::uint8_t>(from + (to - from) * share + 0.5);
    };
    return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), mix(a.a, b.a)};
}

}  // namespace kwb::plot
