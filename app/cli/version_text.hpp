// SPDX-License-Identifier: Apache-2.0
// The answer to `kwb --version`.
#pragma once

#include <string>

namespace kwb::cli {

/// The version, the commit that it was built from (if it was built in a clone, with Git), and the OpenCL
/// drivers of this machine, a line for each: what a bug report needs. Starts a judge to find the drivers; if
/// that fails, a line states the reason.
std::string version_text();

}  // namespace kwb::cli
