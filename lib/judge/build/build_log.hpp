// SPDX-License-Identifier: Apache-2.0
// Parses compiler messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/plan.hpp"
#include "model/result.hpp"

namespace kwb {

/// Finds lines of the form "file:line:column: severity: message" (clang and all compilers based on it).
/// @param log  untrusted text
std::vector<Diagnostic> parse_build_log(std::string_view log);

/// A sentence about the first error, with its source line and a caret.
std::string describe_build_errors(const std::vector<Diagnostic>& diagnostics, const KernelPlan& plan);

}  // namespace kwb
