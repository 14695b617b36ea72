// SPDX-License-Identifier: Apache-2.0
#include "plot/count_map.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plot/svg_canvas.hpp"

namespace kwb::plot {
namespace {

constexpr double kLeastShare = 0.22;  ///< of the colour of the largest count, for a count of 1
constexpr float kLeastSide = 12;      ///< in pixels: of a map's shorter side

}  // namespace

Color count_color(std::uint32_t count, std::uint32_t most, std::size_t color_slot, const Theme& theme) {
    if (count == 0) return theme.grid;
    const double share = most > 1 ? std::log2(std::min(count, most)) / std::log2(most) : 1;
    return mixed(theme.grid, theme.series_color(color_slot), kLeastShare + (1 - kLeastShare) * share);
}

Image count_picture(const CountMap& map, const Theme& theme) {
    const std::string_view bytes(reinterpret_cast<const char*>(map.counts.data()),
                                 map.counts.size() * sizeof map.counts.front());
    std::uint64_t key = std::hash<std::string_view>{}(bytes);
    for (const std::uint64_t part : {std::uint64_t{map.columns}, std::uint64_t{map.most},
                                     std::uint64_t{map.color_slot}, std::uint64_t{theme.dark}})
        key = key * 0x9E3779B97F4A7C15u + part;
    return {key, static_cast<int>(map.columns), static_cast<int>(map.rows), [&map, &theme] {
                std::vector<Color> colors(map.counts.size());
                std::ranges::transform(map.counts, colors.begin(), [&](std::uint32_t count) {
                    return count_color(count, map.most, map.color_slot, theme);
                });
                return colors;
            }};
}

Size count_map_size(std::size_t rows, std::size_t columns, Size room) {
    const auto tall = static_cast<float>(std::max<std::size_t>(rows, 1));
    const auto wide = static_cast<float>(std::max<std::size_t>(columns, 1));
    const float cell = std::min(room.width / wide, room.height / tall);
    return {std::min(room.width, std::max(kLeastSide, cell * wide)),
            std::min(room.height, std::max(kLeastSide, cell * tall))};
}

Rect cell_rect(const Rect& area, std::size_t rows, std::size_t columns, std::size_t cell) {
    const float width = area.width / static_cast<float>(columns);
    const float height = area.height / static_cast<float>(rows);
    return {area.x + static_cast<float>(cell % columns) * width,
            area.y + static_cast<float>(cell / columns) * height, width, height};
}

std::optional<std::size_t> cell_at(const Rect& area, std::size_t rows, std::size_t columns, Point at) {
    if (!area.contains(at) || rows == 0 || columns == 0) return std::nullopt;
    const auto index = [](float distance, float length, std::size_t count) {
        const auto cell = static_cast<std::size_t>(distance / length * static_cast<float>(count));
        return std::min(cell, count - 1);
    };
    return index(at.y - area.y, area.height, rows) * columns + index(at.x - area.x, area.width, columns);
}

std::string count_map_svg(const CountMap& map, std::string_view title, float side_px, bool dark) {
    constexpr float kMargin = 8, kText = 12, kSteps = 24;
    const Theme& theme = dark ? dark_theme() : light_theme();
    const float line = kText * kLineHeight, gap = 6;
    const Size size = count_map_size(map.rows, map.columns, {side_px, side_px});
    const float height = 2 * kMargin + 2 * line + size.height + 2 * gap;
    SvgCanvas canvas({side_px + 2 * kMargin, height}, title);
    canvas.text({kMargin, kMargin}, shortened(canvas, title, {kText, true}, side_px), {kText, true},
                theme.text, {});
    const Rect area{kMargin, kMargin + line + gap, size.width, size.height};
    canvas.image(count_picture(map, theme), area);
    canvas.stroke_rect(area, {theme.axis, 1});
    // The scale: 0, then 1 to the largest count.
    const float top = area.bottom() + gap + (line - kText) / 2;
    const auto cell = [&](float x, float width, std::uint32_t count) {
        canvas.fill_rect({x, top, width, kText}, count_color(count, map.most, map.color_slot, theme));
    };
    const auto label = [&](float x, std::string_view words) {
        canvas.text({x, top + kText / 2}, words, {kText}, theme.muted, {AlignX::Left, AlignY::Middle});
        return x + canvas.text_width(words, {kText}) + gap;
    };
    float x = label(kMargin, "0");
    cell(x, kText, 0);
    x = label(x + kText + 2 * gap, "1");
    for (float step = 0; step < kSteps; ++step, x += 3)
        cell(x, 3,
             static_cast<std::uint32_t>(
                 std::lround(std::pow(static_cast<double>(std::max(map.most, 1u)), step / (kSteps - 1)))));
    label(x + gap, std::to_string(map.most));
    return canvas.finish();
}

}  // namespace kwb::plot
