// SPDX-License-Identifier: Apache-2.0
// A profile as a page: a timeline of queues and host threads, then tables.
#pragma once

#include <string>
#include <vector>

#include "capture/profile.hpp"

namespace kwb::cli {

/// @param program  as the user named it
std::string profile_page(const std::string& program, const std::vector<capture::Profile>& processes);

}  // namespace kwb::cli
