// SPDX-License-Identifier: Apache-2.0
// Where tooltips appear: they cover neither what they explain nor the answer.
#pragma once

#include <optional>

#include "gui/look.hpp"

namespace kwb::gui {

/// What a tooltip has to do with, on the screen.
struct TooltipRoom {
    ImRect about;        ///< what it explains
    ImRect list = {};    ///< the list that has this as a row; empty: none
    ImRect answer = {};  ///< what stays visible besides; may be empty
    float left = 0;      ///< where the tooltip prefers to begin
    ImVec2 screen;
};

/// The corner of a tooltip of this size. That of a row stands to the right or left of its list, or below or
/// above all of it, so that it covers no other row. Without a list, or without room there: below `about`, or
/// below `answer` where that would be in the way, otherwise above, to the right or to the left; in the last
/// resort below, within the screen.
ImVec2 place_tooltip(ImVec2 size, const TooltipRoom& room);

/// The list that a tooltip drawn now belongs to: a table, or a popup; empty: none.
ImRect current_list();

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
    explicit Tooltip(const ImRect& about, std::optional<ImVec2> content = {},
                     const ImRect& list = current_list());
    ~Tooltip() { ImGui::EndTooltip(); }
};

}  // namespace kwb::gui
