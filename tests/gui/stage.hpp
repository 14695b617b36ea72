// Where a program's frames are made in a test: without any window, or with pixels.
#pragma once

#include <memory>

#include "gui/look.hpp"
#include "gui/program.hpp"

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

}  // namespace kwb::test
