// SPDX-License-Identifier: Apache-2.0
#include "plot/palette.hpp"

#include <algorithm>
#include <cmath>

namespace kwb::plot {
namespace {

/// Interpolates between equally spaced colours.
Color between(std::span<const Color> anchors, double share) {
    const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(anchors.size() - 1);
    const auto index = std::min(static_cast<std::size_t>(at), anchors.size() - 2);
    return mixed(anchors[index], anchors[index + 1], at - static_cast<double>(index));
}

/// Within the bound: dark blue to light blue. Beyond it: orange to dark red.
constexpr std::array<Color, 4> kFine = {rgb(0x0B2A45), rgb(0x155A85), rgb(0x3F92BD), rgb(0x9CCFE6)};
constexpr std::array<Color, 4> kWrong = {rgb(0xFFB000), rgb(0xF4741E), rgb(0xD62B2B), rgb(0x7E0A2B)};

}  // namespace

// Series colours: Okabe and Ito's eight, moved as little as possible until each has a contrast of 3:1 with
// the backgrounds and every two differ by 13 in CIELAB (1976), both in normal vision and in the three
// dichromacies (Machado, Oliveira and Fernandes, 2009). A test checks these limits.

const Theme& dark_theme() {
    static const Theme theme = {
        .dark = true,
        .background = rgb(0x111419),
        .panel = rgb(0x181B21),
        .text = rgb(0xE6E9EF),
        .muted = rgb(0x9BA3B0),
        .grid = rgb(0x2A2F38),
        .axis = rgb(0x59616E),
        .accent = rgb(0x5AA2FF),
        .good = rgb(0x3CC48A),
        .bad = rgb(0xFF6B76),
        .undefined = rgb(0xDD6EC0),
        .warning = rgb(0xF2B544),
        .series = {rgb(0x2480D0), rgb(0xE59612), rgb(0x019D72), rgb(0xB3609C), rgb(0x64AFD9), rgb(0xE95E37),
                   rgb(0xECE057), rgb(0xAEB4C0)},
    };
    return theme;
}

const Theme& light_theme() {
    static const Theme theme = {
        .dark = false,
        .background = rgb(0xF0F2F6),
        .panel = rgb(0xFFFFFF),
        .text = rgb(0x1B1F27),
        .muted = rgb(0x5D6673),
        .grid = rgb(0xE4E7EC),
        .axis = rgb(0x9BA3AF),
        .accent = rgb(0x165CCF),
        .good = rgb(0x0C7446),
        .bad = rgb(0xC0253A),
        .undefined = rgb(0x6B1F8A),
        .warning = rgb(0x855600),
        .series = {rgb(0x0A6CBB), rgb(0xC67902), rgb(0x058560), rgb(0x913178), rgb(0x0091D0), rgb(0xDE5037),
                   rgb(0x766400), rgb(0x535152)},
    };
    return theme;
}

std::span<const float> plain_dashes() {
    static constexpr std::array<float, 2> kPattern = {4, 2.5f};
    return kPattern;
}

std::span<const float> series_dashes(std::size_t slot) {
    static constexpr std::array<float, 4> kDashDot = {6, 2.5f, 1.5f, 2.5f};
    const std::size_t round = slot / kSeriesColors;
    if (round == 0 || slot == kNeutralSlot) return {};
    return round % 2 == 1 ? std::span<const float>(kDashDot) : plain_dashes();
}

Color ErrorColors::at(double value) const {
    if (std::isnan(value)) return kNanColor;
    if (std::isinf(value)) return kInfinityColor;
    const auto share = [&](double low, double high) {
        return value <= low ? 0 : std::log2(value / low) / std::log2(high / low);
    };
    // Each side of the bound has its own colours, so that the step at 1 is always equally visible.
    return value <= 1 ? between(kFine, share(range.low, 1)) : between(kWrong, share(1, range.high));
}

ErrorColors error_colors(double low, double high) {
    if (!(low <= high)) low = 0, high = 1;
    return {{std::clamp(low, 1e-12, 0.1), std::clamp(high, 10.0, 1e12)}};
}

}  // namespace kwb::plot
