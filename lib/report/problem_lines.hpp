// SPDX-License-Identifier: Apache-2.0
// What is wrong with kernels as compilers write it, for editors and other programs that read their messages.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"

namespace kwb {

/// What is wrong at a place in a file.
struct PlacedProblem {
    Diagnostic what;   ///< with the file's path, from line 1 and column 1
    std::string kind;  ///< a verdict, a finding's code, or "compiler" or "hint"
};

/// Each compiler message, undefined behaviour, hint and bad verdict, once for all sizes. Without a place,
/// line 1.
std::vector<PlacedProblem> placed_problems(const std::vector<KernelResult>& results);

/// "file:line:column: error: text", a line for each.
std::string problem_line(const PlacedProblem& problem);

/// All of them. Empty: nothing is wrong.
std::string problem_lines(const std::vector<KernelResult>& results);

}  // namespace kwb
