// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/value_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/count_map.hpp"

namespace kwb::gui {
namespace {

constexpr std::uint32_t kShades = 100;
constexpr std::size_t kColorSlot = 0;

/// From the smallest number to the largest one.
class Shading {
public:
    explicit Shading(std::span<const ValueCell> cells) {
        for (const ValueCell& cell : cells) {
            if (!cell.number || !std::isfinite(*cell.number)) continue;
            least_ = std::min(least_, *cell.number);
            most_ = std::max(most_, *cell.number);
        }
    }

    plot::Color of(double number) const {
        double share = most_ > least_ ? (number - least_) / (most_ - least_) : 0.5;
        if (!std::isfinite(share)) share = number > 0 ? 1 : 0;
        // The scale of counts is logarithmic.
        const auto count =
            static_cast<std::uint32_t>(std::lround(std::pow(kShades, std::clamp(share, 0.0, 1.0))));
        return plot::count_color(count, kShades, kColorSlot, chart_theme());
    }

private:
    double least_ = std::numeric_limits<double>::infinity();
    double most_ = -std::numeric_limits<double>::infinity();
};

/// Black or white, whichever contrasts more (WCAG 2.1: relative luminance).
ImU32 text_on(plot::Color color) {
    const auto linear = [](std::uint8_t channel) { return std::pow(channel / 255.0, 2.2); };
    const double luminance = 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
    return luminance > 0.18 ? IM_COL32(0, 0, 0, 255) : IM_COL32(255, 255, 255, 255);
}

}  // namespace

UsedCells draw_value_grid(std::string_view id, std::span<const ValueCell> cells, std::size_t columns,
                          float width) {
    const FontScope font(fonts().small);
    const std::size_t rows = (cells.size() + columns - 1) / columns;
    const float padding = tokens().hair, line = ImGui::GetTextLineHeight();
    float widest = line;
    for (const ValueCell& cell : cells) widest = std::max(widest, width_of(cell.text) + 2 * padding);
    const float room = std::floor(width / static_cast<float>(columns));
    const bool has_texts = widest <= room;
    const float cell_width = has_texts ? std::min(room, widest) : std::max(std::min(room, line), 1.0f);
    const float cell_height = has_texts ? line + padding : cell_width;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const plot::Rect area{at.x, at.y, cell_width * static_cast<float>(columns),
                          cell_height * static_cast<float>(rows)};
    const Shading shading(cells);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float inset = cell_width > 5 ? 0.5f : 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const ValueCell& cell = cells[i];
        const plot::Rect box = plot::cell_rect(area, rows, columns, i).grown(-inset);
        ImU32 ink = colors().text_muted.u32();
        if (cell.number) {
            const plot::Color color = shading.of(*cell.number);
            fill_cell(box, IM_COL32(color.r, color.g, color.b, 255));
            ink = text_on(color);
        } else {
            if (!cell.is_faded) fill_cell(box, colors().raised.u32());
            if (!cell.is_faded) ink = colors().text.u32();
        }
        if (has_texts)
            list.AddText({box.right() - padding - width_of(cell.text), box.y}, ink, cell.text.c_str());
        if (cell.outline != 0)
            list.AddRect({box.x, box.y}, {box.right(), box.bottom()}, cell.outline, 0, 0,
                         std::max(1.0f, 2 * look().pixels()));
    }
    return press_cells(id, area, rows, columns);
}

}  // namespace kwb::gui
