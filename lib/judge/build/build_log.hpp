// Read the messages of a compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/plan.hpp"
#include "model/result.hpp"

namespace kwb {

/// Find lines of the form "file:line:column: severity: message" (clang and all compilers built on it).
/// @param log  untrusted text
std::vector<Diagnostic> parse_build_log(std::string_view log);

/// A sentence on the first error, with its source line and a caret.
std::string describe_build_errors(const std::vector<Diagnostic>& diagnostics, const KernelPlan& plan);

}  // namespace kwb
