// SPDX-License-Identifier: Apache-2.0
// The driver, the probes and the layout check, tested with a small program.
#include <doctest/doctest.h>

#include <array>
#include <functional>

#include "gui/gui_driver.hpp"
#include "gui/sketch.hpp"
#include "gui/stage.hpp"
#include "gui/widgets.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

bool mentions(const std::vector<std::string>& faults, std::string_view words) {
    for (const std::string& fault : faults)
        if (fault.find(words) != std::string::npos) return true;
    return false;
}

std::vector<std::string> faults_of(GuiDriver& driver) {
    return check_layout(driver.stage().look().probes(), 400, 300);
}

TEST_CASE("a click reaches the widget of that id, once") {
    int first = 0, second = 0;
    Sketch sketch([&] {
        first += button("sketch/first", "First");
        second += button("sketch/second", "Second");
    });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    driver.click("sketch/second");
    CHECK(first == 0);
    CHECK(second == 1);
}

TEST_CASE("a greyed-out button cannot be pressed, and the driver says so") {
    Sketch sketch([] { button("sketch/off", "Off", {.enabled = false}); });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    CHECK_THROWS_WITH_AS(driver.click("sketch/off"), "'sketch/off' is greyed out", CannotAct);
}

TEST_CASE("a press that a modal would catch is refused") {
    Sketch sketch([] {
        button("sketch/below", "Below");
        ImGui::OpenPopup("asks");
        ImGui::SetNextWindowPos({0, 0});
        if (ImGui::BeginPopupModal("asks", nullptr, ImGuiWindowFlags_NoDecoration)) {
            button("asks/yes", "Yes");
            ImGui::EndPopup();
        }
    });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    CHECK_THROWS_AS(driver.click("sketch/below"), CannotAct);
    driver.click("asks/yes");
}

TEST_CASE("an id that is not there is answered with the nearest one") {
    Sketch sketch([] { button("sketch/run", "Run"); });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    CHECK_THROWS_WITH_AS(driver.click("sketch/rnu"), doctest::Contains("sketch/run"), CannotAct);
}

TEST_CASE("text goes where the keyboard is, also beyond ASCII") {
    std::array<char, 64> words{};
    Sketch sketch([&] {
        ImGui::InputText("##words", words.data(), words.size());
        probe("sketch/words");
    });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    driver.click("sketch/words");
    driver.type("17 µs ± 2");
    CHECK(std::string(words.data()) == "17 µs ± 2");
    driver.key(plain(Key::Backspace));
    CHECK(std::string(words.data()) == "17 µs ± ");
    driver.key(ctrl(Key::A));
    driver.key(plain(Key::Delete));
    CHECK(std::string(words.data()).empty());
}

TEST_CASE("a chord is seen once, with exactly its modifiers") {
    int saved = 0, saved_as = 0;
    Sketch sketch([&] {
        saved += pressed(ctrl(Key::S));
        saved_as += pressed(ctrl_shift(Key::S));
    });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    driver.key(ctrl(Key::S));
    CHECK(saved == 1);
    CHECK(saved_as == 0);
    driver.key(ctrl_shift(Key::S));
    CHECK(saved == 1);
    CHECK(saved_as == 1);
}

TEST_CASE("a letter without Ctrl belongs to the text field that has the keyboard") {
    int shortcuts = 0, runs = 0;
    std::array<char, 64> words{};
    Sketch sketch([&] {
        shortcuts += pressed(plain(Key::D));
        runs += pressed(plain(Key::F5));
        ImGui::InputText("##words", words.data(), words.size());
        probe("sketch/words");
    });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    driver.key(plain(Key::D));
    CHECK(shortcuts == 1);
    driver.click("sketch/words");
    driver.key(plain(Key::D));
    driver.key(plain(Key::F5));
    CHECK(shortcuts == 1);
    CHECK(runs == 1);
}

