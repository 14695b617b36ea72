// SPDX-License-Identifier: Apache-2.0
// Suspicions that only reading a source can find; an observation may confirm or refute them.
#pragma once

#include <string>
#include <vector>

#include "model/finding.hpp"
#include "source/syntax.hpp"

namespace kwb::source {

/// Functions that call themselves, directly or through others (FindingCode::Recursion); variables that are
/// never set but from themselves (UnsetVariable); barriers under a condition on the work-item's id, or after
/// a return under one (SuspectBarrier); and a `;` after a loop's head that looks unintended (StraySemicolon).
/// Covers only the user's main file. Conditions that may be uniform across a group, such as one on
/// get_global_id(0) / 64, or that depend on memory are not suspected.
/// @param launched  the kernel functions that run: only these, and what they call, are read
/// @return  at most 20, in the order of lines
std::vector<Finding> find_suspicions(const Program& program, const std::vector<std::string>& launched);

}  // namespace kwb::source
