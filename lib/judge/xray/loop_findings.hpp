// SPDX-License-Identifier: Apache-2.0
// Out-of-bounds accesses to arrays and buffers that a loop's bound causes.
#pragma once

#include <vector>

#include "model/xray.hpp"
#include "source/loop_bounds.hpp"

namespace kwb {

/// Names the loop in findings about accesses that are outside only in a loop's last turn, in which its
/// variable equals its bound. Removes the values of variables from all findings.
void name_loops(XrayReport& report, const std::vector<source::InclusiveLoop>& loops);

}  // namespace kwb