TEST_CASE("wheel and drag act where they are aimed at") {
    int value = 0;
    float wheel = 0;
    Sketch sketch([&] {
        ImGui::SetNextItemWidth(300);
        ImGui::SliderInt("##value", &value, 0, 100);
        probe("sketch/slider");
        ImGui::InvisibleButton("area", {300, 100});
        probe("sketch/area");
        if (ImGui::IsItemHovered()) wheel += ImGui::GetIO().MouseWheel;
    });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    driver.drag_at("sketch/slider", 0.1, 0.5, 1, 0.5);
    CHECK(value == 100);
    driver.wheel("sketch/area", 2);
    CHECK(wheel == doctest::Approx(2));
}

TEST_CASE("waiting ends when the condition holds, and complains when it never does") {
    int frames = 0;
    Sketch sketch([&] { ++frames; });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    driver.wait_until("40 frames were drawn", [&] { return frames >= 40; });
    CHECK_THROWS_WITH_AS(driver.wait_until(
                             "pigs fly", [] { return false; }, 10),
                         "waited in vain until pigs fly", CannotAct);
}

TEST_CASE("a tidy layout has no faults") {
    Sketch sketch([] {
        const Card card("sketch/card", {0, 0}, "Heading", kIconChip);
        button("sketch/first", "First");
        ImGui::SameLine();
        button("sketch/second", "Second", {.icon = kIconPlay, .kind = ButtonKind::Primary});
        text("sketch/words", "Some words that run over several lines, because the window is narrow.",
             {.wraps = true});
        notice("sketch/notice", gui::Tone::Danger, kIconWarning, "Wrong", "3 of 262,144 elements differ.");
    });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    for (const std::string& fault : faults_of(driver)) FAIL_CHECK(fault);
}

TEST_CASE("each kind of layout fault is found") {
    std::function<void()> body;
    Sketch sketch([&] { body(); });
    WindowlessStage stage(400, 300);
    std::string expected;
    SUBCASE("overlap") {
        expected = "'sketch/first' at (12, 12) to ";
        body = [] {
            button("sketch/first", "First");
            ImGui::SetCursorPos({20, 14});
            button("sketch/second", "Second");
        };
    }
    SUBCASE("a cut label") {
        expected = "pixels for its label 'A long label'";
        body = [] { button("sketch/narrow", "A long label", {.width = 40}); };
    }
    SUBCASE("a widget half outside") {
        expected = "is cut: only (360, 12) to (394, ";
        body = [] {
            ImGui::SetCursorPos({360, 12});
            button("sketch/far", "Far to the right");
        };
    }
    SUBCASE("a widget wholly outside") {
        expected = "cannot be seen, nor scrolled to";
        body = [] {
            ImGui::SetCursorPos({500, 12});
            button("sketch/gone", "Gone");
        };
    }
    SUBCASE("an id used twice") {
        expected = "'sketch/same' is the id of two widgets";
        body = [] {
            text("sketch/same", "one");
            text("sketch/same", "two");
        };
    }
    GuiDriver driver(stage, sketch);
    CHECK(mentions(faults_of(driver), expected));
}

TEST_CASE("rows that can be scrolled to are no fault") {
    Sketch sketch([] {
        const Card card("sketch/list", {0, 100});
        for (int row = 0; row < 20; ++row) text("sketch/row/" + std::to_string(row), "A row");
    });
    WindowlessStage stage(400, 300);
    GuiDriver driver(stage, sketch);
    for (const std::string& fault : faults_of(driver)) FAIL_CHECK(fault);
    CHECK_FALSE(driver.at("sketch/row/19").visible);
}

TEST_CASE("probes record nothing unless enabled") {
    Sketch sketch([] { button("sketch/run", "Run"); });
    WindowlessStage stage(400, 300);
    stage.look().probes().set_enabled(false);
    stage.draw(sketch);
    CHECK(stage.look().probes().all().empty());
}

}  // namespace
}  // namespace kwb::test
