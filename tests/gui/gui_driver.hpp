// SPDX-License-Identifier: Apache-2.0
// Simulates a user: finds widgets by the IDs of their probes, moves the pointer, clicks, types, and waits for
// results. Never sleeps; waiting draws frames.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gui/keys.hpp"
#include "gui/stage.hpp"
#include "support/patience.hpp"

namespace kwb::test {

/// A user could not perform the action; the message describes the actual state.
class CannotAct : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class GuiDriver {
public:
    /// Draw the first frames, until the layout has settled.
    GuiDriver(Stage& stage, gui::Program& program);

    /// Draw frames.
    void pump(int frames = 1);
    /// Draw enough frames that sizes measured in one frame take effect in the next.
    void settle() { pump(3); }
    /// Draw frames until `condition` holds.
    /// @throws CannotAct naming `what`  `condition` does not hold within `patience_ms`
    void wait_until(const std::string& what, const std::function<bool()>& condition,
                    double patience_ms = kPatienceMs);

    bool has(std::string_view id) const;
    /// @throws CannotAct naming the most similar IDs  the widget is not drawn
    const gui::Probed& at(std::string_view id) const;
    /// Whether a widget's label has these words.
    bool says(std::string_view words) const;

    /// Move to the widget and click. All of these throw CannotAct if the widget is invisible or disabled, or
    /// if another widget would receive the click.
    void click(std::string_view id, int button = 0);
    void double_click(std::string_view id);
    /// Click at a position in the widget's rectangle, 0 … 1 each way; also works for custom-drawn content.
    void click_at(std::string_view id, double share_x, double share_y, int button = 0);
    void hover(std::string_view id, double share_x = 0.5, double share_y = 0.5);
    void wheel(std::string_view id, double steps_up);
    void ctrl_wheel(std::string_view id, double steps_up);
    void drag(std::string_view from, std::string_view to);
    void drag_at(std::string_view id, double from_x, double from_y, double to_x, double to_y);
    /// Type UTF-8 text into the focused widget.
    void type(std::string_view text);
    void key(const gui::Chord& chord);
    /// Move the pointer away from all widgets.
    void park_pointer();

    Stage& stage() { return stage_; }

private:
    void move_to(std::string_view id, double share_x, double share_y, bool to_act);
    void press(int button);

    Stage& stage_;
    gui::Program& program_;
};

}  // namespace kwb::test
