#include "plot/color_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace kwb::plot {
namespace {

/// A colour on the way through equally spaced anchors.
Color between(std::span<const Color> anchors, double share) {
    const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(anchors.size() - 1);
    const auto index = std::min(static_cast<std::size_t>(at), anchors.size() - 2);
    return mixed(anchors[index], anchors[index + 1], at - static_cast<double>(index));
}

/// Fine: from near the ground's dark to a calm blue. Wrong: from a strong orange to a deep red.
constexpr std::array<Color, 4> kFine = {rgb(0x0B2A45), rgb(0x155A85), rgb(0x3F92BD), rgb(0x9CCFE6)};
constexpr std::array<Color, 4> kWrong = {rgb(0xFFB000), rgb(0xF4741E), rgb(0xD62B2B), rgb(0x7E0A2B)};

/// Where a value lies on the scale, 0 at `low`, 1 at `high`.
double share_of(ScaleKind scale, double value, double low, double high) {
    if (!is_log(scale)) return (value - low) / (high - low);
    if (value <= low) return 0;
    return std::log2(value / low) / std::log2(high / low);
}

}  // namespace

Color ordered_color(double share) {
    // Hue from blue-violet over teal and green to yellow; lightness L* 15, 26.7 … 91 (see the test).
    static constexpr std::array<Color, 9> kAnchors = {rgb(0x26195E), rgb(0x2A3181), rgb(0x114E9D),
                                                      rgb(0x026DA3), rgb(0x068BA3), rgb(0x22A99A),
                                                      rgb(0x67C383), rgb(0xADD963), rgb(0xF1EB4D)};
    return between(kAnchors, share);
}

Color ColorMap::at(double value) const {
    if (std::isnan(value)) return kNanColor;
    if (std::isinf(value)) return kInfinityColor;
    if (kind == ColorMapKind::Ordered) return ordered_color(share_of(scale, value, range.low, range.high));
    // Each side of the bound has its own half of colours, so that the step at 1 is always the same.
    if (value <= 1) return between(kFine, share_of(scale, value, range.low, 1));
    return between(kWrong, share_of(scale, value, 1, range.high));
}

ColorMap make_color_map(ColorMapKind kind, ScaleKind scale, double low, double high) {
    constexpr double kTiny = 1e-300;
    ColorMap map{kind, is_log(scale) ? ScaleKind::Log10 : ScaleKind::Linear, {}};
    if (!(low <= high)) low = 0, high = 1;
    low = std::clamp(low, -1e300, 1e300);
    high = std::clamp(high, -1e300, 1e300);
    if (kind == ColorMapKind::Error) {
        // Room on both sides of the bound, even where all is fine or all is wrong.
        if (is_log(map.scale))
            map.range = {std::clamp(low, 1e-12, 0.1), std::clamp(high, 10.0, 1e12)};
        else
            map.range = {std::min(low, 0.0), std::max(high, 2.0)};
        return map;
    }
    if (is_log(map.scale)) {
        low = std::max(low, kTiny);
        high = std::max(high, low);
        if (high < low * 1.0001) low /= 10, high *= 10;
        map.range = {low, high};
        return map;
    }
    if (high - low <= std::max(std::abs(low), std::abs(high)) * 1e-12) {
        const double air = high == 0 ? 1 : std::abs(high) * 0.1;
        low -= air;
        high += air;
    }
    map.range = {low, high};
    return map;
}

}  // namespace kwb::plot
