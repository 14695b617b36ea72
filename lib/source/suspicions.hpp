// SPDX-License-Identifier: Apache-2.0
// What only reading a source can find: suspicions, which an observation may confirm or refute.
#pragma once

#include <string>
#include <vector>

#include "model/finding.hpp"
#include "source/syntax.hpp"

namespace kwb::source {

/// Functions that call themselves, directly or through others (FindingCode::Recursion); variables that are
/// never set but from themselves (UnsetVariable); and barriers under a condition on the work-item's id, or
/// after a return under one (SuspectBarrier). In the user's main file
/// alone. A condition that may be the same for a whole group, such as one on get_global_id(0) / 64, is not
/// suspected, nor one on what memory holds.
/// @param launched  the kernel functions that run: only these, and what they call, are read
/// @return  at most 20, in the order of lines
std::vector<Finding> find_suspicions(const Program& program, const std::vector<std::string>& launched);

}  // namespace kwb::source
