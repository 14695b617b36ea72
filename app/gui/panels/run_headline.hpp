// What the results below are of: how far the run is, which problem on which device, its warnings.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "desk/state.hpp"

namespace kwb::gui {

/// "earlier run of 14:02", and its sizes where they differ from those of the present run.
std::string name_of_earlier(const ShownRun& earlier, const ShownRun& present);

/// Probes: times/progress, times/run, times/error, times/warnings (a button; …/first, …/<index> in its list).
class RunHeadline {
public:
    void draw_state(const DeskState& state);
    void draw_warnings(const std::shared_ptr<const ShownRun>& run);

private:
    std::shared_ptr<const ShownRun> warnings_of_;
    std::vector<std::string> warnings_;
};

}  // namespace kwb::gui
