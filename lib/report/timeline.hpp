// SPDX-License-Identifier: Apache-2.0
// What ran when, as a picture for a page.
#pragma once

#include <string>
#include <vector>

namespace kwb {

struct TimelineSpan {
    std::string name;  ///< its colour
    double begin_ms = 0, end_ms = 0;
};

struct TimelineRow {
    std::string label;
    std::vector<TimelineSpan> spans;  ///< any order
};

struct ThemedSvg {
    std::string light, dark;
};

/// Each pixel shows what took most of its time.
/// @param names  those that get the first colours; all others follow
/// @return  empty texts if nothing took any time
ThemedSvg timeline_svg(const std::vector<TimelineRow>& rows, std::vector<std::string> names);

}  // namespace kwb
