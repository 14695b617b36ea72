// SPDX-License-Identifier: Apache-2.0
// A chart as plain data: its content, not its appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/interval.hpp"
#include "plot/scale.hpp"

namespace kwb::plot {

// Values that are not finite, or not above 0 on a logarithmic axis, are not drawn.

struct Axis {
    std::string label{};  ///< "kernel time"; may be empty
    std::string unit{};   ///< unit of the values, "ms"; written in brackets after the label; may be empty
    ScaleKind kind = ScaleKind::Linear;
    std::vector<std::string> categories{};  ///< names from the top down; only for a y axis of kind Categories
    bool from_zero = false;                 ///< show 0 even if no value is near it (bars always do)
    bool whole = false;                     ///< ticks are whole numbers
    std::optional<double> low{};            ///< fixed ends of the axis
    std::optional<double> high{};
};

/// What makes a bar a box; see make_box().
struct Spread {
    double whisker_low = 0;  ///< 5th percentile
    double quartile_low = 0;
    double quartile_high = 0;
    double whisker_high = 0;  ///< 95th percentile
};

/// One bar or box of a series.
struct Bar {
    std::size_t category = 0;
    std::optional<double> value{};       ///< of a box: the median
    std::optional<Interval> interval{};  ///< drawn as a whisker; in a box as a notch
    std::vector<double> samples{};  ///< in the order in which they were measured; over the bar, next to a box
    std::string missing{};          ///< why there is no value: "wrong"; shown instead of the bar
    bool pending = false;           ///< the value is not available yet: `missing` does not name an error
    std::optional<Spread> spread{};  ///< draw a box instead of a bar; only with a value
};

/// Horizontal bars, one row per category of the y axis. On a logarithmic axis they are dots: there is no zero
/// at which a bar could begin, so its length would mean nothing. Series with a bar in the same category share
/// its row.
struct Bars {
    std::vector<Bar> bars{};
};

struct LinePoint {
    double x = 0;
    double y = 0;  ///< not finite: a gap
    std::optional<Interval> band{};
};

struct Line {
    std::vector<LinePoint> points{};  ///< x must not decrease
    bool dashed = false;
};

struct ScatterPoint {
    double x = 0;
    double y = 0;
    std::optional<Interval> interval{};  ///< of y
    std::string label{};  ///< drawn next to the point if there is room, and shown in its tooltip
};

/// Errors as fractions of their bound, in a grid of cells. Row 0 is at the top; values above 1 are wrong.
struct HeatMap {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<float> values{};  ///< row-major, rows * columns; inf: never written or overflowed
    double rows_a_cell = 1;       ///< number of indices per cell
    double columns_a_cell = 1;
    std::string value_label{};                  ///< next to the colour bar: "share of the error bound"
    std::string infinity_meaning = "infinite";  ///< in tooltips and above the map: "never written"
};

/// A reference line: y = value, x = value, or y = value * x (on log-log axes the sloped part of a roofline).
struct Rule {
    enum class Kind { Horizontal, Vertical, Sloped };
    Kind kind = Kind::Horizontal;
    double value = 0;
    std::optional<double> from{};  ///< ends on the x axis; a vertical line crosses the whole plot
    std::optional<double> to{};
    std::string label{};      ///< drawn at the line, unless it is vertical
    bool emphasized = false;  ///< a hard limit rather than a hint: drawn solid, in the series' colour
};

using SeriesData = std::variant<Bars, Line, ScatterPoint, HeatMap, Rule>;

struct Series {
    std::string name{};  ///< shown in legend and tooltips; series with the same name are toggled together
    std::size_t color_slot = 0;  ///< the same in all charts: kernel number
    SeriesData data{};
    bool in_legend = true;
    /// Of an earlier run, or from another source, for comparison: outlines, over the bars of the same
    /// category and colour, thin dashed lines, or rings.
    bool ghost = false;
    std::string subject{};  ///< named before `name` in tooltips: the kernel, where `name` is that of the run
};

struct Chart {
    std::string title{};
    std::string subtitle{};
    Axis x{};
    Axis y{};
    std::vector<Series> series{};
    std::vector<std::string> notes{};  ///< small lines below the plot: how it was measured, what is missing
    std::string empty_text{};          ///< explains how to get data; shown while there is none
    bool label_lines =
        false;  ///< names at the right ends of the lines, instead of in a legend, if there is room
    bool always_legend = false;  ///< else only if several series are not named by the categories
};

/// @param series, item  of a series of bars
const Bar& bar_at(const Chart& chart, std::size_t series, std::size_t item);

/// @return  whether any series has something to draw (or a reason why it is missing)
bool has_data(const Chart& chart);

/// A box of the quartiles, and whiskers at 5 % and 95 %, of the finite samples; it stores all samples.
/// @return  `missing` is "no samples" if there are none
/// Source: linear interpolation of order statistics, Hyndman and Fan, "Sample quantiles in statistical
/// packages", The American Statistician 50, 1996, definition 7.
Bar make_box(std::size_t category, std::vector<double> samples);

}  // namespace kwb::plot
