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
    /// Between the bars; the whole room belongs to it.
    virtual void draw_body();
    /// In the heading bar behind the program's name, e.g. the kernel.
    virtual std::string heading() const { return {}; }
    /// On the left of the status bar.
    virtual std::string status() const { return "Ready"; }

private:
    void handle_keys();
    void draw_heading();
    void draw_status();

    ShellActions actions_;
    bool ends_ = false;
};

}  // namespace kwb::gui
