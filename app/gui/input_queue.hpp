// SPDX-License-Identifier: Apache-2.0
// A queue of user input, in order, until a frame consumes it.
#pragma once

#include <bitset>
#include <cstddef>
#include <deque>
#include <optional>

#include "gui/keys.hpp"

namespace kwb::gui {

/// ImGui before 1.87 samples the keys that are held when a frame begins, so a key pressed and released
/// between two frames would be lost. Events are therefore queued here, and each frame gets at most one event
/// that acts (a key press, a button, the wheel, a move), together with the text that it produced. ImGui's own
/// queue, from 1.87 on, does the same.
class InputQueue {
public:
    void key(Key key, bool down);
    void character(unsigned code_point) { events_.push_back({.kind = Kind::Text, .code = code_point}); }
    /// @param time_s  time of the event on any steady clock, to detect double clicks
    void button(int button, bool down, double time_s);
    void wheel(float horizontal, float vertical);
    /// In window coordinates.
    void pointer(float x, float y);
    /// The pointer has left the window.
    void pointer_left() { events_.push_back({.kind = Kind::Leave}); }

    /// Passes events to the next frame. Call right before ImGui::NewFrame(), with this frame's DeltaTime set.
    void apply();

    /// Whether events remain for a later frame.
    bool waits() const { return !events_.empty(); }

private:
    static constexpr std::size_t kKeys = 512, kButtons = 5;  ///< the limits of ImGui 1.86

    enum class Kind { Key, Text, Button, Wheel, Pointer, Leave };
    struct Event {
        Kind kind;
        std::size_t code = 0;  ///< of the key, character or button
        bool down = false;
        double time_s = 0;
        float x = 0, y = 0;  ///< position or wheel steps
    };
    void take(const Event& event);

    std::deque<Event> events_;
    std::bitset<kKeys> held_;
    std::bitset<kButtons> buttons_;
    std::optional<Event> pointer_;  ///< the last move; none outside the window
    double pressed_s_[kButtons] = {-1e9, -1e9, -1e9, -1e9, -1e9};
};

}  // namespace kwb::gui
