#include "plot/palette.hpp"

#include <cmath>

namespace kwb::plot {
namespace {

double luminance(Color color) {
    const auto linear = [](std::uint8_t channel) {
        const double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

}  // namespace

// The series' colours began as Okabe and Ito's eight and were moved as little as possible until each has a
// contrast of 3:1 with the grounds, and every two differ by 13 in CIELAB (1976) under normal vision and the
// three dichromacies (Machado, Oliveira and Fernandes, 2009). The test holds them to it.

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
        .accent = rgb(0x1863DC),
        .good = rgb(0x117A4C),
        .bad = rgb(0xC3283A),
        .warning = rgb(0x8A5A00),
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

double contrast(Color a, Color b) {
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

}  // namespace kwb::plot
