// The workspace on a desk of its own, without any display, with a clock around each frame.
#pragma once

#include <functional>
#include <vector>

#include "gui/gui_driver.hpp"
#include "gui/workspace.hpp"
#include "setting.hpp"
#include "support/watched_desk.hpp"
#include "window_home.hpp"

namespace kwb::bench {

/// ImGui's own work: from NewFrame() to Render(), which makes the lists of triangles, with the fonts of the
/// window. Drawing these is the graphics driver's.
class TimedStage : public test::WindowlessStage {
public:
    using WindowlessStage::WindowlessStage;
    void draw(gui::Program& program) override;

    /// Of each frame since they were emptied last: by the clock, and what the thread computed of that, which
    /// other programs do not disturb.
    std::vector<double> frames_ms, computed_ms;
};

/// All that the program has but window and OpenGL: desk, judge, history, workspace.
class FrameScene {
public:
    /// @param files  opened, as on the command line
    FrameScene(const Setting& setting, const WindowHome& home, std::vector<std::filesystem::path> files = {});

    TimedStage stage{1600, 1000};
    test::WatchedDesk desk;
    gui::Workspace workspace;
    test::GuiDriver driver;
};

}  // namespace kwb::bench
