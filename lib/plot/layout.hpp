// SPDX-License-Identifier: Apache-2.0
// The position of each part of a chart. Drawing and hit-testing read it and compute no positions themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plot/canvas.hpp"
#include "plot/chart.hpp"
#include "plot/geometry.hpp"
#include "plot/palette.hpp"
#include "plot/scale.hpp"

namespace kwb::plot {

/// Where a chart goes, and how large its fonts and strokes are.
struct Frame {
    Rect rect;          ///< complete from 220×140 (times scale) up; smaller charts omit parts
    float scale = 1;    ///< 1 means 12-pixel text
    bool notes = true;  ///< false: the caller shows the chart's notes elsewhere

    friend bool operator==(const Frame&, const Frame&) = default;
};

enum class TextRole {
    Title,
    Subtitle,
    AxisTitle,
    TickX,
    TickY,
    ColorTick,
    Value,
    Missing,
    Label,
    Note,
    Empty
};

struct PlacedText {
    TextRole role = TextRole::Label;
    std::string text;
    Point at;
    TextStyle style;
    TextPlace place;
    Rect box;                ///< area covered; boxes of one chart never overlap each other or the legend
    std::size_t series = 0;  ///< Label: whose colour it has; Value, Missing: series of the bar or box
    std::size_t item = 0;    ///< only for Value and Missing
    bool shortened = false;  ///< ends in "…"; the full text is in `whole`
    std::string whole;
};

enum class Swatch { Box, Line, Marker };

struct LegendEntry {
    std::string name;
    std::string text;  ///< the name, perhaps shortened
    std::size_t color_slot = 0;
    Swatch swatch = Swatch::Box;
    bool dashed = false;
    bool ghost = false;
    bool hidden = false;
    Rect rect;                        ///< clickable area: swatch and text
    std::optional<Point> line_end{};  ///< it stands next to the end of its line
};

struct BarShape {
    std::size_t series = 0;
    std::size_t item = 0;
    Rect rect;
    std::optional<Interval> whisker_px;  ///< x of the interval's two ends
    bool dots = false;                   ///< samples are drawn over it
    bool is_dot = false;                 ///< logarithmic axis: a marker at the value, within `rect`
};

struct BoxShape {
    std::size_t series = 0;
    std::size_t item = 0;
    Rect body;                 ///< between the two quartiles
    float whisker_low_px = 0;  ///< x coordinate, like the following ones
    float median_px = 0;
    float whisker_high_px = 0;
    std::optional<Interval> notch_px;
    Rect whole;  ///< the part of the row that belongs to this box, including the strip of samples
};

/// A sample, or a point of a scatter plot or line.
struct Dot {
    Point at;
    std::uint32_t item = 0;    ///< index of bar, box or point
    std::uint32_t sample = 0;  ///< index within the item
};

/// The visible samples of one series, decimated.
struct DotCloud {
    std::size_t series = 0;
    std::vector<Dot> dots;
    std::vector<Point> centers;  ///< the same, for Canvas::dots()
};

/// A gap-free piece of a line, decimated to a few points per pixel column and clipped near the plot.
struct LineShape {
    std::size_t series = 0;
    std::vector<Point> points;
    std::vector<Point> band_upper;  ///< empty without a band
    std::vector<Point> band_lower;
    std::vector<Dot> marks;  ///< its data points within the plot, also decimated
    bool markers = false;    ///< whether there is room to show them
};

struct PointShape {
    std::size_t series = 0;
    Point at;
    std::optional<Interval> whisker_px;  ///< y of the low and the high end
};

struct RuleShape {
    std::size_t series = 0;
    Point from;
    Point to;
};

struct HeatShape {
    std::size_t series = 0;
    Rect cells;      ///< area of all cells; extends beyond the plot when zoomed
    Rect color_bar;  ///< empty if there was no room
    ErrorColors colors;
    Scale bar_scale;
    std::vector<Tick> bar_ticks;
    std::uint64_t key = 0;                        ///< hash of values and colours
    std::vector<std::pair<Rect, Color>> special;  ///< swatches for infinity and NaN
};

struct ChartLayout {
    Frame frame;
    Rect plot;          ///< between the axes
    bool empty = true;  ///< nothing to draw except texts
    Scale x;
    Scale y;
    Range whole_x;  ///< the range shown when not zoomed
    Range whole_y;
    bool keeps_zero = false;  ///< bars start at the 0 of the x axis: it stays in view, or they would mislead
    Range least_span;  ///< the strongest zoom as a fraction of the whole range: low is for x, high for y
    std::vector<Tick> x_ticks;
    std::vector<Tick> y_ticks;
    std::vector<PlacedText> texts;
    std::vector<LegendEntry> legend;
    std::vector<BarShape> bars;
    std::vector<BoxShape> boxes;
    std::vector<DotCloud> clouds;
    std::vector<LineShape> lines;
    std::vector<PointShape> points;
    std::vector<RuleShape> rules;
    std::optional<HeatShape> heat;

    /// Whether the y axis has one row per category.
    bool has_rows() const { return y.kind() == ScaleKind::Categories; }
};

/// The user's changes to the view of a chart: zoom, and hidden series. Independent of the chart's data: a
/// chart that grows during a run keeps its zoom.
struct ChartView {
    std::optional<Range> x;  ///< the range shown; nullopt: everything
    std::optional<Range> y;
    std::set<std::string, std::less<>> hidden;  ///< names of hidden series

    /// Zooms around a position; the value at that position stays in place.
    /// @param factor  above 1 zooms in, below 1 out; one wheel step is about 1.2
    /// An axis that keeps its zero is scaled from there instead. Category axes do not zoom. The shown range
    /// is limited to between a millionth and four times the whole range (for heat maps between two cells and
    /// the whole).
    void zoom(const ChartLayout& layout, Point at, double factor);

    /// Moves the data by (dx, dy), as when dragging. The centre of the view stays within the whole range;
    /// an axis that keeps its zero shows nothing beyond its whole range.
    void pan(const ChartLayout& layout, float dx_px, float dy_px);

    /// Shows the whole range again; hidden series stay hidden.
    void fit();

    bool is_zoomed() const { return x || y; }
    bool shows(std::string_view series) const { return !hidden.contains(series); }

    /// Hides or shows a series.
    void toggle(std::string_view series);

    friend bool operator==(const ChartView&, const ChartView&) = default;
};

/// Lays out a chart. Fast enough to call every frame (the benchmark has 8 kernels with 10,000 samples each),
/// but a layout can be reused as long as chart, view and frame do not change.
/// @param canvas  only its text_width() is called
/// Accepts any numbers; what cannot be drawn is omitted.
ChartLayout lay_out(const Chart& chart, const ChartView& view, const Frame& frame, const Canvas& canvas);

/// The legend entry at a position, or null; used to toggle its series.
const LegendEntry* find_legend_entry(const ChartLayout& layout, Point at);

}  // namespace kwb::plot
