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

/// One bar of a series.
struct Bar {
    std::size_t category = 0;
    std::optional<double> value{};
    std::optional<Interval> interval{};
    std::vector<double> samples{};  ///< drawn over the bar, in the order in which they were measured
    std::string missing{};          ///< why there is no value: "wrong"; shown instead of the bar
    bool pending = false;           ///< the value is not available yet: `missing` does not name an error
};

/// Horizontal bars, one row per category of the y axis. Series with a bar in the same category share its row.
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

struct Points {
    std::vector<ScatterPoint> points{};
};

/// A five-number summary and its samples; see make_box().
struct Box {
    std::size_t category = 0;
    double whisker_low = 0;  ///< 5th percentile
    double quartile_low = 0;
    double median = 0;
    double quartile_high = 0;
    double whisker_high = 0;             ///< 95th percentile
    std::optional<Interval> interval{};  ///< confidence interval of the median, drawn as a notch
    std::vector<double> samples{};       ///< drawn as a strip next to the box
    std::string missing{};               ///< why there is no box; the numbers are then ignored
    bool pending = false;                ///< as in Bar
};

/// Boxes in the rows of a y axis of categories.
struct Boxes {
    std::vector<Box> boxes{};
};

/// Errors as fractions of their bound, in a grid of cells. Row 0 is at the top; values above 1 are wrong.
struct HeatMap {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<float> values{};  ///< row-major, rows * columns; inf: never written or overflowed
    double rows_a_cell = 1;       ///< number of indices per cell
    double columns_a_cell = 1;
    std::string value_label{};                  ///< next to the colour bar: "share of the bound"
    std::string infinity_meaning = "infinite";  ///< in tooltips and above the map: "never written"
};

/// A reference line with a label: y = value, x = value, or y = value * x (on log-log axes the sloped part of
/// a roofline), within [from, to] of the x axis (of the y axis for x = value).
struct Rule {
    enum class Kind { Horizontal, Vertical, Sloped };
    Kind kind = Kind::Horizontal;
    double value = 0;
    std::optional<double> from{};
    std::optional<double> to{};
    std::string label{};
    bool emphasized = false;  ///< a hard limit rather than a hint: drawn solid, in the series' colour
};

using SeriesData = std::variant<Bars, Line, Points, Boxes, HeatMap, Rule>;

struct Series {
    std::string name{};  ///< shown in legend and tooltips; series with the same name are toggled together
    std::size_t color_slot = 0;  ///< the same in all charts: kernel number
    SeriesData data{};
    bool in_legend = true;
};

enum class LegendUse {
    Auto,  ///< if several series share the plot and their names appear nowhere else
    Always,
    Never,
};

struct Chart {
    std::string title{};
    std::string subtitle{};
    Axis x{};
    Axis y{};
    std::vector<Series> series{};
    std::vector<std::string> notes{};  ///< small lines below the plot: how it was measured, what is missing
    std::string empty_text{};          ///< tells the user how to get data; shown while there is none
    LegendUse legend = LegendUse::Auto;
};

/// @return  whether any series has something to draw (or a reason why it is missing)
bool has_data(const Chart& chart);

/// Computes quartiles, and whiskers at 5 % and 95 %, of the finite samples; stores all samples.
/// @return  `missing` is "no samples" if there are none
/// Source: linear interpolation of order statistics, Hyndman and Fan, "Sample quantiles in statistical
/// packages", The American Statistician 50, 1996, definition 7.
Box make_box(std::size_t category, std::vector<double> samples);

}  // namespace kwb::plot
