// SPDX-License-Identifier: Apache-2.0
// Plays the steps of a traced work-group: buttons, speed, and a slider.
#pragma once

#include <cstddef>

#include "desk/xray_play.hpp"

namespace kwb::gui {

class StepPlayer {
public:
    /// @param goes_on  at the current step, if a step of that number exists; otherwise at the first
    void begin(const XrayPlay& play, bool goes_on);
    /// Advances while playing, and draws into the remaining width of the current window.
    /// @param play  with at least one step
    void draw(const XrayPlay& play);

    std::size_t step() const { return step_; }  ///< 0 if there are none
    bool is_playing() const { return is_playing_; }

private:
    void go_to(const XrayPlay& play, std::size_t step);
    void advance(const XrayPlay& play);
    void draw_controls(const XrayPlay& play);
    void draw_slider(const XrayPlay& play);

    std::size_t step_ = 0;
    bool is_playing_ = false;
    double since_step_s_ = 0;
    std::size_t speed_ = 2;
};

}  // namespace kwb::gui
