// SPDX-License-Identifier: Apache-2.0
// Drawing the frames of a program in a test: without a window, or with pixels.
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
    /// Draw one frame of `program`, with the input injected since the last one.
    virtual void draw(gui::Program& program) = 0;
    virtual void resize(int width, int height) = 0;
};

/// Only ImGui: fonts are loaded, but nothing is rendered. A frame takes a fraction of a millisecond.
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

// Layout check: is everything visible and usable?

struct LayoutOptions {
    float slack = 1;  ///< pixels, for rounding
};

/// Check the probes of the last frame for these faults: two widgets in one layer overlap (containers may
/// contain others), a label is too long for its widget, something is cut off and cannot be scrolled into view
/// or lies outside the window, an ID was used twice.
/// @return  one sentence per fault
std::vector<std::string> check_layout(const gui::Probes& probes, float window_width, float window_height,
                                      const LayoutOptions& options = {});

}  // namespace kwb::test
