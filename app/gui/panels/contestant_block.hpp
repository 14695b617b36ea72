// One contestant in the experiment panel.
#pragma once

#include <cstddef>

#include "gui/panels/choices_edit.hpp"

namespace kwb::gui {

/// Its colour in the charts, kernel, work-group and parameters, the resulting launch, and what is wrong with
/// it.
/// @param index  of state.choices.contestants
/// Probes: experiment/contestant/<index>/kernel, …/more (a menu: …/baseline, …/duplicate, …/remove), …/local,
/// …/param/<name>, …/geometry, …/is_baseline, …/obstacle, …/warning/<number>.
void draw_contestant(ChoicesEdit& edit, std::size_t index);

}  // namespace kwb::gui
