// The whole window on a real desk over a scripted judge, without any display.
#include <doctest/doctest.h>

#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;

TEST_CASE("F5 runs what is chosen, and times, verdicts and history show it") {
    Scene scene("timed");
    CHECK(scene.driver->at("shell/subject").label ==
          "Matrix multiplication, C = A \u00b7 B  /  mine and other");
    CHECK(scene.driver->at("shell/state").label.starts_with("Ready"));
    scene.run();
    REQUIRE(scene.state().shown != nullptr);
    CHECK(scene.state().shown->run.results.size() == 2);
    CHECK(scene.driver->has("times/chart"));
    scene.driver->click("workspace/tab/history");
    REQUIRE(scene.state().history.size() == 1);
    CHECK(scene.driver->has("history/row/" + std::to_string(scene.state().history[0].id)));
    scene.driver->click("workspace/tab/correctness");
    CHECK(scene.driver->at("experiment/run").enabled);
}

TEST_CASE("the button Run does the same, and Stop and Escape end what does not end") {
    Scene scene("endless");
    scene.driver->click("experiment/run");
    scene.driver->wait_until("it is timed", [&] { return scene.workspace->timing_runs(); });
    scene.driver->settle();
    CHECK(mentions(scene.driver->at("shell/state").label, "Timing mine"));
    scene.driver->click("experiment/stop");
    scene.rest();
    CHECK_FALSE(scene.workspace->timing_runs());
    scene.driver->key(plain(Key::F5));
    scene.driver->wait_until("it is timed again", [&] { return scene.workspace->timing_runs(); });
    scene.driver->key(plain(Key::Escape));
    scene.rest();
    REQUIRE(scene.state().shown != nullptr);
    CHECK(scene.state().shown->stopped);
}

TEST_CASE("live runs again on every change, and not without one") {
    Scene scene("timed");
    scene.driver->click("experiment/live");
    CHECK(scene.state().choices.live);
    scene.rest();
    CHECK(scene.history().size() == 1);  // at once
    scene.driver->click_at("experiment/size/slider", 0.6, 0.5);
    scene.rest();
    CHECK(scene.history().size() == 2);
    scene.driver->click("experiment/live");
    scene.driver->click_at("experiment/size/slider", 0.1, 0.5);
    scene.rest();
    CHECK(scene.history().size() == 2);
}

TEST_CASE("Ctrl and a digit give a panel the keyboard, and bring it to the front") {
    Scene scene("good");
    CHECK_FALSE(scene.driver->has("history/filter"));
    scene.driver->key(ctrl(Key::Num5));
    scene.driver->settle();
    CHECK(scene.driver->has("history/filter"));
    CHECK(scene.driver->at("history/filter").active);
    scene.driver->key(ctrl(Key::Num1));
    scene.driver->settle();
    CHECK(scene.driver->at("experiment/device").focused);
    scene.driver->key(ctrl(Key::Num2));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->at("experiment/device").focused);
    scene.driver->key(ctrl(Key::Tab));
    scene.driver->key(ctrl_shift(Key::Tab));
    scene.driver->key(ctrl_shift(Key::Tab));
    scene.driver->settle();
    CHECK(scene.driver->at("experiment/device").focused);
}

TEST_CASE("panels are hidden and shown from View, and stay so") {
    Scene scene("good");
    scene.driver->click("workspace/view");
    scene.driver->click("workspace/view/source");
    CHECK_FALSE(scene.driver->has("workspace/area/top"));
    CHECK(scene.driver->has("workspace/area/bottom"));
    scene.open("good");
    CHECK_FALSE(scene.driver->has("workspace/area/top"));
    scene.driver->key(ctrl(Key::Num2));
    scene.driver->settle();
    CHECK(scene.driver->has("workspace/area/top"));
    for (const char* panel : {"experiment", "source", "times", "correctness", "history"}) {
        scene.driver->click("workspace/view");
        scene.driver->click("workspace/view/" + std::string(panel));
    }
    CHECK(scene.driver->has("workspace/nothing/title"));
}

TEST_CASE("splitters move by mouse and by keyboard, and are remembered") {
    Scene scene("good");
    const auto width = [&] { return scene.driver->at("workspace/area/left").full.width(); };
    const float before = width();
    scene.driver->drag("workspace/split/columns/left", "workspace/area/top");
    CHECK(width() > before + 100);
    const float dragged = width();
    REQUIRE(find_named(scene.state().settings.splits, "columns/left") != nullptr);
    scene.driver->key(plain(Key::Left));
    scene.driver->settle();
    CHECK(width() < dragged);
    const float moved = width();
    scene.open("good");
    CHECK(width() == doctest::Approx(moved).epsilon(0.01));
    scene.driver->double_click("workspace/split/columns/left");
    CHECK(width() == doctest::Approx(before).epsilon(0.01));
    const float height = scene.driver->at("workspace/area/top").full.height();
    scene.driver->drag("workspace/split/rows/middle", "workspace/area/bottom");
    CHECK(scene.driver->at("workspace/area/top").full.height() > height + 100);
}

TEST_CASE("Ctrl+O opens the file dialog, F1 the keys, F11 the full screen") {
    Scene scene("good");
    scene.driver->key(ctrl(Key::O));
    scene.driver->settle();
    CHECK(scene.driver->has("files/title"));
    scene.driver->key(plain(Key::F5));  // not for the window behind
    CHECK_FALSE(scene.state().is_busy);
    scene.driver->key(plain(Key::Escape));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("files/title"));
    scene.driver->key(plain(Key::F1));
    scene.driver->settle();
    CHECK(scene.driver->has("keys/title"));
    scene.driver->click("keys/close");
    scene.driver->key(plain(Key::F11));
    CHECK(scene.full_screens == 1);
}

TEST_CASE("a file dropped onto the window is opened and compared") {
    Scene scene("good");
    scene.workspace->open_files({scene.outside});
    scene.driver->settle();
    REQUIRE(scene.state().choices.contestants.size() == 3);
    CHECK(scene.state().choices.contestants[2].kernel == scene.outside.string());
    CHECK(scene.driver->at("experiment/contestant/2/kernel").label == "outside");
}

TEST_CASE("a file dropped that is not there is a notice") {
    Scene scene("good");
    scene.workspace->open_files({scene.folder / "gone.cl"});
    scene.driver->settle();
    CHECK(!scene.state().notices.empty());
}

TEST_CASE("in a small window the panels share a place, and results come to the front") {
    Scene scene("timed");
    scene.resize(1024, 640);
    CHECK(scene.driver->has("workspace/area/main"));
    scene.driver->click("workspace/tab/source");
    CHECK_FALSE(scene.driver->has("times/chart"));
    scene.run();
    CHECK(scene.driver->has("times/chart"));
    scene.resize(600, 640);
    CHECK(scene.driver->has("workspace/area/only"));
}

}  // namespace
}  // namespace kwb::test
