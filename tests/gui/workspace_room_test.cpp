// SPDX-License-Identifier: Apache-2.0
// What must be seen at once, at the sizes of a small laptop, a projector and a large screen.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "gui/code_line.hpp"
#include "gui/dialogs/saving.hpp"
#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;

bool is_whole(const Probed& widget) {
    return widget.visible && widget.rect.GetWidth() == widget.full.GetWidth() &&
           widget.rect.GetHeight() == widget.full.GetHeight();
}

TEST_CASE("at 1366 x 768 eight kernels and 25 lines of source are seen without scrolling") {
    Scene scene("timed", {.kernels = {"one", "two", "three", "four", "five", "six", "seven", "eight"}});
    scene.resize(1366, 768);
    for (int i = 0; i < 8; ++i) {
        CAPTURE(i);
        CHECK(is_whole(scene.driver->at("experiment/contestant/" + std::to_string(i))));
    }
    CHECK(scene.driver->at("source/text").rect.GetHeight() >= 25 * code_grid().line_height);
}

TEST_CASE(
    "above 2,000 pixels source, times and correctness stand side by side, all larger than on a laptop") {
    Scene scene("timed");
    scene.resize(1366, 768);
    const float narrow = scene.driver->at("workspace/area/results").full.GetWidth();
    const float source = scene.driver->at("workspace/area/source").full.GetWidth();
    const float left = scene.driver->at("workspace/area/left").full.GetWidth();
    scene.resize(2560, 1440);
    const ImRect middle = scene.driver->at("workspace/area/wide_source").full;
    const ImRect times = scene.driver->at("workspace/area/times").full;
    const ImRect right = scene.driver->at("workspace/area/right").full;
    CHECK(middle.Max.x <= times.Min.x);
    CHECK(times.Max.x <= right.Min.x);
    CHECK(middle.GetWidth() > source);
    CHECK(times.GetWidth() > narrow);
    CHECK(scene.driver->at("workspace/area/left").full.GetWidth() > 1.2f * left);
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

/// Let `look` see the window of a laptop, and of a projector at 150 %.
void on_laptop_and_projector(Scene& scene, const std::function<void()>& look) {
    const struct {
        int width, height;
        float scale;
    } kScreens[] = {{1366, 768, 1}, {1920, 1080, 1.5f}};
    for (const auto& screen : kScreens) {
        scene.stage().look().set_scale(screen.scale);
        scene.resize(screen.width, screen.height);
        scene.driver->settle();
        CAPTURE(screen.width);
        look();
    }
}

TEST_CASE("Export on the bar says why there is nothing to export, and offers what the menu File does") {
    Scene scene("timed");
    on_laptop_and_projector(scene, [&] {
        CHECK(is_whole(scene.driver->at("experiment/export")));
        CHECK_FALSE(scene.driver->at("experiment/export").enabled);
    });
    CHECK(mentions(export_obstacle(scene.state()), "run something first"));
    scene.run();
    CHECK(export_obstacle(scene.state()).empty());
    on_laptop_and_projector(scene, [&] {
        for (const char* beside : {"experiment/export", "experiment/size", "workspace/view", "workspace/file",
                                   "workspace/keys", "shell/name"})
            CHECK(is_whole(scene.driver->at(beside)));
        CHECK(mentions(scene.label("experiment/export"), "Export"));
        for (const std::string form : {"html", "json", "csv"}) {
            CAPTURE(form);
            std::string proposed;
            for (const std::string opener : {"workspace/file", "experiment/export"}) {
                CAPTURE(opener);
                const std::string items = opener == "workspace/file" ? "file/export/" : "experiment/export/";
                scene.driver->click(opener);
                scene.driver->settle();
                scene.check_layout_now();
                scene.driver->click(items + form);
                scene.driver->settle();
                REQUIRE(scene.driver->has("files/title"));
                CHECK(mentions(scene.label("files/title"), "Export to a file"));
                if (proposed.empty()) proposed = scene.state().dialog->name;
                CHECK(scene.state().dialog->name == proposed);
                CHECK(mentions(proposed, "." + form));
                scene.driver->key(plain(Key::Escape));
                if (scene.driver->has("files/title")) scene.driver->key(plain(Key::Escape));
                scene.driver->settle();
            }
        }
    });
    scene.driver->click("experiment/export");
    scene.driver->settle();
    scene.driver->click("experiment/export/csv");
    scene.save_as(scene.folder / "run.csv");
    CHECK(mentions(read_text(scene.folder / "run.csv"), "matmul/mine"));
}

TEST_CASE("Export is an icon where the bar is narrower, and left to the menu where there is no room") {
    Scene scene("timed");
    scene.run();
    scene.resize(1366, 768);
    const float with_words = scene.driver->at("experiment/export").full.GetWidth();
    scene.stage().look().set_scale(1.5f);
    scene.driver->settle();
    CHECK(is_whole(scene.driver->at("experiment/export")));
    CHECK(scene.driver->at("experiment/export").full.GetWidth() < with_words);
    scene.check_layout_now();
    scene.stage().look().set_scale(1);
    scene.resize(800, 600);
    CHECK_FALSE(scene.driver->has("experiment/export"));
    scene.driver->click("workspace/file");
    scene.driver->settle();
    CHECK(scene.driver->has("file/export/csv"));
}

TEST_CASE("a sweep alone can be exported from the bar, once it has ended") {
    Scene scene("timed,timed,endless");
    scene.driver->click("times/tab/sweep");
    scene.driver->click("times/sweep/edges");
    scene.driver->key(ctrl(Key::A));
    scene.driver->type("64 32 128");
    scene.driver->click("times/sweep/start");
    scene.driver->wait_until("the third size is at work", [&] {
        return scene.state().sweep->sizes.size() == 2 && scene.state().session->progress.has_value();
    });
    scene.driver->settle();
    CHECK_FALSE(scene.driver->at("experiment/export").enabled);
    CHECK(mentions(export_obstacle(scene.state()), "when the run ends"));
    scene.driver->key(plain(Key::Escape));
    scene.rest();
    REQUIRE(scene.state().shown == nullptr);
    scene.driver->click("experiment/export");
    scene.driver->settle();
    scene.driver->click("experiment/export/csv");
    scene.driver->settle();
    CHECK(scene.state().dialog->name == "matmul-sweep.csv");
    scene.save_as(scene.folder / "sweep.csv");
    CHECK(mentions(read_text(scene.folder / "sweep.csv"), "matmul/mine"));
}

TEST_CASE(
    "one key leads from the start to the answer, and every kernel says its step from the next frame on") {
    Scene scene("endless");
    scene.driver->key(plain(Key::F5));
    scene.driver->pump(2);
    REQUIRE(scene.state().is_busy);
    for (const char* row : {"0", "1"})
        CHECK(scene.driver->has("experiment/contestant/" + std::string(row) + "/verdict"));
    scene.driver->wait_until("it can be stopped", [&] { return scene.workspace->timing_runs(); });
    scene.driver->key(plain(Key::Escape));
    scene.rest();
}

}  // namespace
}  // namespace kwb::test
