// Drawing a chart that was laid out.
#pragma once

#include <optional>
#include <string>

#include "plot/canvas.hpp"
#include "plot/chart.hpp"
#include "plot/hover.hpp"
#include "plot/layout.hpp"
#include "plot/palette.hpp"

namespace kwb::plot {

/// @param layout  of this very chart; the canvas may be another with the same text widths
/// Does not fill the ground; give it theme.panel.
void draw(const Chart& chart, const ChartLayout& layout, const Theme& theme, Canvas& canvas);

/// Emphasize what find_mark() found. Draw it after the chart; a tooltip is the face's own affair.
void draw_highlight(const Hover& hover, const ChartLayout& layout, const Theme& theme, Canvas& canvas);

struct SvgOptions {
    Size size{720, 420};
    float scale = 1;
    bool dark = false;
    ChartView view{};
};

/// The chart as a picture of its own, ground filled.
std::string render_svg(const Chart& chart, const SvgOptions& options = {});

}  // namespace kwb::plot
