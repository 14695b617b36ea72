// Finds the work-item that made an out-of-bounds access.
#pragma once

#include <optional>
#include <string>

#include "judge/contestant_state.hpp"
#include "judge/processes/runner_process.hpp"
#include "model/plan.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// Runs a kernel again that has accessed an unreadable page: traced (add_trace_calls()), with one thread,
/// in its own runner. Takes a compilation, 100 to 2000 ms. With several threads, which of them first accesses
/// a page is random; a single thread runs the work-items in order. So this run may end with a different
/// out-of-bounds access than the first run; then that one is reported.
/// @param bench    the bench of the first run, with its layout in use
/// @param request  the request of the first run
/// @return  the `out_of_bounds` failure with the work-item in its evidence; nullopt if the traced source does
///          not compile, the run ends differently, or the driver is not known to run work-items in order
std::optional<Failure> find_work_item(const DeviceBench& bench, const ContestantState& contestant,
                                      ExecuteRequest request, const PassData& data);

// A kernel's source in which every work-item records itself before each of its statements.

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
