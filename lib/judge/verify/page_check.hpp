// Checked runs with every buffer against unreadable pages, where an access outside of it cannot hide.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "judge/entrant.hpp"
#include "judge/verify/verification.hpp"

namespace kwb {

/// Runs each contestant twice: with buffers right-aligned to the page behind them and left-aligned to the one
/// before. Where a kernel meets the page, the runner dies with a FaultNote, and the verdict is
/// `out_of_bounds` with argument, element and, if it can be found, work-item; otherwise everything is judged
/// as in any checked run. Buffers lie at multiples of their element type's size. A kernel that crashes so
/// without an address may assume more: it runs again with buffers at the device's base alignment, and if that
/// goes well, it gets a warning that says what could not be watched.
class PageCheck {
public:
    using Report = std::function<void(const Entrant&)>;

    /// @param data    of `pass`
    /// @param report  called before each run
    /// All references must outlive this object.
    PageCheck(const ProblemInstance& instance, Verification& verification, Pass pass, const PassData& data,
              Report report);

    /// Leaves the bench with a layout of this check in use. Does nothing on devices that do not work in the
    /// host's memory.
    /// @param plans     as for make_layout
    /// @param entrants  that run on this bench; those still in the race are checked
    void perform(DeviceBench& bench, const std::vector<const KernelPlan*>& plans,
                 const std::vector<Entrant*>& entrants);

private:
    enum class Outcome { Judged, Unprepared, AddressUnknown, WroteSlack };

    void lay_out(DeviceBench& bench, const std::vector<const KernelPlan*>& plans, Placement placement);
    /// @param is_last_try  no wider alignment is left: a crash without an address is now the kernel's own
    Outcome check(Entrant& entrant, bool is_last_try);
    void judge_trespass(Entrant& entrant, const Loss& loss);
    /// A write that was seen in the slack before a buffer: meet it in the act.
    void catch_writer(Entrant& entrant);

    const ProblemInstance& instance_;
    Verification& verification_;
    Pass pass_;
    const PassData& data_;
    Report report_;
};

/// "the kernel assumes buffers aligned to 16 bytes …; reads of at most 15 bytes past the end of each buffer
/// could therefore not be watched". The same for every size, so that a report can say it once.
std::string describe_blind_slack(std::uint64_t align_bytes);

}  // namespace kwb
