// The picture of the window in task bars, drawn by arithmetic.
#pragma once

#include <vector>

namespace kwb::gui {

/// A grid of work-groups of which one stands out, on a rounded square.
/// @param size  pixels a side, at least 16
/// @return  size x size pixels, RGBA, rows from the top
std::vector<unsigned char> window_icon(int size);

}  // namespace kwb::gui
