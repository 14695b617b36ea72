// SPDX-License-Identifier: Apache-2.0
// Hints from a kernel's source, and facts in it that a driver does not report.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ipc/runner_messages.hpp"
#include "model/plan.hpp"
#include "model/result.hpp"
#include "model/xray.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// Suspicions (source/suspicions.hpp) in the functions that a plan launches.
std::vector<Finding> find_plan_suspicions(const source::Program& program, const KernelPlan& plan);

/// The suspicions as hints, without those that X-ray has decided: barriers that it saw reached, and what it
/// found itself.
/// @param barriers  that X-ray saw work-items reach
std::vector<Hint> hints_of(const std::vector<Finding>& suspicions, const std::vector<XrayPlace>& barriers,
                           const std::optional<XrayOutcome>& xray);

/// "; see the hint at line 14" if a hint may explain the verdict, otherwise empty.
std::string refer_to_hints(Verdict verdict, const std::vector<Hint>& hints);

/// "; the driver chose the work-groups, but the source declares t[16][17] …" if that may explain the verdict,
/// otherwise empty.
std::string refer_to_tiles(Verdict verdict, const KernelPlan& plan);

/// Fills in what the source declares where the driver reports nothing: the size of the local memory, which
/// PoCL 6 reports as 0 (it stays 0 where the source does not determine it); the arguments, which OpenCL 1.1
/// and some GPUs do not report; and their names, where a driver reports another one than the source has, as
/// PoCL does with "_cl_length" for `length`.
void add_untold(BuiltReply& built, const KernelPlan& plan);

/// Returns one error for each function that the driver's linker did not find, at its first call in the
/// source, sorted by line. Functions whose call is not in the source (the compiler generated it) are skipped;
/// if there are no others, the first one is reported with line and column 0.
/// @param log  untrusted output of the driver
/// @return  at most 20; empty if the log has only other errors
std::vector<Diagnostic> find_missing_functions(std::string_view log, const KernelPlan& plan);

}  // namespace kwb
