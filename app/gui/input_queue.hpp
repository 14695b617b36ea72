// A queue of user input, in order, until a frame consumes it.
#pragma once

#include <bitset>
#include <cstddef>
#include <deque>
#include <optional>
#include <variant>

#include "gui/keys.hpp"

namespace kwb::gui {

/// ImGui before 1.87 samples the keys that are held when a frame begins, so a key pressed and released
/// between two frames would be lost. Events are therefore queued here, and each frame gets as many as can
/// take effect in one frame without cancelling or reordering each other. ImGui's own queue, from 1.87 on,
/// does the same.
class InputQueue {
public:
    void key(Key key, bool down);
    void character(unsigned code_point);
    /// @param time_s  time of the event on any steady clock, to detect double clicks
    void button(int button, bool down, double time_s);
    void wheel(float horizontal, float vertical);
    /// In window coordinates.
    void pointer(float x, float y);
    /// The pointer has left the window.
    void pointer_left();

    /// Passes events to the next frame. Call right before ImGui::NewFrame(), with this frame's DeltaTime set.
    void apply();

    /// Whether events remain for a later frame.
    bool waits() const { return !events_.empty(); }

private:
    struct KeyEvent {
        Key key;
        bool down;
    };
    struct TextEvent {
        unsigned code_point;
    };
    struct ButtonEvent {
        int button;
        bool down;
        double time_s;
    };
    struct WheelEvent {
        float horizontal, vertical;
    };
    struct PointerEvent {
        float x, y;
    };
    struct LeaveEvent {};
    using Event = std::variant<KeyEvent, TextEvent, ButtonEvent, WheelEvent, PointerEvent, LeaveEvent>;

    static constexpr std::size_t kKeys = 512, kButtons = 5;  ///< the limits of ImGui 1.86

    /// Events that this frame has received so far.
    struct Taken {
        std::bitset<kKeys> keys;
        std::bitset<kButtons> buttons;
        bool letters = false;  ///< keys that produce text were pressed
        bool command = false;  ///< a key that acts was pressed, such as Backspace or Ctrl+S
        bool text = false, wheel = false, moved = false;
    };

    bool commands(Key key) const;
    bool may(const Taken& taken, const Event& event) const;
    void take(Taken& taken, const Event& event);

    std::deque<Event> events_;
    std::bitset<kKeys> held_;
    std::bitset<kButtons> buttons_;
    std::optional<PointerEvent> pointer_;
    double pressed_s_[kButtons] = {-1e9, -1e9, -1e9, -1e9, -1e9};
};

}  // namespace kwb::gui
