// SPDX-License-Identifier: Apache-2.0
// Pixels of the whole window in the states of a lesson, kept for inspection.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "gui/gl_pictures.hpp"
#include "gui/picture_stage.hpp"
#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Theme = gui::Theme;  // kwb::Theme of the settings also exists
using Scene = WorkspaceScene;

const std::vector<std::string> kLesson = {"naive",    "coalesced", "tiled",    "wrong_tail",
                                          "unrolled", "vector4",   "prefetch", "register_blocked"};

/// The window of a lesson, with pixels.
struct LessonWindow {
    PictureStage stage;
    Scene scene;

    explicit LessonWindow(const std::string& judges, std::vector<std::string> kernels = kLesson)
        : stage(1600, 1000),
          scene(judges, {.kernels = std::move(kernels), .edge = 1024, .stage = &stage, .paint = paint_png}) {}

    void keep(const std::string& name) {
        scene.driver->settle();
        scene.check_layout_now();
        stage.keep("workspace_" + name);
        CHECK(stage.picture().at(3, 3) == palette(stage.look().theme()).window.rgb);
    }
    void select(std::size_t contestant) {
        scene.driver->click("correctness/contestant/" + std::to_string(contestant));
    }
};

TEST_CASE("the window before anything was chosen or run") {
    LessonWindow window("lesson", {});
    window.keep("empty");
}

TEST_CASE("a lesson of eight kernels, one of them wrong") {
    LessonWindow window("lesson");
    Scene& scene = window.scene;
    scene.run();
    scene.driver->park_pointer();
    window.keep("run");
    window.select(3);
    scene.driver->hover("correctness/map", 0.4, 0.68);
    window.keep("error_map");
    scene.driver->park_pointer();
    scene.driver->click("times/tab/rounds");
    scene.driver->park_pointer();
    window.keep("rounds");
    scene.driver->click("times/tab/times");
    scene.driver->click("shell/theme");
    scene.driver->park_pointer();
    window.keep("light");
    scene.run();
    scene.driver->click("workspace/tab/history");
    scene.driver->hover("history/row/" + std::to_string(scene.history()[1].id), 0.3, 0.5);
    scene.driver->click("history/row/" + std::to_string(scene.history()[1].id) + "/more");
    scene.driver->click("history/compare");
    scene.driver->park_pointer();
    window.keep("history");
}

TEST_CASE("a lesson in a large room: scale 1.5") {
    LessonWindow window("lesson");
    window.scene.run();
    window.select(3);
    window.stage.look().set_scale(1.5f);
    window.scene.driver->park_pointer();
    window.keep("large");
    window.stage.look().set_scale(1);
    window.stage.resize(1024, 640);
    window.scene.driver->park_pointer();
    window.keep("small");
}

TEST_CASE("two sources with their differences, and errors at their lines") {
    LessonWindow window("lesson", {"naive", "typo"});
    Scene& scene = window.scene;
    scene.run();
    scene.workspace->open_files({scene.kernel_file(1)});
    window.select(1);
    scene.driver->park_pointer();
    window.keep("compile_error");
    DocumentId other = 0;
    for (const auto& document : scene.state().documents)
        if (document->id() != *scene.state().front) other = document->id();
    scene.driver->click("source/compare");
    scene.driver->click("source/compare/" + std::to_string(other));
    scene.driver->park_pointer();
    window.keep("differences");
}

TEST_CASE("an answer with its reason and a tooltip, also for an audience") {
    LessonWindow window("explained", {"mine", "other"});
    Scene& scene = window.scene;
    scene.run();
    scene.driver->wait_until("both kernels are explained", [&] {
        const auto& results = scene.state().shown->run.results;
        return std::ranges::all_of(results, [](const auto& result) { return result.effects.has_value(); });
    });
    for (const auto& [width, height] : {std::pair{1366, 768}, {1600, 1000}}) {
        window.stage.resize(width, height);
        scene.driver->settle();
        scene.driver->hover("experiment/run");
        window.keep("answer_" + std::to_string(width));
        scene.driver->key(plain(Key::F9));
        scene.driver->settle();
        scene.driver->hover("experiment/run");
        window.keep("audience_" + std::to_string(width));
        scene.driver->key(plain(Key::F9));
        scene.driver->settle();
    }
}

