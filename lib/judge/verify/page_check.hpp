// SPDX-License-Identifier: Apache-2.0
// Checked runs with every buffer next to unreadable pages, which detect accesses outside it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/contestant_state.hpp"
#include "judge/processes/runner_process.hpp"
#include "judge/verify/verification.hpp"
#include "model/plan.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// Runs each contestant twice: with buffers that end at an unreadable page and with buffers that start at
/// one. When a kernel accesses such a page, the runner dies with a FaultNote, and the verdict is
/// `out_of_bounds` with the argument, the element and, if it can be found, the work-item. Otherwise the
/// outputs are checked as in any checked run. Buffers are aligned to their element size. A kernel that
/// crashes without an address may assume a larger alignment: it runs again with larger alignments, up to the
/// device's base alignment. If it then works, a warning names the accesses that could not be detected.
class PageCheck {
public:
    using Report = std::function<void(const ContestantState&)>;

    /// @param data    the inputs and outputs of `pass`
    /// @param report  called before each run
    /// All references must outlive this object.
    PageCheck(const ProblemInstance& instance, Verification& verification, Pass pass, const PassData& data,
              Report report);

    /// Leaves one of its layouts in use. Does nothing on devices that do not work in host memory.
    /// @param plans        as for make_layout
    /// @param contestants  those that run on this bench; the ones still in the race are checked
    void perform(DeviceBench& bench, const std::vector<const KernelPlan*>& plans,
                 const std::vector<ContestantState*>& contestants);

private:
    enum class Outcome { Judged, Unprepared, AddressUnknown, WroteSlack };

    void lay_out(DeviceBench& bench, const std::vector<const KernelPlan*>& plans, Placement placement);
    /// @param is_last_try  there is no larger alignment to try, so a crash without an address is the kernel's
    ///                     fault
    Outcome check(ContestantState& contestant, bool is_last_try);
    void judge_stray_access(ContestantState& contestant, const Failure& failure);
    /// Reruns a kernel whose write left traces in the slack before a buffer, so that the write faults.
    void catch_writer(ContestantState& contestant);

    const ProblemInstance& instance_;
    Verification& verification_;
    Pass pass_;
    const PassData& data_;
    Report report_;
};

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
