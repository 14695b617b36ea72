// SPDX-License-Identifier: Apache-2.0
// Drawing a laid-out chart, and hit-testing its marks.
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

/// @param layout  of this chart; the canvas may differ from the one used for the layout if its text widths
/// are
///                the same
/// @param lit     colour slot of the series to emphasize: those of other colours are dimmed; none: all alike
/// Does not fill the background; the caller fills it with theme.panel.
void draw(const Chart& chart, const ChartLayout& layout, const Theme& theme, Canvas& canvas,
          std::optional<std::size_t> lit = {});

struct Hover {
    std::size_t series = 0;             ///< Chart::series.size(): a text that belongs to none
    std::size_t item = 0;               ///< index of bar, box, point, or cell (row * columns + column)
    std::optional<std::size_t> sample;  ///< index of the sample, from 0
    std::vector<std::string> lines;     ///< tooltip text; the first line is the heading
    Point at;                           ///< position of the mark
    Rect mark;                          ///< area to highlight; an empty rectangle means a ring around `at`
};

/// Finds the mark at or near a position: a dot within a few pixels, in preference to the bar or box under it;
/// the nearest point of a line or scatter plot within a larger radius; the cell of a heat map. Bars without a
/// value return their reason, and shortened labels return their full text.
/// @param layout  of this chart
std::optional<Hover> find_mark(const Chart& chart, const ChartLayout& layout, Point at);

/// Highlights what find_mark() found. Call it after draw(); the user interface shows the tooltip itself.
void draw_highlight(const Hover& hover, const ChartLayout& layout, const Theme& theme, Canvas& canvas);

struct SvgOptions {
    Size size{720, 420};
    bool dark = false;
    ChartView view{};
};

/// The chart as a standalone picture, with its background filled.
std::string render_svg(const Chart& chart, const SvgOptions& options = {});

}  // namespace kwb::plot
