// What the person did, in order, until a frame has taken it.
#pragma once

#include <bitset>
#include <cstddef>
#include <deque>
#include <optional>
#include <variant>

#include "gui/keys.hpp"

namespace kwb::gui {

/// ImGui before 1.87 looks at what is held when a frame begins: a key that goes down and up between two
/// frames was never pressed. So the events wait here, and a frame gets as many as can happen in one frame
/// without undoing or overtaking each other; ImGui's own queue, from 1.87 on, does the same.
class InputQueue {
public:
    void key(Key key, bool down);
    void character(unsigned code_point);
    /// @param time_s  when it happened, on any steady clock: recognizes double clicks
    void button(int button, bool down, double time_s);
    void wheel(float horizontal, float vertical);
    /// In the window's coordinates.
    void pointer(float x, float y);
    /// The pointer is not over the window any more.
    void pointer_left();

    /// Pass to the next frame what it can take. Right before ImGui::NewFrame(), with this frame's DeltaTime
    /// set.
    void apply();

    /// Is anything left for a later frame?
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

    static constexpr std::size_t kKeys = 512, kButtons = 5;  ///< as many as ImGui 1.86 knows

    /// What this frame has got already.
    struct Taken {
        std::bitset<kKeys> keys;
        std::bitset<kButtons> buttons;
        bool letters = false;  ///< keys went down that write text
        bool command = false;  ///< a key that acts, such as Backspace or Ctrl with S
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
