// A kernel's source in which every work-item notes itself before each of its statements.
#pragma once

#include <string>

#include "model/plan.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// What stands before the traced main file: the function that notes the calling work-item's global ids in the
/// TraceRecord at kTraceAddress. Works on devices that run in the host's memory, e.g. CPUs. Ends so that the
/// text after it keeps its line numbers.
std::string trace_prelude();

/// Put a call of that function before every statement of every block, in the kernel's file and its
/// neighbours, and the prelude before all. A driver may run the part of a kernel between two barriers for one
/// work-item after the other (PoCL does), so that noting once a kernel would name whoever came last to the
/// barrier.
/// @param program  read from `plan`'s source
/// @return  with as many lines in each file, but for the prelude
KernelPlan add_trace_calls(const KernelPlan& plan, const source::Program& program);

}  // namespace kwb
