// Where each part of a chart lies. Drawing and hit tests read it and compute no places themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plot/canvas.hpp"
#include "plot/chart.hpp"
#include "plot/geometry.hpp"
#include "plot/palette.hpp"
#include "plot/scale.hpp"
#include "plot/view.hpp"

namespace kwb::plot {

/// Where a chart goes, and how large its fonts and strokes are.
struct Frame {
    Rect rect;          ///< readable from 220×140 (times scale) on; smaller ones leave things out
    float scale = 1;    ///< 1: text of 12 pixels
    bool notes = true;  ///< false: the chart's notes stand elsewhere

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
    Rect box;                ///< what it covers; boxes of one chart never overlap each other or the legend
    std::size_t series = 0;  ///< for Label: whose colour it takes; for Value and Missing: whose bar or box
    std::size_t item = 0;    ///< for Value and Missing
    bool shortened = false;  ///< ends in "…"; the whole text is in `whole`
    std::string whole;
};

enum class Swatch { Box, Line, Marker };

struct LegendEntry {
    std::string name;
    std::string text;  ///< the name, perhaps shortened
    std::size_t color_slot = 0;
    Swatch swatch = Swatch::Box;
    bool dashed = false;
    bool hidden = false;
    Rect rect;  ///< for clicks; covers swatch and text
};

struct BarShape {
    std::size_t series = 0;
    std::size_t item = 0;
    Rect rect;
    std::optional<Interval> whisker_px;  ///< x of the interval's ends
    bool dots = false;                   ///< samples are drawn over it
};

struct BoxShape {
    std::size_t series = 0;
    std::size_t item = 0;
    Rect body;                 ///< between the quartiles
    float whisker_low_px = 0;  ///< x, as all that follow
    float median_px = 0;
    float whisker_high_px = 0;
    std::optional<Interval> notch_px;
    Rect whole;  ///< the row's part that belongs to it, with the strip of samples
};

/// A sample, or a point of a scatter or a line.
struct Dot {
    Point at;
    std::uint32_t item = 0;    ///< bar, box, point
    std::uint32_t sample = 0;  ///< within it
};

/// The samples of one series that are drawn, thinned out.
struct DotCloud {
    std::size_t series = 0;
    std::vector<Dot> dots;
    std::vector<Point> centers;  ///< the same, for Canvas::dots()
};

/// A piece of a line without gaps, thinned out to a few points a pixel column and cut near the plot.
struct LineShape {
    std::size_t series = 0;
    std::vector<Point> points;
    std::vector<Point> band_upper;  ///< empty without a band
    std::vector<Point> band_lower;
    std::vector<Dot> marks;  ///< its true points within the plot, thinned out alike
    bool markers = false;    ///< there is room to show them
};

struct PointShape {
    std::size_t series = 0;
    std::size_t item = 0;
    Point at;
    std::optional<Interval> whisker_px;  ///< y of low and high end
};

struct RuleShape {
    std::size_t series = 0;
    Point from;
    Point to;
};

struct HeatShape {
    std::size_t series = 0;
    Rect cells;      ///< of all cells; reaches beyond the plot when zoomed
    Rect color_bar;  ///< without size if there was no room
    ErrorColors colors;
    Scale bar_scale;
    std::vector<Tick> bar_ticks;
    std::uint64_t key = 0;  ///< fingerprint of values and colours
    bool has_infinite = false;
    bool has_nan = false;
    std::vector<std::pair<Rect, Color>> special;  ///< swatches for infinity and what is no number
};

struct ChartLayout {
    Frame frame;
    Rect plot;              ///< between the axes
    bool empty = true;      ///< nothing to draw: only texts
    bool has_rows = false;  ///< categories run down the y axis
    Scale x;
    Scale y;
    Range whole_x;  ///< what is shown without zoom
    Range whole_y;
    Range least_span;  ///< smallest zoom: low for x, high for y, as a share of the whole
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
};

/// Lay a chart out. Cheap enough for every frame (8 kernels with 10,000 samples: see the benchmark), but the
/// layout may be kept as long as chart, view and frame stay.
/// @param canvas  only its text_width() is asked
/// Takes any numbers; what cannot be drawn is left out.
ChartLayout lay_out(const Chart& chart, const ChartView& view, const Frame& frame, const Canvas& canvas);

/// The legend entry under a place, to switch its series.
const LegendEntry* find_legend_entry(const ChartLayout& layout, Point at);

}  // namespace kwb::plot
