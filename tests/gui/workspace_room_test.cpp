// What must be seen at once, at the sizes of a small laptop, a projector and a large screen.
#include <doctest/doctest.h>

#include "gui/code_line.hpp"
#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;

bool is_whole(const Probed& widget) {
    return widget.visible && widget.rect.width() == widget.full.width() &&
           widget.rect.height() == widget.full.height();
}

TEST_CASE("at 1366 x 768 eight kernels and 25 lines of source are seen without scrolling") {
    Scene scene("timed", {.kernels = {"one", "two", "three", "four", "five", "six", "seven", "eight"}});
    scene.resize(1366, 768);
    for (int i = 0; i < 8; ++i) {
        CAPTURE(i);
        CHECK(is_whole(scene.driver->at("experiment/contestant/" + std::to_string(i))));
    }
    CHECK(scene.driver->at("source/text").rect.height() >= 25 * code_grid().line_height);
}

TEST_CASE(
    "above 2,000 pixels source, times and correctness stand side by side, all larger than on a laptop") {
    Scene scene("timed");
    scene.resize(1366, 768);
    const float narrow = scene.driver->at("workspace/area/results").full.width();
    const float source = scene.driver->at("workspace/area/source").full.width();
    const float left = scene.driver->at("workspace/area/left").full.width();
    scene.resize(2560, 1440);
    const Rect middle = scene.driver->at("workspace/area/wide_source").full;
    const Rect times = scene.driver->at("workspace/area/times").full;
    const Rect right = scene.driver->at("workspace/area/right").full;
    CHECK(middle.max_x <= times.min_x);
    CHECK(times.max_x <= right.min_x);
    CHECK(middle.width() > source);
    CHECK(times.width() > narrow);
    CHECK(scene.driver->at("workspace/area/left").full.width() > 1.2f * left);
}

TEST_CASE("on a projector at 150 % nothing that leads from Run to the answer is behind a tab") {
    Scene scene("timed");
    scene.resize(1920, 1080);
    scene.stage().look().set_scale(1.5f);
    scene.driver->settle();
    for (const char* tab : {"source", "times", "correctness", "history"}) {
        const std::string id = "workspace/tab/" + std::string(tab);
        if (scene.driver->has(id)) scene.driver->click(id);
        CAPTURE(tab);
        for (const char* needed : {"experiment/run", "answer/headline", "experiment/problem"})
            CHECK(is_whole(scene.driver->at(needed)));
    }
    scene.driver->click("experiment/run");
    scene.rest();
    CHECK(scene.label("answer/headline") == "mine is 1.50\u00d7 as fast as other");
    CHECK(is_whole(scene.driver->at("answer/headline")));
    CHECK(scene.driver->has("source/text"));
    scene.check_layout_now();
}

TEST_CASE(
    "one key leads from the start to the answer, and every kernel says its step from the next frame on") {
    Scene scene("endless");
    scene.driver->key(plain(Key::F5));
    scene.driver->pump(2);
    REQUIRE(scene.state().is_busy);
    for (const char* row : {"0", "1"})
        CHECK(scene.driver->has("experiment/contestant/" + std::string(row) + "/verdict"));
    CHECK(scene.driver->has("experiment/progress"));
    scene.driver->wait_until("it can be stopped", [&] { return scene.workspace->timing_runs(); });
    scene.driver->key(plain(Key::Escape));
    scene.rest();
}

}  // namespace
}  // namespace kwb::test
