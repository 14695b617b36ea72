// SPDX-License-Identifier: Apache-2.0
// What is wrong with kernels as compilers write it, for editors and other programs that read their messages.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"

namespace kwb {

/// "file:line:column: error: text", a line for each compiler message, undefined behaviour, hint and bad
/// verdict, each once for all sizes. Without a place, line 1. Empty: nothing is wrong.
std::string problem_lines(const std::vector<KernelResult>& results);

}  // namespace kwb
