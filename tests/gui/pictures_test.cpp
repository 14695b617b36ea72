// SPDX-License-Identifier: Apache-2.0
// Pixels of the window, kept as build artefacts for inspection.
#include <doctest/doctest.h>

#include <set>

#include "gui/bare_shell.hpp"
#include "gui/draw_list_canvas.hpp"
#include "gui/gui_driver.hpp"
#include "gui/picture_stage.hpp"
#include "gui/sketch.hpp"
#include "gui/stage.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

/// Number of colours in a rectangle: text and icons have many, an empty background has one.
std::size_t count_colors(const PictureStage::Picture& picture, const ImRect& rect) {
    std::set<unsigned> colors;
    for (int y = static_cast<int>(rect.Min.y); y < static_cast<int>(rect.Max.y); ++y)
        for (int x = static_cast<int>(rect.Min.x); x < static_cast<int>(rect.Max.x); ++x)
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
        BareShell shell;
        GuiDriver driver(stage, shell);
        const PictureStage::Picture picture = stage.picture();
        CHECK(picture.width == wanted.width);
        CHECK(picture.height == wanted.height);
        stage.keep(wanted.name);
        const Palette& colors = palette(wanted.theme);
        CHECK(picture.at(2, 2) == colors.window.rgb);
        const ImRect card = driver.at("start").full;
        CHECK(picture.at(static_cast<int>(card.Min.x + 20), static_cast<int>(card.Max.y - 20)) ==
              colors.surface.rgb);
        for (const auto& [id, widget] : stage.look().probes().all()) {
            const auto& shown_id = id;
            CAPTURE(shown_id);
            if (!widget.label.empty()) CHECK(count_colors(picture, widget.rect) > 8);
        }
        for (const std::string& fault : check_layout(stage.look().probes(), static_cast<float>(wanted.width),
                                                     static_cast<float>(wanted.height)))
            FAIL_CHECK(fault);
    }
}

TEST_CASE("a click changes the theme of the pixels too, and a new scale brings new letters") {
    PictureStage stage(1024, 640);
    BareShell shell;
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
    BareShell shell;
    GuiDriver driver(stage, shell);
    stage.resize(1280, 720);
    driver.wait_until("the window has its new size", [&] { return stage.picture().width == 1280; });
    driver.settle();
    CHECK(driver.at("shell/theme").full.Max.x > 1240);
}

TEST_CASE("shapes, images and clips of a canvas are where they were asked for") {
    int made = 0;
    plot::Image image;
    image.key = 7;
    image.columns = 2;
    image.rows = 1;
    image.pixels = [&made] {
        ++made;
        return std::vector<plot::Color>{plot::rgb(0xff0000), plot::rgb(0x0000ff)};
    };
    Sketch sketch([&] {
        DrawListCanvas canvas(*ImGui::GetWindowDrawList(), {100, 50});
        canvas.fill_rect({0, 0, 400, 300}, plot::rgb(0x101010), 0);
        canvas.image(image, {10, 10, 100, 50});
        const plot::Point upper[] = {{150, 10}, {200, 30}, {250, 10}};
        const plot::Point lower[] = {{150, 60}, {200, 60}, {250, 60}};
        canvas.band(upper, lower, plot::rgb(0x00ff00));
        canvas.push_clip({300, 10, 20, 20});
        canvas.fill_rect({290, 0, 100, 100}, plot::rgb(0xffff00), 0);
        canvas.pop_clip();
        const plot::Point leftwards[] = {{20, 100}, {20, 140}, {60, 140}, {60, 100}};  // anticlockwise
        canvas.fill_polygon(leftwards, plot::rgb(0x00ffff));
        canvas.text({200, 200}, "upright", {.size_px = 12}, plot::rgb(0xffffff),
                    {.x = plot::AlignX::Center, .y = plot::AlignY::Middle, .upright = true});
        canvas.text({300, 200}, "level", {.size_px = 12}, plot::rgb(0xffffff), {});
    });
    PictureStage stage(640, 480);
    GuiDriver driver(stage, sketch);
    stage.keep("canvas");
    const PictureStage::Picture picture = stage.picture();
    const auto at = [&](int x, int y) { return picture.at(100 + x, 50 + y); };
    CHECK(made == 1);
    CHECK(at(58, 30) == 0xff0000);  // no interpolation between cells
    CHECK(at(61, 30) == 0x0000ff);
    CHECK(at(160, 50) == 0x00ff00);
    CHECK(at(200, 20) == 0x101010);  // above the band, which has a dent here
    CHECK(at(310, 20) == 0xffff00);
    CHECK(at(330, 20) == 0x101010);
    CHECK(at(310, 40) == 0x101010);
    CHECK(at(40, 120) == 0x00ffff);
    const auto colors = [&](float x, float y, float width, float height) {
        return count_colors(picture, {100 + x, 50 + y, 100 + x + width, 50 + y + height});
    };
    CHECK(colors(192, 180, 16, 40) > 8);   // the height is the word's length
    CHECK(colors(210, 190, 30, 20) == 1);  // a horizontal word would be here
    CHECK(colors(300, 200, 25, 14) > 8);
}

}  // namespace
}  // namespace kwb::test
