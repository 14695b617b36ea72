#include "gui/input_queue.hpp"

#include "gui/imgui_compat.hpp"

namespace kwb::gui {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;  // clang++ before 17 needs this deduction guide

// GLFW's key codes, like all of Key.
constexpr int kLeftShift = 340, kLeftControl = 341, kLeftAlt = 342, kRightShift = 344, kRightControl = 345,
              kRightAlt = 346;

constexpr int code_of(Key key) {
    return static_cast<int>(key);
}
constexpr std::size_t index_of(Key key) {
    return static_cast<std::size_t>(key);
}
constexpr bool is_modifier(Key key) {
    return code_of(key) >= kLeftShift && code_of(key) <= 347;
}

}  // namespace

void InputQueue::key(Key key, bool down) {
    if (code_of(key) >= 0 && index_of(key) < kKeys) events_.push_back(KeyEvent{key, down});
}

void InputQueue::character(unsigned code_point) {
    events_.push_back(TextEvent{code_point});
}

void InputQueue::button(int button, bool down, double time_s) {
    if (button >= 0 && static_cast<std::size_t>(button) < kButtons)
        events_.push_back(ButtonEvent{button, down, time_s});
}

void InputQueue::wheel(float horizontal, float vertical) {
    events_.push_back(WheelEvent{horizontal, vertical});
}

void InputQueue::pointer(float x, float y) {
    // Only the end of a movement matters.
    if (!events_.empty() && std::holds_alternative<PointerEvent>(events_.back())) events_.pop_back();
    events_.push_back(PointerEvent{x, y});
}

void InputQueue::pointer_left() {
    events_.push_back(LeaveEvent{});
}

/// Whether the key triggers an action rather than producing text.
bool InputQueue::commands(Key key) const {
    const bool with_others =
        held_[kLeftControl] || held_[kRightControl] || held_[kLeftAlt] || held_[kRightAlt];
    return with_others || key >= Key::Escape;
}

bool InputQueue::may(const Taken& taken, const Event& event) const {
    const bool acted = taken.command || taken.buttons.any();
    return std::visit(Overloaded{
                          [&](const KeyEvent& e) {
                              if (taken.keys[index_of(e.key)]) return false;
                              // A modifier must not turn earlier events of this frame into a chord, or remove
                              // theirs.
                              if (is_modifier(e.key))
                                  return !acted && !taken.letters && !taken.text && !taken.wheel;
                              if (!e.down) return true;
                              // A text field handles one such action per frame, and only after the text of
                              // that frame.
                              return !acted && !(commands(e.key) && (taken.text || taken.letters));
                          },
                          [&](const TextEvent&) { return !acted; },
                          // After a move in this frame, no widget is hovered at the new position yet; and a
                          // drag must end where the button was released.
                          [&](const ButtonEvent& e) {
                              return !taken.buttons[static_cast<std::size_t>(e.button)] && !taken.moved &&
                                     !taken.wheel && !taken.command && !taken.text;
                          },
                          [&](const WheelEvent&) { return !taken.moved && taken.buttons.none(); },
                          [&](const PointerEvent&) { return taken.buttons.none() && !taken.wheel; },
                          [&](const LeaveEvent&) { return taken.buttons.none() && !taken.wheel; },
                      },
                      event);
}

void InputQueue::take(Taken& taken, const Event& event) {
    std::visit(Overloaded{
                   [&](const KeyEvent& e) {
                       if (held_[index_of(e.key)] == e.down) return;
                       if (e.down && !is_modifier(e.key))
                           (commands(e.key) ? taken.command : taken.letters) = true;
                       held_[index_of(e.key)] = e.down;
                       taken.keys.set(index_of(e.key));
                       compat::inject_key(e.key, e.down);
                       if (is_modifier(e.key))
                           compat::inject_modifiers(held_[kLeftControl] || held_[kRightControl],
                                                    held_[kLeftShift] || held_[kRightShift],
                                                    held_[kLeftAlt] || held_[kRightAlt]);
                   },
                   [&](const TextEvent& e) {
                       taken.text = true;
                       ImGui::GetIO().AddInputCharacter(e.code_point);
                   },
                   [&](const ButtonEvent& e) {
                       const auto index = static_cast<std::size_t>(e.button);
                       if (buttons_[index] == e.down) return;
                       buttons_[index] = e.down;
                       taken.buttons.set(index);
                       if (!e.down) return;
                       // ImGui uses frame times for double clicks. Adjust its last click time, so that the
                       // interval between the clicks is that of the events.
                       ImGuiIO& io = ImGui::GetIO();
                       io.MouseClickedTime[index] = ImGui::GetTime() + static_cast<double>(io.DeltaTime) -
                                                    (e.time_s - pressed_s_[index]);
                       pressed_s_[index] = e.time_s;
                   },
                   [&](const WheelEvent& e) {
                       taken.wheel = true;
                       compat::inject_wheel(e.horizontal, e.vertical);
                   },
                   [&](const PointerEvent& e) {
                       taken.moved = taken.moved || !pointer_ || pointer_->x != e.x || pointer_->y != e.y;
                       pointer_ = e;
                   },
                   [&](const LeaveEvent&) {
                       if (buttons_.none()) pointer_.reset();  // otherwise a drag continues outside
                   },
               },
               event);
}

void InputQueue::apply() {
    Taken taken;
    while (!events_.empty() && may(taken, events_.front())) {
        take(taken, events_.front());
        events_.pop_front();
    }
    // Set in each frame, because a backend overwrites both with their current state.
    if (pointer_) compat::inject_pointer(pointer_->x, pointer_->y);
    for (std::size_t i = 0; i < kButtons; ++i) compat::inject_button(static_cast<int>(i), buttons_[i]);
}

}  // namespace kwb::gui
