// The frame of the window, used without any window.
#include <doctest/doctest.h>

#include "gui/gui_driver.hpp"
#include "gui/layout_check.hpp"
#include "gui/shell.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

TEST_CASE("nothing overlaps, is cut or outside, at every size, scale and theme") {
    WindowlessStage stage;
    Shell shell;
    GuiDriver driver(stage, shell);
    const std::pair<int, int> sizes[] = {{1024, 640}, {1600, 1000}, {2400, 1500}};
    for (const auto& [width, height] : sizes)
        for (const float scale : {0.75f, 1.0f, 1.5f, 2.5f})
            for (const kwb::gui::Theme theme : {kwb::gui::Theme::Dark, kwb::gui::Theme::Light}) {
                stage.resize(width, height);
                stage.look().set_scale(scale);
                stage.look().set_theme(theme);
                driver.settle();
                CAPTURE(width);
                CAPTURE(scale);
                CHECK(stage.look().probes().all().size() >= 5);
                for (const std::string& fault : check_layout(stage.look().probes(), static_cast<float>(width),
                                                             static_cast<float>(height)))
                    FAIL_CHECK(fault);
            }
}

TEST_CASE("the theme is switched by its button, which then offers the other one") {
    WindowlessStage stage;
    Shell shell;
    GuiDriver driver(stage, shell);
    CHECK(driver.at("shell/theme").label.ends_with("Light theme"));
    driver.click("shell/theme");
    CHECK(stage.look().theme() == kwb::gui::Theme::Light);
    CHECK(driver.at("shell/theme").label.ends_with("Dark theme"));
}

TEST_CASE("Ctrl + and Ctrl − scale everything, Ctrl 0 goes back") {
    WindowlessStage stage;
    Shell shell;
    GuiDriver driver(stage, shell);
    const float before = driver.at("shell/theme").full.height();
    driver.key(ctrl(Key::Equal));
    CHECK(stage.look().scale() == doctest::Approx(1.1));
    CHECK(driver.at("shell/version").label.starts_with("110 %"));
    driver.key(ctrl_shift(Key::Equal));  // as '+' is typed on a US keyboard
    driver.key(ctrl(Key::KeypadPlus));
    CHECK(stage.look().scale() == doctest::Approx(1.5));
    CHECK(driver.at("shell/theme").full.height() > before);
    driver.key(ctrl(Key::Minus));
    CHECK(stage.look().scale() == doctest::Approx(1.25));
    driver.key(ctrl(Key::Num0));
    CHECK(stage.look().scale() == 1);
    CHECK(driver.at("shell/theme").full.height() == before);
}

TEST_CASE("F11 asks the window for the full screen, Ctrl+Q ends") {
    int asked = 0;
    WindowlessStage stage;
    Shell shell({.toggle_full_screen = [&] { ++asked; }});
    GuiDriver driver(stage, shell);
    driver.key(plain(Key::F11));
    CHECK(asked == 1);
    CHECK_FALSE(shell.wants_to_end());
    driver.key(ctrl(Key::Q));
    CHECK(shell.wants_to_end());
}

TEST_CASE("the button can be reached and pressed by keyboard") {
    WindowlessStage stage;
    Shell shell;
    GuiDriver driver(stage, shell);
    driver.wait_until("the button has the keyboard", [&] {
        driver.key(plain(Key::Right));
        return driver.at("shell/theme").focused;
    });
    driver.key(plain(Key::Space));
    CHECK(stage.look().theme() == kwb::gui::Theme::Light);
}

}  // namespace
}  // namespace kwb::test
