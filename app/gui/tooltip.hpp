// SPDX-License-Identifier: Apache-2.0
// Where tooltips appear: they cover neither what they explain nor the answer.
#pragma once

#include <optional>

#include "gui/look.hpp"

namespace kwb::gui {

/// The corner of a tooltip of this size: below `about`, or below `answer` where that would be in the way,
/// otherwise above, to the right or to the left; in the last resort below, within the screen.
/// @param answer  what stays visible besides; may be empty
/// @param left    where the tooltip prefers to begin
ImVec2 place_tooltip(ImVec2 size, const ImRect& about, const ImRect& answer, float left, ImVec2 screen);

/// Whether the last item has a tooltip now: the pointer is on it, or the keyboard focus, unless an audience
/// looks on that did not ask (TabOrder::hides_help()).
bool explains_last_item();

/// What of the last item is explained: all of it, but of a tall one only what is around the pointer.
ImRect explained_part();

/// The width at which a tooltip wraps that would like `wanted` pixels.
float tooltip_width(float wanted);

/// A tooltip: `const Tooltip box(about, size); text(…);`. All tooltips are drawn this way.
class Tooltip : Scope {
public:
    /// @param about    on the screen
    /// @param content  its size in pixels; nullopt: as in the last frame, so that a new line may be cut off
    explicit Tooltip(const ImRect& about, std::optional<ImVec2> content = {});
    ~Tooltip() { ImGui::EndTooltip(); }
};

}  // namespace kwb::gui
