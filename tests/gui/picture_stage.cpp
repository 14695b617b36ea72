// SPDX-License-Identifier: Apache-2.0
#include "gui/picture_stage.hpp"

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "base/file.hpp"
#include "base/png.hpp"

namespace kwb::test {
namespace fs = std::filesystem;

namespace {

gui::WindowOptions hidden_window(int width, int height, gui::LookOptions look) {
    look.probes = true;
    gui::WindowOptions options;
    options.width = width;
    options.height = height;
    options.hidden = true;
    options.fixed_pixels = true;
    options.takes_input = false;
    options.look = std::move(look);
    return options;
}

}  // namespace

PictureStage::PictureStage(int width, int height, gui::LookOptions options)
    : window_(hidden_window(width, height, std::move(options))) {}

void PictureStage::resize(int width, int height) {
    window_.resize(width, height);
}

PictureStage::Picture PictureStage::picture() {
    Picture picture;
    picture.rgba = window_.pixels(picture.width, picture.height);
    return picture;
}

unsigned PictureStage::Picture::at(int x, int y) const {
    const auto pixel = static_cast<std::size_t>(y * width + x) * 4;
    return static_cast<unsigned>(rgba.at(pixel) << 16 | rgba.at(pixel + 1) << 8 | rgba.at(pixel + 2));
}

fs::path PictureStage::keep(const std::string& name) {
    const char* wanted = std::getenv("KWB_GUI_PICTURES");
    const fs::path folder = wanted != nullptr && *wanted != '\0' ? wanted : KWB_PICTURE_FOLDER;
    fs::create_directories(folder);
    const fs::path file = folder / (name + ".png");
    const Picture frame = picture();
    write_file(file, encode_png(frame.rgba, static_cast<std::uint32_t>(frame.width),
                                static_cast<std::uint32_t>(frame.height), 4));
    return file;
}

}  // namespace kwb::test
