// A kernel's source in which every work-item records itself before each of its statements.
#pragma once

#include <string>

#include "model/plan.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// The text inserted before the traced main file. It defines the function that writes the calling work-item's
/// global ids to the TraceRecord at kTraceAddress; this works on devices that run in host memory, e.g. CPUs.
/// It ends with a #line directive, so that the text after it keeps its line numbers.
std::string trace_prelude();

/// Inserts a call of that function before every statement of every block, in the kernel's file and its
/// includes, and the prelude at the start. One call per kernel is not enough: between two barriers a driver
/// may run one work-item after the other (PoCL does), so the record would name the work-item that reached the
/// barrier last.
/// @param program  the parsed source of `plan`
/// @return  a plan with the same number of lines in each file, except for the prelude
KernelPlan add_trace_calls(const KernelPlan& plan, const source::Program& program);

}  // namespace kwb
