// SPDX-License-Identifier: Apache-2.0
#include "gui/input_queue.hpp"

#include "gui/imgui_compat.hpp"

namespace kwb::gui {
namespace {

// GLFW's key codes, like all of Key.
constexpr std::size_t kLeftShift = 340, kLeftControl = 341, kLeftAlt = 342, kRightShift = 344,
                      kRightControl = 345, kRightAlt = 346, kRightSuper = 347;

/// Keys that produce characters have lower codes.
constexpr std::size_t kFirstCommand = 256;

constexpr bool is_modifier(std::size_t key) {
    return key >= kLeftShift && key <= kRightSuper;
}

}  // namespace

void InputQueue::key(Key key, bool down) {
    const auto code = static_cast<std::size_t>(key);  // an unknown key, -1, is beyond the limit
    if (code < kKeys) events_.push_back({.kind = Kind::Key, .code = code, .down = down});
}

void InputQueue::button(int button, bool down, double time_s) {
    const auto code = static_cast<std::size_t>(button);
    if (code < kButtons)
        events_.push_back({.kind = Kind::Button, .code = code, .down = down, .time_s = time_s});
}

void InputQueue::wheel(float horizontal, float vertical) {
    if (events_.empty() || events_.back().kind != Kind::Wheel) events_.push_back({.kind = Kind::Wheel});
    events_.back().x += horizontal;
    events_.back().y += vertical;
}

void InputQueue::pointer(float x, float y) {
    // Only the end of a movement matters.
    if (!events_.empty() && events_.back().kind == Kind::Pointer) events_.pop_back();
    events_.push_back({.kind = Kind::Pointer, .x = x, .y = y});
}

void InputQueue::take(const Event& event) {
    ImGuiIO& io = ImGui::GetIO();
    switch (event.kind) {
        case Kind::Key:
            if (held_[event.code] == event.down) return;
            held_[event.code] = event.down;
            inject_key(static_cast<Key>(event.code), event.down);
            if (is_modifier(event.code))
                inject_modifiers(held_[kLeftControl] || held_[kRightControl],
                                 held_[kLeftShift] || held_[kRightShift],
                                 held_[kLeftAlt] || held_[kRightAlt]);
            return;
        case Kind::Text:
            inject_character(static_cast<unsigned>(event.code));
            return;
        case Kind::Button:
            if (buttons_[event.code] == event.down) return;
            buttons_[event.code] = event.down;
            if (!event.down) return;
            // ImGui uses frame times for double clicks. Adjust its last click time, so that the interval
            // between the clicks is that of the events.
            io.MouseClickedTime[event.code] = ImGui::GetTime() + static_cast<double>(io.DeltaTime) -
                                              (event.time_s - pressed_s_[event.code]);
            pressed_s_[event.code] = event.time_s;
            return;
        case Kind::Wheel:
            inject_wheel(event.x, event.y);
            return;
        case Kind::Pointer:
            pointer_ = event;
            return;
        case Kind::Leave:
            if (buttons_.none()) pointer_.reset();  // otherwise a drag continues outside
            return;
    }
}

void InputQueue::apply() {
    std::bitset<kKeys> touched;
    bool acted = false, takes_text = true;
    for (; !events_.empty(); events_.pop_front()) {
        const Event& event = events_.front();
        const bool is_key = event.kind == Kind::Key, is_text = event.kind == Kind::Text;
        const bool is_release = is_key && !event.down && !is_modifier(event.code);
        if (is_key && touched[event.code]) break;
        if (is_text ? !takes_text : acted && !is_release) break;
        if (is_key) touched.set(event.code);
        const bool with_others =
            held_[kLeftControl] || held_[kRightControl] || held_[kLeftAlt] || held_[kRightAlt];
        // Fields take characters before keys, so text may only follow a key that can have produced it.
        const bool writes =
            !event.down || is_modifier(event.code) || (!with_others && event.code < kFirstCommand);
        // A modifier may precede the key that it belongs to, but not follow an unrelated one.
        acted = acted || is_text || !is_key || (event.down && !is_modifier(event.code));
        takes_text = takes_text && (is_text || (is_key && writes));
        take(event);
    }
    // Set in each frame, because a backend overwrites both with their current state.
    if (pointer_) inject_pointer(pointer_->x, pointer_->y);
    for (std::size_t i = 0; i < kButtons; ++i) inject_button(static_cast<int>(i), buttons_[i]);
}

}  // namespace kwb::gui
