// SPDX-License-Identifier: Apache-2.0
// What ran when, as a picture.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plot/canvas.hpp"

namespace kwb {

struct TimelineSpan {
    std::string name;  ///< its colour
    double begin_ms = 0, end_ms = 0;
};

struct TimelineRow {
    std::string label;
    std::vector<TimelineSpan> spans;  ///< any order
};

/// Each pixel shows what took most of its time.
class Timeline {
public:
    /// @param names  those that get the first colours; all others follow
    /// @param width_px  of the picture
    Timeline(const std::vector<TimelineRow>& rows, const std::vector<std::string>& names, float width_px);

    bool is_empty() const { return !(end_ms_ > begin_ms_); }  ///< nothing took any time
    plot::Size size() const;
    void draw(plot::Canvas& canvas, const plot::Theme& theme) const;
    std::string svg(bool is_dark) const;

private:
    /// Which name took most of a pixel, and for how long.
    using Pixel = std::pair<std::size_t, double>;

    void draw_row(plot::Canvas& canvas, const plot::Theme& theme, std::size_t row, float y) const;
    std::size_t slot_of(const std::string& name);
    std::vector<Pixel> pixels_of(const TimelineRow& row);

    float width_px_;  ///< of the bars
    double begin_ms_, end_ms_;
    std::vector<std::string> labels_;  ///< of the rows
    std::vector<std::vector<Pixel>> pixels_;
    std::map<std::string, std::size_t> slots_;
    std::vector<std::string> names_;
};

}  // namespace kwb
