// SPDX-License-Identifier: Apache-2.0
// A lesson's text on the screen.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "desk/shown_course.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

/// Draws blocks one below the other, wrapped at the right edge of the window. Terms of the glossary are
/// underlined; pointing at one, or pressing it, shows its meaning. Code that is too wide scrolls.
void draw_story(std::string_view id, std::span<const StoryBlock> blocks, const std::vector<Term>& glossary);

}  // namespace kwb::gui