TEST_CASE("a kernel that is right by luck") {
    LessonWindow window("races", {"naive", "tiled"});
    window.stage.resize(1366, 768);
    window.scene.run();
    window.scene.driver->click("workspace/tab/correctness");
    window.scene.driver->click("answer/fault/meaning");
    window.scene.driver->park_pointer();
    window.keep("luck");
}

TEST_CASE("a lesson that asks before its first check, with a hint") {
    LessonWindow window("timed", {"naive"});
    Scene& scene = window.scene;
    window.stage.resize(1366, 768);
    scene.driver->settle();
    scene.workspace->focus(Panel::Learn);
    scene.driver->wait_until("the list", [&] { return scene.driver->has("learn/next"); });
    scene.driver->click("learn/next");
    scene.driver->click("learn/hint");
    scene.driver->click("learn/check");
    scene.driver->park_pointer();
    window.keep("lesson");
}

TEST_CASE("a file that does not declare its launch, with guesses") {
    LessonWindow window("timed", {"naive"});
    Scene& scene = window.scene;
    window.stage.resize(1600, 1000);
    const auto file = scene.folder.write(
        "theirs.cl",
        "__kernel void product(__global const float* p, __global const float* q, __global float* out,\n"
        "                      int rows, int columns, int inner) {\n"
        "    out[get_global_id(1) * columns + get_global_id(0)] = p[0] * q[0] * rows * inner * DEPTH;\n"
        "}\n");
    scene.workspace->open_files({file});
    scene.driver->wait_until("its source has been read", [&] {
        return scene.state().preview.contestants.size() == 2 &&
               !scene.state().preview.contestants[1].completed.arguments.empty();
    });
    scene.driver->park_pointer();
    window.keep("own_form");
}

TEST_CASE("a sweep over sizes, and a roofline") {
    LessonWindow window("lesson", {"naive", "coalesced", "tiled", "register_blocked"});
    Scene& scene = window.scene;
    scene.run();
    scene.driver->click("times/tab/sweep");
    scene.driver->click("times/sweep/start");
    scene.rest();
    scene.driver->park_pointer();
    window.keep("sweep");
    scene.driver->click("times/tab/roofline");
    scene.driver->click("times/ceilings/measure");
    scene.rest();
    scene.driver->park_pointer();
    window.keep("roofline");
}

TEST_CASE("a run under way, obstacles, and a judge that died") {
    LessonWindow window("lesson,endless;run-segv", {"naive", "tiled"});
    Scene& scene = window.scene;
    scene.run();
    scene.driver->key(plain(Key::F5));
    scene.driver->wait_until("it is timed", [&] { return scene.workspace->timing_runs(); });
    scene.driver->park_pointer();
    window.keep("running");
    scene.driver->key(plain(Key::Escape));
    scene.rest();
    Experiment choices = scene.state().choices;
    choices.contestants.at(0).local = "64x64";
    (**scene.desk).perform(to_choices(choices));
    scene.workspace->open_files({scene.folder / "gone.cl"});
    scene.driver->park_pointer();
    window.keep("obstacles");
}

TEST_CASE("each chart is saved as PNG from its menu") {
    LessonWindow window("lesson", {"naive", "wrong_tail"});
    Scene& scene = window.scene;
    scene.run();
    for (const std::string chart : {"times/chart", "correctness/map"}) {
        CAPTURE(chart);
        scene.driver->click(chart + "/more");
        scene.driver->click(chart + "/save_png");
        const auto file = scene.folder / "chart.png";
        scene.save_as(file);
        CHECK(read_text(file).substr(1, 3) == "PNG");
        std::filesystem::remove(file);
    }
}

}  // namespace
}  // namespace kwb::test
