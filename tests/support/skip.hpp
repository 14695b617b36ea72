// SPDX-License-Identifier: Apache-2.0
// Tests that cannot run everywhere.
#pragma once

#include <string_view>

namespace kwb::test {

/// Say that a check needs what this machine lacks. CTest then reports the group as skipped, unless a check of
/// it fails.
/// @param why  "this machine's kernel has no Landlock"
void skip(std::string_view why);

}  // namespace kwb::test
