// What the steps of lay_out() share; nobody else includes this.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plot/layout.hpp"
#include "plot/numbers.hpp"

namespace kwb::plot::parts {

/// Fonts and distances at one scale.
struct Sizes {
    float scale = 1;
    TextStyle title{14, true};
    TextStyle subtitle{12, false};
    TextStyle axis_title{12, false};
    TextStyle tick{11, false};
    TextStyle label{11, false};
    TextStyle row{11, false};  ///< names of categories and words in their rows: smaller in low rows
    TextStyle note{11, false};
    float pad_px = 10;

    explicit Sizes(float by);
    float line_px(const TextStyle& style) const { return style.size_px * kLineHeight; }
};

/// One axis before it has pixels.
struct AxisPlan {
    ScaleKind kind = ScaleKind::Linear;
    Range whole;
    Range shown;
    bool whole_numbers = false;
    bool downwards = false;  ///< y of heat maps and rows of categories: the low end is at the top
    std::vector<std::string> categories;  ///< as many as there are slots
    ScaledUnit unit;                      ///< of the numbers on the axis
    std::string title;
    bool unit_at_ticks = false;  ///< a logarithmic axis of times: "10 µs", "1 ms", and no unit in the title
};

struct Plans {
    AxisPlan x;
    AxisPlan y;
    bool has_rows = false;
    const HeatMap* heat = nullptr;
    std::size_t heat_series = 0;
};

/// The most categories a chart may have: a wrong index must not make a million rows.
inline constexpr std::size_t kMostCategories = 2000;

/// Ranges, kinds, units and titles of both axes.
Plans plan_axes(const Chart& chart, const ChartView& view);

/// All that the steps share.
struct Work {
    const Chart& chart;
    const ChartView& view;
    const Canvas& canvas;
    Sizes sizes;
    Plans plans;
    ChartLayout out;
    std::vector<Rect> obstacles;  ///< marks that labels had better not cover

    float width(std::string_view text, const TextStyle& style) const {
        return canvas.text_width(text, style);
    }
    bool shows(std::size_t series) const { return view.shows(chart.series[series].name); }
    bool is_free(const Rect& box) const;

    /// Place a text that is shortened to `most_px`; nothing if nothing of it fits.
    /// @return  the box that it covers
    std::optional<Rect> place(TextRole role, std::string_view text, Point at, const TextStyle& style,
                              const TextPlace& how, float most_px, std::size_t series = 0,
                              std::size_t item = 0);
};

/// Lines of at most `width_px`, broken at spaces, at most `most` of them; the last is shortened if need be.
std::vector<std::string> wrapped(const Canvas& canvas, std::string_view text, const TextStyle& style,
                                 float width_px, std::size_t most);

/// Title, subtitle, legend and swatches at the top, notes at the bottom.
/// @return  what is left between them
Rect place_surroundings(Work& work, Rect room);

/// Plot area, scales, ticks, axis titles, and the colour bar.
void place_axes(Work& work, Rect room);

/// As many numbers as an axis has room for, in its unit, placed.
std::vector<Tick> number_ticks(const Work& work, const AxisPlan& plan, const Scale& scale, bool horizontal);

/// @return  pixels of the longest label
float widest(const Work& work, const std::vector<Tick>& ticks, const TextStyle& style);

/// What the colour bar's numbers and its title need.
struct BarNeeds {
    float bar_px = 0;
    float labels_px = 0;
    float title_px = 0;
    float gap_px = 0;
    float sum() const { return bar_px + labels_px + title_px + gap_px; }
};

/// Colours and fingerprint of a map; it has no place yet.
HeatShape plan_heat(const HeatMap& map, std::size_t series);

/// Swatches for what is no number, on a line above the plot.
/// @return  the height used
float place_specials(Work& work, const Rect& room, HeatShape& heat);

/// Numbers next to the colour bar, the bound always among them.
std::vector<Tick> bar_ticks(const Work& work, const ErrorColors& colors, const Scale& scale);

/// The bar, its numbers and its title, to the right of the plot.
void place_color_bar(Work& work, const BarNeeds& needs, HeatShape& heat);

/// Bars, boxes, lines, points, rules and cells.
void place_marks(Work& work);
void place_line(Work& work, std::size_t series, const Line& line);
void place_rule(Work& work, std::size_t series, const Rule& rule);

/// Labels avoid a line, too.
void add_obstacles(Work& work, Point from, Point to);

/// Values at bars, names at points and rules, reasons where bars are missing.
void place_labels(Work& work);

}  // namespace kwb::plot::parts
