// Is everything on the screen where it can be seen and used?
#pragma once

#include <string>
#include <vector>

#include "gui/probe.hpp"

namespace kwb::test {

struct LayoutOptions {
    float slack = 1;  ///< pixels, for rounding
};

/// Looks at the probes of the last frame: two widgets of one layer overlap (containers may hold others), a
/// label needs more room than its widget has, something is cut that no scrolling brings back or is outside
/// the window, an id was used twice.
/// @return  a sentence for each fault; none if all is well
std::vector<std::string> check_layout(const gui::Probes& probes, float window_width, float window_height,
                                      const LayoutOptions& options = {});

}  // namespace kwb::test
