// SPDX-License-Identifier: Apache-2.0
// The File menu: experiments, kernel files, and exports.
#pragma once

#include <string>
#include <string_view>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/saving.hpp"

namespace kwb::gui {

/// The items, in an open popup. The desk lists the recent files: see command::ListRecent.
void draw_file_items(const DeskState& state, PendingSave& pending, Commands& commands);

/// Why nothing can be exported at present, as a sentence; empty if there are results.
std::string_view export_obstacle(const DeskState& state);

/// The forms in which the run or the sweep shown can be exported. Requires that export_obstacle() is empty.
/// @param id  of the items: "file/export" for "file/export/html"
void draw_export_items(const std::string& id, const DeskState& state, PendingSave& pending,
                       Commands& commands);

}  // namespace kwb::gui
