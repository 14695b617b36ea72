// SPDX-License-Identifier: Apache-2.0
// Tab navigation to every control. ImGui's own Tab stops only at fields, and its arrow keys miss some
// controls.
#pragma once

#include <optional>
#include <vector>

#include "gui/imgui_compat.hpp"

namespace kwb::gui {

/// Tab and Shift+Tab cycle through all controls of the focused window or popup, in drawing order; a control
/// that is out of view is scrolled into view, and its tooltip shown. A text field starts editing immediately.
/// Widgets that use Tab while editing keep it.
class TabOrder {
public:
    /// Call right after ImGui's NewFrame().
    void begin_frame();
    /// Call before a control: it gets keyboard focus, at the latest in the next frame, without its tooltip.
    void take_next();
    /// Call after each control.
    /// @param rests  the control gets the focus ring without starting to edit
    void offer_last_item(bool rests);
    /// Call after everything was drawn.
    void end_frame();

    /// Whether the control with keyboard focus has no tooltip, as after Escape and the keys of a run. It has
    /// one again once a key moves the focus.
    bool hides_help() const { return hides_help_; }
    void hide_help(bool hides) { hides_help_ = hides; }

private:
    struct Stop {
        ImGuiID item = 0, focus_scope = 0;
        ImGuiWindow* window = nullptr;  // of the previous frame; windows live as long as the context
        ImRect rect;                    // in window pixels
        bool writes = false;
    };
    void go_to(const Stop& stop);
    void keep_typed();

    bool hides_help_ = false;
    int step_ = 0;  // +1, -1 or 0 in this frame
    bool takes_next_ = false;
    std::vector<Stop> stops_;
    std::optional<Stop> next_;
    ImGuiID awaited_ = 0;         ///< the field that will edit in the next frames; 0: none
    int patience_ = 0;            ///< frames until it is given up
    std::vector<ImWchar> typed_;  ///< meanwhile, for it
};

/// Call right after NewFrame(). Adds what ImGui's keyboard navigation lacks: Enter presses the focused item,
/// as Space does; Up and Down start from the near edge of tall items.
void mend_keyboard();

}  // namespace kwb::gui
