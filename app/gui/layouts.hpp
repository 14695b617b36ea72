// SPDX-License-Identifier: Apache-2.0
// The user's layouts, and the settings that belong to one.
#pragma once

#include "desk/window_settings.hpp"

namespace kwb::gui {

/// The current layout of the panels: which are shown, where, how large, and which tab is in front.
PanelLayout layout_of(const Settings& settings);

/// @param layout  {}: the standard one
void apply_layout(Settings& settings, const PanelLayout& layout);

}  // namespace kwb::gui
