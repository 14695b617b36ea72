// The window's pixels, kept as build artefacts for people to look at.
#include <doctest/doctest.h>

#include <set>

#include "gui/gui_driver.hpp"
#include "gui/layout_check.hpp"
#include "gui/picture_stage.hpp"
#include "gui/shell.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

/// How many colours there are in a rectangle: text and icons have many, an empty ground one.
std::size_t count_colors(const PictureStage::Picture& picture, const Rect& rect) {
    std::set<unsigned> colors;
    for (int y = static_cast<int>(rect.min_y); y < static_cast<int>(rect.max_y); ++y)
        for (int x = static_cast<int>(rect.min_x); x < static_cast<int>(rect.max_x); ++x)
            colors.insert(picture.at(x, y));
    return colors.size();
}

TEST_CASE("the frame of the window, in both themes and at several sizes") {
    const struct {
        const char* name;
        int width, height;
        float scale;
        Theme theme;
    } kPictures[] = {
        {"shell_dark", 1600, 1000, 1, Theme::Dark},
        {"shell_light", 1600, 1000, 1, Theme::Light},
        {"shell_small", 1024, 640, 1, Theme::Dark},
        {"shell_lecture", 1600, 1000, 2, Theme::Light},
    };
    for (const auto& wanted : kPictures) {
        CAPTURE(wanted.name);
        PictureStage stage(wanted.width, wanted.height, {.theme = wanted.theme, .scale = wanted.scale});
        Shell shell;
        GuiDriver driver(stage, shell);
        const PictureStage::Picture picture = stage.picture();
        CHECK(picture.width == wanted.width);
        CHECK(picture.height == wanted.height);
        stage.keep(wanted.name);
        const Palette& colors = palette(wanted.theme);
        CHECK(picture.at(2, 2) == colors.window.rgb);
        const Rect card = driver.at("start").full;
        CHECK(picture.at(static_cast<int>(card.min_x + 20), static_cast<int>(card.max_y - 20)) ==
              colors.surface.rgb);
        for (const auto& [id, widget] : stage.look().probes().all()) {
            CAPTURE(id);
            if (!widget.label.empty()) CHECK(count_colors(picture, widget.rect) > 8);
        }
        for (const std::string& fault : check_layout(stage.look().probes(), static_cast<float>(wanted.width),
                                                     static_cast<float>(wanted.height)))
            FAIL_CHECK(fault);
    }
}

TEST_CASE("a click changes the theme of the pixels too, and a new scale brings new letters") {
    PictureStage stage(1024, 640);
    Shell shell;
    GuiDriver driver(stage, shell);
    CHECK(stage.picture().at(2, 2) == palette(Theme::Dark).window.rgb);
    driver.click("shell/theme");
    CHECK(stage.picture().at(2, 2) == palette(Theme::Light).window.rgb);
    driver.park_pointer();
    driver.key(ctrl(Key::Equal));
    CHECK(count_colors(stage.picture(), driver.at("shell/name").rect) > 8);
    stage.keep("shell_light_110");
}

TEST_CASE("the picture follows the window's size") {
    PictureStage stage(1024, 640);
    Shell shell;
    GuiDriver driver(stage, shell);
    stage.resize(1280, 720);
    driver.wait_until("the window has its new size", [&] { return stage.picture().width == 1280; });
    driver.settle();
    CHECK(driver.at("shell/theme").full.max_x > 1240);
}

}  // namespace
}  // namespace kwb::test
