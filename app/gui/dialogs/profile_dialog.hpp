// SPDX-License-Identifier: Apache-2.0
// The profile or trace of a program that the user opened: timeline and tables. Modal; closed by Escape or its
// button.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/panels/xray_panel.hpp"
#include "report/timeline.hpp"

namespace kwb::gui {

class ProfileDialog {
public:
    void draw(const DeskState& state, Commands& commands);

private:
    std::shared_ptr<const ProfileView> made_of_;
    float made_width_ = 0;  ///< of the timeline, in pixels
    std::optional<Timeline> timeline_;
    std::vector<XrayTableView> tables_;
};

}  // namespace kwb::gui
