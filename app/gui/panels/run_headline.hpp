// Describes the results below: progress of the run, problem and device, warnings.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "desk/state.hpp"

namespace kwb::gui {

/// "14:02", local time.
std::string clock_time(std::chrono::system_clock::time_point when);

/// "earlier run of 14:02", with its sizes if they differ from those of the present run.
std::string name_of_earlier(const ShownRun& earlier, const ShownRun& present);

/// One line of constant height, so that nothing below it moves when a run begins or ends.
/// Probes: times/progress or times/run, times/warnings (a button; …/<index> in its list).
class RunHeadline {
public:
    /// @param shows_sweep  the results below are the sweep's
    void draw(const DeskState& state, bool shows_sweep);

private:
    void draw_words(const DeskState& state, bool shows_sweep, float room) const;
    void draw_sweep(const ShownSweep& sweep, float room) const;
    void draw_warnings();

    std::shared_ptr<const ShownRun> warnings_of_;
    std::vector<std::string> warnings_;
};

}  // namespace kwb::gui
