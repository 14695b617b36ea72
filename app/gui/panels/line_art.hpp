// SPDX-License-Identifier: Apache-2.0
// The pictures of letters in lessons, as strokes: terminals show them as they are written.
#pragma once

#include <string>
#include <vector>

namespace kwb::gui {

/// In character cells from the top left.
struct Stroke {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool is_thick = false;
    bool is_arrow = false;  ///< its end has a head

    friend bool operator==(const Stroke&, const Stroke&) = default;
};

struct LineArt {
    std::vector<std::string> words;  ///< the lines, with blanks instead of strokes
    std::vector<Stroke> strokes;     ///< empty: the lines are no picture
};

/// Boxes of `+`, `-`, `=` and `|`, slopes of `/`, and arrows. Lines without any box or arrow stay text.
LineArt line_art(const std::vector<std::string>& lines);

}  // namespace kwb::gui
