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

/// Draws a sentence of a lesson, such as a hint, wrapped like text(); its `code` looks as in the lesson.
/// @param font  of plain words; null: body
void draw_sentence(std::string_view id, std::string_view sentence, ImFont* font = nullptr,
                   Tone tone = Tone::Normal);

}  // namespace kwb::gui
