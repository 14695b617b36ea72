// The menu File: experiments, kernel files, and exports.
#pragma once

#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/saving.hpp"

namespace kwb::gui {

/// The items, in an open popup. The desk lists the recent files: see command::ListRecent.
void draw_file_items(const DeskState& state, PendingSave& pending, Commands& commands);

/// The forms in which a run can be exported.
/// @param id  of the items: "file/export" for "file/export/html"
void draw_export_items(const std::string& id, const ShownRun& run, PendingSave& pending, Commands& commands);

}  // namespace kwb::gui
