// SPDX-License-Identifier: Apache-2.0
// Shared by the steps of lay_out(); not included anywhere else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plot/layout.hpp"
#include "plot/numbers.hpp"

namespace kwb::plot::parts {

/// Font sizes and distances at one scale.
struct Sizes {
    float scale = 1;
    TextStyle title{14, true};
    TextStyle subtitle{12, false};
    TextStyle axis_title{12, false};
    TextStyle tick{12, false};
    TextStyle label{12, false};
    TextStyle row{12, false};  ///< category names and words in their rows: smaller if rows are low
    TextStyle note{12, false};
    float pad_px = 10;

    explicit Sizes(float by);
    float line_px(const TextStyle& style) const { return style.size_px * kLineHeight; }
};

/// One axis before it is mapped to pixels.
struct AxisPlan {
    ScaleKind kind = ScaleKind::Linear;
    Range whole;
    Range shown;
    bool whole_numbers = false;
    bool bars = false;                    ///< some bar ends on this axis
    bool downwards = false;               ///< y of heat maps and of category rows: the low end is at the top
    std::vector<std::string> categories;  ///< one name per slot
    ScaledUnit unit;                      ///< of the numbers on the axis
    std::string title;
    bool unit_at_ticks = false;  ///< logarithmic time axis: ticks read "10 µs", "1 ms"; no unit in the title
};

struct Plans {
    AxisPlan x;
    AxisPlan y;
    const HeatMap* heat = nullptr;
    std::size_t heat_series = 0;
};

/// Maximum number of categories, so that a wrong index does not create a million rows.
inline constexpr std::size_t kMostCategories = 2000;

/// Smallest and largest of the finite values; from infinity to -infinity if there are none.
Range finite_range(std::span<const double> values);

/// Computes ranges, kinds, units and titles of both axes.
Plans plan_axes(const Chart& chart, const ChartView& view);

/// State shared by the steps.
struct Work {
    const Chart& chart;
    const ChartView& view;
    const Canvas& canvas;
    Sizes sizes;
    Plans plans;
    ChartLayout out;
    std::vector<Rect> obstacles;            ///< marks that labels should not cover
    std::vector<LegendEntry> line_names{};  ///< to be placed at the ends of their lines
    float line_names_px = 0;                ///< width of their column, to the right of the plot

    float width(std::string_view text, const TextStyle& style) const {
        return canvas.text_width(text, style);
    }
    bool shows(std::size_t series) const { return view.shows(chart.series[series].name); }
    bool is_free(const Rect& box) const;
    const Bar& bar_of(const auto& mark) const { return bar_at(chart, mark.series, mark.item); }

    /// Places a text, shortened to `most_px`; places nothing if nothing fits.
    /// @return  the box that it covers
    std::optional<Rect> place(TextRole role, std::string_view text, Point at, const TextStyle& style,
                              const TextPlace& how, float most_px = 1e9f, std::size_t series = 0,
                              std::size_t item = 0);
};

/// Takes the entries that will stand at the ends of their lines out of `legend`, and reserves their column;
/// takes none if there is no room for all of them.
/// @param room  for the plot and its axes
void reserve_line_names(Work& work, const Rect& room, std::vector<LegendEntry>& legend);

/// Places those names: each as near as possible to the end of its line, in the order of the ends; names of
/// hidden lines last.
void place_line_names(Work& work);

/// Places plot area, scales, ticks, axis titles, and the colour bar.
void place_axes(Work& work, Rect room);

/// Places bars, boxes, lines, points, rules and cells.
void place_marks(Work& work);

/// The number at the end of a bar, with its unit.
std::string value_text(const AxisPlan& plan, double value);

/// Places values at bars, names at points and rules, and the reasons of missing bars.
void place_labels(Work& work);

}  // namespace kwb::plot::parts
