// SPDX-License-Identifier: Apache-2.0
// A stage with pixels: OpenGL in a hidden window, whose frames can be saved as PNG files. Needs a display,
// e.g. from xvfb-run.
#pragma once

#include <filesystem>
#include <string>

#include "gui/stage.hpp"
#include "gui/window.hpp"

namespace kwb::test {

class PictureStage : public Stage {
public:
    /// @throws EnvironmentError  there is no display or no OpenGL
    explicit PictureStage(int width = 1600, int height = 1000, gui::LookOptions options = {});

    gui::Look& look() override { return window_.look(); }
    void draw(gui::Program& program) override { window_.draw_frame(program); }
    /// Takes effect two frames later.
    void resize(int width, int height) override;

    struct Picture {
        int width = 0, height = 0;
        std::vector<unsigned char> rgba;
        /// 0xRRGGBB
        unsigned at(int x, int y) const;
    };
    Picture picture();

    /// Save the last frame as `<folder>/<name>.png`; the folder is $KWB_GUI_PICTURES, or by default one in
    /// the build folder.
    /// @return  path of the file
    std::filesystem::path keep(const std::string& name);

private:
    gui::Window window_;
};

}  // namespace kwb::test
