// Checked runs with every buffer next to unreadable pages, which detect accesses outside it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "judge/contestant_state.hpp"
#include "judge/verify/verification.hpp"

namespace kwb {

/// Runs each contestant twice: with buffers that end at an unreadable page and with buffers that start at
/// one. When a kernel accesses such a page, the runner dies with a FaultNote, and the verdict is
/// `out_of_bounds` with the argument, the element and, if it can be found, the work-item. Otherwise the
/// outputs are checked as in any checked run. Buffers are aligned to their element size. A kernel that
/// crashes without an address may assume a larger alignment: it runs again with larger alignments, up to the
/// device's base alignment. If it then works, a warning says which accesses could not be detected.
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

/// "the kernel assumes buffers aligned to 16 bytes …; reads of at most 15 bytes past the end of each buffer
/// could therefore not be watched". The same sentence for every size, so that a report can state it once.
std::string describe_blind_slack(std::uint64_t align_bytes);

}  // namespace kwb
