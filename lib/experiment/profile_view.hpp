// SPDX-License-Identifier: Apache-2.0
// The profile of a program, as a page and the window show it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "capture/profile.hpp"
#include "report/timeline.hpp"
#include "report/xray_report.hpp"

namespace kwb {

struct ProfileView {
    std::string title;               ///< "Profile of ./program"
    std::string summary;             ///< "process 9382: 2 commands in 88.5 ms"
    std::vector<XrayTable> tables;   ///< each with a row at least
    std::vector<TimelineRow> rows;   ///< of the process with most commands; empty: nothing was traced
    std::vector<std::string> names;  ///< of the timeline's colours
};

ProfileView profile_view(const std::string& program, const std::vector<capture::Profile>& processes);

/// Reads what `kwb profile` has written with --json, which has no timeline, or with --trace, which has no
/// faults; or the trace of another program in that format.
/// @throws BadInput  "file: finding": it is neither, or too large
ProfileView read_profile_view(const std::filesystem::path& file);

}  // namespace kwb
