// SPDX-License-Identifier: Apache-2.0
// Checks an output that has no reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "judge/contestant_state.hpp"
#include "judge/reference/reference.hpp"

namespace kwb {

/// After the second checked run with the same inputs: finds elements that are undefined, because the kernel
/// does not write them or adds to uninitialised memory, which is wrong whatever the values should be. They
/// are those that change with what the output holds before a run, and with nothing else. Warns if elements
/// are no finite numbers or differ between runs, which may be meant. It takes more runs.
/// @param request    of that run
/// @param payload    the output after it
/// @param reference  only its tolerance
void judge_unknown_output(ContestantState& contestant, const ProblemInstance& instance, const Slot& slot,
                          const ExecuteRequest& request, std::span<const std::byte> payload,
                          const OutputReference& reference, const Checkpoint& checkpoint);

/// Judges an output wrong that has no reference.
/// @param code   NeverWritten or DependsOnUnset
/// @param where  the first such element: "y[3]"
/// @param kind   the finding's name for how many: "unwritten", "changed"
void fail_unknown_output(ContestantState& contestant, const BufferSpec& buffer, FindingCode code,
                         std::string where, std::uint64_t wrong, const char* kind);

}  // namespace kwb
