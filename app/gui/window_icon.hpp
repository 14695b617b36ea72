// The window's icon for task bars, drawn procedurally.
#pragma once

#include <vector>

namespace kwb::gui {

/// A grid of work-groups, one of them highlighted, on a rounded square.
/// @param size  width and height in pixels, at least 16
/// @return  size x size pixels, RGBA, rows from top to bottom
std::vector<unsigned char> window_icon(int size);

}  // namespace kwb::gui
