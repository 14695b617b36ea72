// Tab goes to every control. ImGui's own stops only at fields, and its arrow keys miss some controls.
#pragma once

#include <optional>
#include <vector>

#include "gui/imgui_compat.hpp"

namespace kwb::gui {

/// Tab and Shift+Tab go through all controls of the window or popup that has the keyboard, in the order in
/// which they are drawn and around its ends; what is scrolled away comes into sight. A field that it comes to
/// is written in at once. Whoever edits text with Tab keeps it.
class TabOrder {
public:
    /// Right after ImGui's NewFrame().
    void begin_frame();
    /// Before a control: it gets the keyboard, in the next frame at the latest.
    void take_next();
    /// After each control.
    /// @param rests  it gets the focus ring, and is not yet written in
    void offer_last_item(bool rests);
    /// When everything is drawn.
    void end_frame();

private:
    struct Stop {
        ImGuiID item = 0, focus_scope = 0;
        ImGuiWindow* window = nullptr;  // of the frame before: windows live as long as the context
        ImRect rect;                    // pixels of the window
        bool writes = false;
    };
    void go_to(const Stop& stop);

    int step_ = 0;  // of the frame: +1, -1, 0
    bool takes_next_ = false;
    std::vector<Stop> stops_;
    std::optional<Stop> next_;
};

/// Right after NewFrame(): what ImGui's own keyboard lacks. Enter presses what has the focus ring, as Space
/// does; Up and Down begin at the near edge of what is high.
void mend_keyboard();

}  // namespace kwb::gui
