// SPDX-License-Identifier: Apache-2.0
// The output of `kwb tune`: the space before anything runs, and the answer.
#pragma once

#include <string>

#include "report/tables.hpp"
#include "tune/space.hpp"
#include "tune/tuning.hpp"

namespace kwb::cli {

/// The number of combinations of values, the number of valid configurations, and what removes the others.
std::string space_text(const Space& space, const TableOptions& options);

/// The best configurations, the effect of each parameter, and the number of each verdict with the first
/// reason. Requires at least one trial.
std::string tuning_text(const Tuning& tuning, const Space& space, const TableOptions& options);

}  // namespace kwb::cli
