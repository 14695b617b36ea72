// SPDX-License-Identifier: Apache-2.0
// From a kernel's fault to its line, to the steps that show it, and to what it means.
#pragma once

#include <cstddef>
#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/panels/reasons_panel.hpp"

namespace kwb::gui {

/// Draws small buttons in a row, for a result whose cause_of() is known.
/// @param index  of the result in DeskState::shown
void draw_fault_links(const std::string& id, const DeskState& state, std::size_t index, RunReasons& reasons,
                      Commands& commands);
/// The width in pixels of that row.
float fault_links_width(const DeskState& state, std::size_t index);

}  // namespace kwb::gui
