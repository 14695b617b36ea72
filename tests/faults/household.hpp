// Who lives below the face: its judge, the judge's runners, and nobody else.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace kwb::test {

/// Let orphans below this process become its own children, so that a process which a kernel started and which
/// slipped away from its runner shows here, and not at process 1.
void adopt_orphans();

/// Processes below this one that would outlive the judge's runners: children of this process besides `judge`,
/// and whoever has left its runner's process group, which the judge ends with it. Each "process 123 (name)".
/// Such as are just ending get a moment for it; the others are killed.
/// @param judge  none: it has ended, and nobody may be left
std::vector<std::string> end_strays(std::optional<pid_t> judge);

}  // namespace kwb::test
