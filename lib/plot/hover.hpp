// What lies under the pointer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plot/chart.hpp"
#include "plot/layout.hpp"

namespace kwb::plot {

struct Hover {
    std::size_t series = 0;
    std::size_t item = 0;               ///< bar, box, point, cell (row * columns + column)
    std::optional<std::size_t> sample;  ///< from 0
    std::vector<std::string> lines;     ///< for a tooltip; the first is its head
    Point at;                           ///< where the mark is
    Rect mark;                          ///< what to highlight; without size: a ring around `at`
};

/// The mark at or near a place: a dot within a few pixels before the bar or box that it lies on; the nearest
/// point of a line or scatter within a finger's width; the cell of a heat map. Bars without a value, and
/// labels that were shortened, tell their whole text.
/// @param layout  of this very chart
std::optional<Hover> find_mark(const Chart& chart, const ChartLayout& layout, Point at);

}  // namespace kwb::plot
