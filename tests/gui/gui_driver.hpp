// Acts as a person at the window: finds widgets by their probes' ids, moves, presses, types, and waits for
// what has to come. Never sleeps; a wait draws frames.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gui/keys.hpp"
#include "gui/stage.hpp"

namespace kwb::test {

/// The person could not do it: the message says what was there instead.
class CannotAct : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class GuiDriver {
public:
    /// Draws the first frames, until the layout has settled.
    GuiDriver(Stage& stage, gui::Program& program);

    /// Draw frames.
    void pump(int frames = 1);
    /// Enough frames for everything measured in one to be used in the next.
    void settle() { pump(3); }
    /// @throws CannotAct naming `what` if `condition` does not hold within `patience_s` of frames
    void wait_until(const std::string& what, const std::function<bool()>& condition, double patience_s = 10);

    bool has(std::string_view id) const;
    /// @throws CannotAct naming the nearest ids if it is not drawn
    const gui::Probed& at(std::string_view id) const;

    /// Move onto it and press. All throw CannotAct if it is not visible, not enabled, or if a press there
    /// would reach something else.
    void click(std::string_view id, int button = 0);
    void double_click(std::string_view id);
    /// Where in its rectangle, 0 … 1 each way; also of what is painted by hand.
    void click_at(std::string_view id, double share_x, double share_y, int button = 0);
    void hover(std::string_view id, double share_x = 0.5, double share_y = 0.5);
    void wheel(std::string_view id, double steps_up);
    void drag(std::string_view from, std::string_view to);
    void drag_at(std::string_view id, double from_x, double from_y, double to_x, double to_y);
    /// Into what has the keyboard; UTF-8.
    void type(std::string_view text);
    void key(const gui::Chord& chord);
    /// Away from every widget.
    void park_pointer();

    Stage& stage() { return stage_; }

private:
    void move_to(std::string_view id, double share_x, double share_y, bool to_act);
    void press(int button);

    Stage& stage_;
    gui::Program& program_;
};

}  // namespace kwb::test
