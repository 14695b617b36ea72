// What a person changed about the look of a chart: zoom, and series switched off.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "plot/geometry.hpp"
#include "plot/scale.hpp"

namespace kwb::plot {

struct ChartLayout;

/// Outlives the chart's data: a chart that grows during a run keeps its zoom.
struct ChartView {
    std::optional<Range> x;  ///< what is shown; missing: all
    std::optional<Range> y;
    std::set<std::string, std::less<>> hidden;  ///< names of series

    /// Enlarge around a place of the picture, so that the value there stays where it is.
    /// @param factor  above 1 shows less, below 1 more; a wheel's step is about 1.2
    /// Axes of categories stay whole. Limits: four times the whole range, and a millionth of it (for heat
    /// maps the whole and two cells).
    void zoom(const ChartLayout& layout, Point at, double factor);

    /// Move the picture with the hand: data follows by (dx, dy). The middle stays within the whole range.
    void pan(const ChartLayout& layout, float dx_px, float dy_px);

    /// Show all again; switched-off series stay off.
    void fit();

    bool is_zoomed() const { return x || y; }
    bool shows(std::string_view series) const { return !hidden.contains(series); }

    /// Switch a series off or on again.
    void toggle(std::string_view series);

    friend bool operator==(const ChartView&, const ChartView&) = default;
};

}  // namespace kwb::plot
