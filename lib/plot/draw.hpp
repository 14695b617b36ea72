// Drawing a chart that was laid out, and finding what lies under the pointer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plot/canvas.hpp"
#include "plot/chart.hpp"
#include "plot/layout.hpp"
#include "plot/palette.hpp"

namespace kwb::plot {

/// @param layout  of this very chart; the canvas may be another with the same text widths
/// Does not fill the ground; give it theme.panel.
void draw(const Chart& chart, const ChartLayout& layout, const Theme& theme, Canvas& canvas);

struct Hover {
    std::size_t series = 0;
    std::size_t item = 0;               ///< bar, box, point, cell (row * columns + column)
    std::optional<std::size_t> sample;  ///< from 0
    std::vector<std::string> lines;     ///< for a tooltip; the first is its head
    Point at;                           ///< where the mark is
    Rect mark;                          ///< what to highlight; without size: a ring around `at`
};

/// The mark at or near a place: a dot within a few pixels before the bar or box that it lies on; the nearest
/// point of a line or scatter within a finger's width; the cell of a heat map. Bars without a value, and
/// labels that were shortened, give their whole text.
/// @param layout  of this very chart
std::optional<Hover> find_mark(const Chart& chart, const ChartLayout& layout, Point at);

/// Emphasize what find_mark() found. Draw it after the chart; the face shows the tooltip.
void draw_highlight(const Hover& hover, const ChartLayout& layout, const Theme& theme, Canvas& canvas);

struct SvgOptions {
    Size size{720, 420};
    float scale = 1;
    bool dark = false;
    ChartView view{};
};

/// The chart as a standalone picture, with its ground filled.
std::string render_svg(const Chart& chart, const SvgOptions& options = {});

}  // namespace kwb::plot
