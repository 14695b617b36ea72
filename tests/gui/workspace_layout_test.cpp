// Everything of the window has its place, at every size, scale and theme, in the states that a lesson sees.
#include <doctest/doctest.h>

#include "gui/desk_stage.hpp"
#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;

/// The state as it is now, in all twelve looks.
void look_at(Scene& scene, const std::string& when) {
    at_every_size(scene.stage(), [&](int width, int height, float scale) {
        scene.driver->settle();
        CAPTURE(when);
        CAPTURE(width);
        CAPTURE(height);
        CAPTURE(scale);
        scene.check_layout_now();
    });
    scene.stage().resize(1600, 1000);
    scene.stage().look().set_scale(1);
    scene.driver->settle();
}

const std::vector<std::string> kEight = {"naive", "tiled", "vector4", "unrolled", "register_blocked",
                                         "wrong", "typo",  "stray"};

TEST_CASE("the empty window has everything in its place") {
    Scene scene("timed", {.kernels = {}});
    look_at(scene, "empty");
    scene.driver->click("workspace/tab/history");
    look_at(scene, "empty history");
}

TEST_CASE("after a run of eight, and of each kind of verdict, everything has its place") {
    Scene scene("lesson", {.kernels = kEight, .edge = 1024});
    look_at(scene, "before");
    scene.run();
    look_at(scene, "after");
    for (int i = 4; i < 8; ++i) {
        scene.driver->click("correctness/contestant/" + std::to_string(i));
        look_at(scene, "contestant " + std::to_string(i));
    }
    scene.driver->click("workspace/tab/history");
    look_at(scene, "history");
    for (const std::string tab : {"times", "correctness", "history", "source"}) {
        scene.resize(1024, 640);
        scene.driver->click("workspace/tab/" + tab);
        look_at(scene, tab);
    }
}

TEST_CASE("every tab of times has its place") {
    Scene scene("lesson", {.kernels = kEight, .edge = 1024});
    scene.run();
    for (const std::string tab : {"distribution", "rounds", "speedup", "phases", "sweep", "roofline"}) {
        scene.driver->click("times/tab/" + tab);
        look_at(scene, tab);
    }
}

TEST_CASE("after a run that failed, and beside an earlier one, everything has its place") {
    Scene scene("lesson,lesson,run-error", {.kernels = kEight});
    scene.run();
    scene.run();
    scene.driver->click("workspace/tab/history");
    const std::string earlier = "history/row/" + std::to_string(scene.history()[1].id);
    scene.driver->hover(earlier, 0.3, 0.5);
    scene.driver->click(earlier + "/more");
    scene.driver->click("history/compare");
    look_at(scene, "compared");
    scene.run();
    look_at(scene, "failed");
}

TEST_CASE("while something runs everything has its place") {
    Scene scene("timed,endless");
    scene.run();
    scene.driver->key(plain(Key::F5));
    scene.driver->wait_until("it is timed", [&] { return scene.workspace->timing_runs(); });
    look_at(scene, "running");
    scene.driver->key(plain(Key::Escape));
    scene.rest();
}

TEST_CASE("with each dialog open everything has its place") {
    Scene scene("timed");
    scene.driver->key(ctrl(Key::O));
    look_at(scene, "file dialog");
    scene.driver->key(plain(Key::Escape));
    scene.driver->key(plain(Key::F1));
    look_at(scene, "keys");
    scene.driver->key(plain(Key::Escape));
    scene.driver->settle();
    scene.type_into_source("x");
    CHECK_FALSE(scene.workspace->may_close());
    look_at(scene, "question");
}

TEST_CASE("obstacles and notices have their place") {
    Scene scene("timed");
    Choices choices = scene.state().choices;
    for (auto& contestant : choices.contestants) contestant.local = "64x64";
    (**scene.desk).perform(command::Choose{choices});
    scene.workspace->open_files({scene.folder / "gone.cl", scene.folder / "a" / "b" / "gone.cl"});
    scene.driver->settle();
    CHECK(scene.driver->has("experiment/contestant/0/obstacle"));
    REQUIRE(scene.state().notices.size() >= 1);
    look_at(scene, "obstacles");
    (**scene.desk).perform(command::DismissNotice{scene.state().notices[0].number});
}

TEST_CASE("a source beside another, a search and a conflict have their place") {
    Scene scene("good");
    scene.driver->click("source/text");
    scene.driver->key(ctrl(Key::F));
    look_at(scene, "search");
    scene.driver->key(plain(Key::Escape));
    scene.type_into_source("// mine\n");
    scene.folder.write("kernels/matmul/" + scene.front().name(), matmul_source("Other"));
    scene.driver->wait_until("the change is noticed",
                             [&] { return scene.front().on_disk() == Document::OnDisk::Changed; });
    scene.driver->settle();
    look_at(scene, "conflict");
    scene.driver->click("source/show_disk");
    look_at(scene, "differences");
}

}  // namespace
}  // namespace kwb::test
