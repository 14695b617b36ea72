// SPDX-License-Identifier: Apache-2.0
// A profile as text for the terminal.
#pragma once

#include <string>

#include "capture/profile.hpp"
#include "report/tables.hpp"

namespace kwb::cli {

/// Kernels, transfers, builds, gaps, errors, faults and objects that were never released.
std::string profile_text(const capture::Profile& profile, const TableOptions& options);

}  // namespace kwb::cli
