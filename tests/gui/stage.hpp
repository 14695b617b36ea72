// Where a program's frames are made in a test: without any window, or with pixels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gui/look.hpp"
#include "gui/probe.hpp"
#include "gui/window.hpp"

namespace kwb::test {

class Stage {
public:
    virtual ~Stage() = default;
    virtual gui::Look& look() = 0;
    /// One frame of `program`; input injected since the last one takes effect.
    virtual void draw(gui::Program& program) = 0;
    virtual void resize(int width, int height) = 0;
};

/// ImGui alone: fonts are loaded, nothing is rendered. A frame takes a fraction of a millisecond.
class WindowlessStage : public Stage {
public:
    explicit WindowlessStage(int width = 1600, int height = 1000, gui::LookOptions options = {});
    gui::Look& look() override { return look_; }
    void draw(gui::Program& program) override;
    void resize(int width, int height) override;

private:
    void build_fonts();

    gui::Look look_;
    int width_, height_;
};

// Is everything on the screen where it can be seen and used?

struct LayoutOptions {
    float slack = 1;  ///< pixels, for rounding
};

/// Looks at the probes of the last frame: two widgets of one layer overlap (containers may hold others), a
/// label needs more room than its widget has, something is cut that no scrolling brings back or is outside
/// the window, an id was used twice.
/// @return  a sentence for each fault; none if all is well
std::vector<std::string> check_layout(const gui::Probes& probes, float window_width, float window_height,
                                      const LayoutOptions& options = {});

}  // namespace kwb::test
