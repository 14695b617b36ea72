// A chart as plain data: what it says, not how it looks.
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
    std::string unit{};   ///< of the values, "ms"; written in brackets after the label; may be empty
    ScaleKind kind = ScaleKind::Linear;
    std::vector<std::string> categories{};  ///< names, from the top; of a y axis of Categories
    bool from_zero = false;                 ///< show 0 even if no value is near it (bars always do)
    bool whole = false;                     ///< ticks are whole numbers
    std::optional<double> low{};            ///< fixed ends
    std::optional<double> high{};
};

/// One bar of a series.
struct Bar {
    std::size_t category = 0;
    std::optional<double> value{};
    std::optional<Interval> interval{};
    std::vector<double> samples{};  ///< drawn over the bar, in the order in which they were measured
    std::string missing{};          ///< why there is no value: "wrong"; written in its place
    bool pending = false;           ///< the value is still to come: `missing` names no fault
};

/// Horizontal bars, one row a category of the y axis. Series that have a bar in the same category share its
/// row.
struct Bars {
    std::vector<Bar> bars{};
};

struct LinePoint {
    double x = 0;
    double y = 0;  ///< not finite: a gap
    std::optional<Interval> band{};
};

struct Line {
    std::vector<LinePoint> points{};  ///< x does not fall
    bool dashed = false;
};

struct ScatterPoint {
    double x = 0;
    double y = 0;
    std::optional<Interval> interval{};  ///< of y
    std::string label{};                 ///< next to the point if there is room, and in its tooltip
};

struct Points {
    std::vector<ScatterPoint> points{};
};

/// Five numbers and the samples that they summarize; see make_box().
struct Box {
    std::size_t category = 0;
    double whisker_low = 0;  ///< 5 %
    double quartile_low = 0;
    double median = 0;
    double quartile_high = 0;
    double whisker_high = 0;             ///< 95 %
    std::optional<Interval> interval{};  ///< of the median; a notch
    std::vector<double> samples{};       ///< a strip next to the box
    std::string missing{};               ///< why there is none; the numbers are then ignored
    bool pending = false;                ///< as in Bar
};

/// Boxes in the rows of a y axis of categories.
struct Boxes {
    std::vector<Box> boxes{};
};

/// Errors as shares of their bound, in rows and columns of cells; row 0 is at the top, and above 1 is wrong.
struct HeatMap {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<float> values{};  ///< row by row, rows * columns; inf: never written or overflowed
    double rows_a_cell = 1;       ///< indices that one cell stands for
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
    bool emphasized = false;  ///< a ceiling rather than a hint: solid, in the series' colour
};

using SeriesData = std::variant<Bars, Line, Points, Boxes, HeatMap, Rule>;

struct Series {
    std::string name{};          ///< in legend and tooltips; series of one name are switched together
    std::size_t color_slot = 0;  ///< keeps its meaning over all charts: kernel number
    SeriesData data{};
    bool in_legend = true;
};

enum class LegendUse {
    Auto,  ///< where several series share the picture and their names stand nowhere else
    Always,
    Never,
};

struct Chart {
    std::string title{};
    std::string subtitle{};
    Axis x{};
    Axis y{};
    std::vector<Series> series{};
    std::vector<std::string> notes{};  ///< small lines below: how it was measured, what is missing
    std::string empty_text{};          ///< what to do to get data; shown while there is none
    LegendUse legend = LegendUse::Auto;
};

/// @return  whether any series has anything that can be drawn (or is missing with a reason)
bool has_data(const Chart& chart);

/// Quartiles, and whiskers at 5 and 95 %, of the finite samples; keeps all samples.
/// @return  with `missing` "no samples" if there is none
/// Source: linear interpolation of order statistics, Hyndman and Fan, "Sample quantiles in statistical
/// packages", The American Statistician 50, 1996, definition 7.
Box make_box(std::size_t category, std::vector<double> samples);

}  // namespace kwb::plot
