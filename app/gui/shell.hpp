// SPDX-License-Identifier: Apache-2.0
// The window's frame: heading bar, panel area, status bar, and global shortcuts.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "gui/widgets.hpp"
#include "gui/window.hpp"

namespace kwb::gui {

class Shell : public Program {
public:
    /// @param toggle_full_screen  provided by the window; empty if there is none
    explicit Shell(std::function<void()> toggle_full_screen = {})
        : toggle_full_screen_(std::move(toggle_full_screen)) {}

    void draw() final;
    bool wants_to_end() const override { return ends_; }

protected:
    /// Called before and after everything else in the frame.
    virtual void begin_frame() {}
    virtual void end_frame() {}
    /// Global shortcuts; overrides must call the base class.
    virtual void handle_keys();
    /// The area between the bars.
    virtual void draw_body() = 0;
    /// Dialogs and notices, on top of everything else.
    virtual void draw_overlays() {}
    /// The controls of the heading bar, in one line.
    /// @param room  in pixels
    virtual void draw_tools(float room) = 0;
    /// Minimum width of these controls, in pixels; the program's name precedes them only if there is more
    /// room.
    virtual float tools_width() const = 0;
    /// The left side of the status bar.
    virtual std::string status() const = 0;

    void toggle_full_screen() const {
        if (toggle_full_screen_) toggle_full_screen_();
    }
    static void draw_theme_button();
    static float theme_button_width();
    static const char* other_theme_label();
    static void switch_theme();

private:
    void draw_heading();
    void draw_status();

    std::function<void()> toggle_full_screen_;
    bool ends_ = false;
};

}  // namespace kwb::gui
