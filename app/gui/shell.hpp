// The frame of the window: heading bar, room for panels, status bar, and the keys that work everywhere.
#pragma once

#include <functional>
#include <string>

#include "gui/program.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

/// What only the window itself can do; may be empty where there is none.
struct ShellActions {
    std::function<void()> toggle_full_screen;
};

class Shell : public Program {
public:
    explicit Shell(ShellActions actions = {});

    void draw() final;
    std::string title() const override { return "Kernel Workbench"; }
    bool wants_to_end() const override { return ends_; }

protected:
    /// Before anything of the frame is drawn, and after everything is.
    virtual void begin_frame() {}
    virtual void end_frame() {}
    /// Keys that work everywhere; call the base class for those of the frame itself.
    virtual void handle_keys();
    /// Between the bars; the whole room belongs to it.
    virtual void draw_body();
    /// Dialogs and notices, on top of everything.
    virtual void draw_overlays() {}
    /// On the right of the heading bar.
    /// @param room  pixels after the program's name, for these and heading()
    virtual void draw_tools(float room);
    virtual float tools_width(float room) const;
    /// In the heading bar after the program's name, e.g. the kernel.
    virtual std::string heading() const { return {}; }
    /// On the left of the status bar.
    virtual std::string status() const { return "Ready"; }

    void toggle_full_screen() const;
    static void draw_theme_button();
    static float theme_button_width();

private:
    void draw_heading();
    void draw_status();

    ShellActions actions_;
    bool ends_ = false;
};

}  // namespace kwb::gui
