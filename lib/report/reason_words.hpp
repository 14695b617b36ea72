// SPDX-License-Identifier: Apache-2.0
// Reasons (model/reason.hpp) and what-if experiments (model/effect.hpp) in words: the only code that words
// them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/reason.hpp"
#include "model/result.hpp"
#include "report/tables.hpp"

namespace kwb {

/// "misses of the second-level cache, of B, cost naive 36 % (31 – 40 %) of its time, and tiled nothing that
/// was seen". No full stop.
std::string reason_words(const Reason& reason, const std::string& faster, const std::string& slower);

/// Where the reason comes from: "measured with B always in the nearest cache", "counted: lines 49 and 50;
/// 35".
std::string evidence_words(const Reason& reason);

/// "36 % (31 – 40 %)"; "no effect seen"
std::string effect_words(const Effect& effect);

/// Why the answer of a run is what it is: measured reasons, then counted ones, at most three of each, with
/// what speaks against the faster kernel; of a single kernel, what was measured of it. Ends with the command
/// for more. Empty if nothing was counted or measured.
/// @param baseline  index into `results`
/// @param command   that measures the reasons; empty: they were measured
std::string reasons_text(std::span<const KernelResult> results, std::size_t baseline,
                         const std::string& command, const TableOptions& options);

}  // namespace kwb
