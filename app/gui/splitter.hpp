// The bar between two parts of the window.
#pragma once

#include <string_view>

#include "gui/imgui_compat.hpp"

namespace kwb::gui {

struct SplitterOptions {
    bool upright = true;    ///< between left and right; else between above and below
    float room = 0;         ///< of both parts and the bar, pixels
    float least_first = 0;  ///< pixels of the first part, the bar not counted
    float least_second = 0;
    double default_share = 0.5;  ///< where a double click puts it
};

struct SplitterMove {
    bool moved = false;     ///< in this frame
    bool finished = false;  ///< it was let go: worth keeping
};

/// Draggable over `rect`; with the keyboard on it, arrow keys move it by a fiftieth of the room.
/// @param share  of the room, at the bar's middle; changed in place, within what the least sizes allow
SplitterMove splitter(std::string_view id, const ImRect& rect, double& share, const SplitterOptions& options);

/// `share` within what the least sizes allow; the first part wins where both do not fit.
double hold_share(double share, const SplitterOptions& options);

}  // namespace kwb::gui
