// SPDX-License-Identifier: Apache-2.0
// What `kwb tune` prints: the space before anything runs, and the answer.
#pragma once

#include <string>

#include "report/tables.hpp"
#include "tune/space.hpp"
#include "tune/tuning.hpp"

namespace kwb::cli {

/// How many combinations and valid configurations there are, and what removes the others.
std::string space_text(const Space& space, const TableOptions& options);

/// The best configurations, the effect of each parameter, and the number of each verdict with the first
/// reason. Requires that something was tried.
std::string tuning_text(const Tuning& tuning, const Space& space, const TableOptions& options);

}  // namespace kwb::cli
