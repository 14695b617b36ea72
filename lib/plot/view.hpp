// The user's changes to the view of a chart: zoom, and hidden series.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "plot/geometry.hpp"
#include "plot/scale.hpp"

namespace kwb::plot {

struct ChartLayout;

/// Independent of the chart's data: a chart that grows during a run keeps its zoom.
struct ChartView {
    std::optional<Range> x;  ///< the range shown; nullopt: everything
    std::optional<Range> y;
    std::set<std::string, std::less<>> hidden;  ///< names of hidden series

    /// Zooms around a position; the value at that position stays in place.
    /// @param factor  above 1 zooms in, below 1 out; one wheel step is about 1.2
    /// Category axes do not zoom. The shown range is limited to between a millionth and four times the whole
    /// range (for heat maps between two cells and the whole).
    void zoom(const ChartLayout& layout, Point at, double factor);

    /// Moves the data by (dx, dy), as when dragging. The centre of the view stays within the whole range.
    void pan(const ChartLayout& layout, float dx_px, float dy_px);

    /// Shows the whole range again; hidden series stay hidden.
    void fit();

    bool is_zoomed() const { return x || y; }
    bool shows(std::string_view series) const { return !hidden.contains(series); }

    /// Hides or shows a series.
    void toggle(std::string_view series);

    friend bool operator==(const ChartView&, const ChartView&) = default;
};

}  // namespace kwb::plot
