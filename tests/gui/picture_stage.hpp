// A stage with pixels: OpenGL on a hidden window, whose frames can be kept as PNG files. Needs a display, as
// xvfb-run gives one.
#pragma once

#include <filesystem>
#include <string>

#include "gui/stage.hpp"
#include "gui/window.hpp"

namespace kwb::test {

class PictureStage : public Stage {
public:
    /// @throws EnvironmentError  no display, no OpenGL
    explicit PictureStage(int width = 1600, int height = 1000, gui::LookOptions options = {});

    gui::Look& look() override { return window_.look(); }
    void draw(gui::Program& program) override { window_.draw_frame(program); }
    /// Takes effect with the frame after the next.
    void resize(int width, int height) override;

    struct Picture {
        int width = 0, height = 0;
        std::vector<unsigned char> rgba;
        /// 0xRRGGBB
        unsigned at(int x, int y) const;
    };
    Picture picture();

    /// The last frame as `<folder>/<name>.png`; the folder is $KWB_GUI_PICTURES, else the build's.
    /// @return  where it is
    std::filesystem::path keep(const std::string& name);

private:
    gui::Window window_;
};

}  // namespace kwb::test
