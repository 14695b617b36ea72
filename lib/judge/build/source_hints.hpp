// What a kernel's source tells by itself: hints, and what a driver does not report.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "hints/hints.hpp"
#include "ipc/runner_messages.hpp"
#include "model/plan.hpp"
#include "model/result.hpp"
#include "source/text.hpp"

namespace kwb {

/// A kernel's source with its include files, and the macros and options that its compiler gets.
SourceText read_plan_source(const KernelPlan& plan);

/// Find hints in a kernel's source, with the macros that its compiler gets.
/// @param stop  ends the reading of the source early
std::vector<Hint> find_plan_hints(const KernelPlan& plan, const Sizes& sizes, const std::stop_token& stop);

/// "; see the hint at line 14" where such a fault may have caused the verdict, else nothing.
std::string refer_to_hints(Verdict verdict, const std::vector<Hint>& hints);

/// Fill in the local memory that the source declares where the driver reports 0, as PoCL 6 does. What the
/// source does not tell stays 0.
void add_local_memory(BuiltReply& built, const KernelPlan& plan);

/// Fill in the arguments that the source declares where the driver reports none (OpenCL 1.1, and some GPUs).
void add_arguments(BuiltReply& built, const KernelPlan& plan);

}  // namespace kwb
