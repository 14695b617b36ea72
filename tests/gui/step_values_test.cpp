// SPDX-License-Identifier: Apache-2.0
// The step player in the whole window, with recordings by the real judge: what goes wrong there.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <string>

#include "desk/window_settings.hpp"
#include "gui/gui_driver.hpp"
#include "gui/stage.hpp"
#include "gui/workspace_scene.hpp"
#include "support/watched_desk.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

/// @param loop  line 12 of the file
std::string stepped_source(const std::string& loop) {
    return "/*+++\nproblem = 'matmul'\n[launch]\nkernel = 'stepped'\nlocal = [4, 4]\n"
           "global = ['round_up(N, 4)', 'round_up(M, 4)']\n+++*/\n"
           "kernel void stepped(global const float* A, global const float* B, global float* C,\n"  // 8
           "                    int M, int N, int K) {\n"                                          // 9
           "    int col = get_global_id(0), row = get_global_id(1);\n"                             // 10
           "\n"                                                                                    // 11
           "    float sum = 0;\n"                                                                  // 12
           "    " +
           loop +
           "\n"                                                 // 13
           "        sum += A[row * K + k] * B[k * N + col];\n"  // 14
           "    C[row * N + col] = sum;\n"                      // 15
           "}\n";
}

/// The window with one kernel, whose first work-group is recorded and shown.
struct SteppedScene {
    TempFolder folder;
    std::filesystem::path file;
    WindowlessStage stage;
    WatchedDesk desk;
    Workspace workspace{*desk};
    GuiDriver driver{stage, workspace};

    /// @param height  usually so that all of the panel is seen without scrolling
    explicit SteppedScene(const std::string& loop, int width = 1920, int height = 2000)
        : file(folder.write("stepped.cl", stepped_source(loop))),
          stage(width, height),
          desk(options(folder, file)) {
        workspace.focus(Panel::Xray);
        driver.settle();
        driver.click("xray/values");
        wait_for_recording();
    }

    static DeskOptions options(const TempFolder& folder, const std::filesystem::path& file) {
        ::setenv("XDG_CACHE_HOME", KWB_TEST_CACHE, 1);
        Settings settings;
        settings.experiment.contestants = {{file.string(), {}, ""}};
        settings.experiment.sizes = {{"M", 8}, {"N", 8}, {"K", 8}};
        settings.experiment.xray = true;
        save_settings(settings, folder / "window.toml");
        DeskOptions options;
        options.judge.command = {KWB_JUDGE_PROGRAM};
        options.window_file = folder / "window.toml";
        return options;
    }

    void wait_for_recording() {
        driver.settle();
        driver.wait_until("the group is recorded",
                          [&] { return desk.state().steps != nullptr && !desk.state().steps_are_outdated; });
        driver.settle();
    }
    const std::string& label(std::string_view id) const { return driver.at(id).label; }
    void click(std::string_view id) {
        driver.click(id);
        driver.settle();
    }
    void stop_at(const std::string& place) {
        driver.click("values/stop");
        driver.key(ctrl(Key::A));
        driver.type(place);
        driver.key(plain(Key::Enter));
        driver.settle();
    }
};

const std::string kRightLoop = "for (int k = 0; k < K; ++k)";

TEST_CASE(
    "a source that is edited leaves the player at the recorded line, marked as outdated, until it follows") {
    SteppedScene scene(kRightLoop);
    scene.stop_at("14 if k == 3");
    scene.click("values/run_on");
    REQUIRE(mentions(scene.label("values/place"), "line 14"));
    const std::string recorded = scene.label("values/line");
    CHECK(mentions(recorded, "sum += A[row * K + k]"));
    scene.driver.click("source/text");
    scene.driver.key(ctrl(Key::Home));
    for (int line = 0; line < 9; ++line) scene.driver.key(plain(Key::Down));
    scene.driver.type("    int unused = 1;\n");
    scene.driver.pump();
    CHECK(scene.desk.state().steps_are_outdated);
    CHECK(mentions(scene.label("values/outdated"), "Outdated"));
    CHECK(scene.label("values/line") == recorded);
    CHECK_FALSE(scene.driver.at("values/place").enabled);
    scene.wait_for_recording();
    CHECK_FALSE(scene.driver.has("values/outdated"));
    scene.click("values/start");
    CHECK(mentions(scene.label("values/line"), "int unused = 1;"));
    CHECK(mentions(scene.label("values/place"), "line 10"));
}

TEST_CASE("a stop on an empty line moves, and a condition without a value stops and says why") {
    SteppedScene scene(kRightLoop);
    scene.stop_at("11");
    CHECK(scene.label("values/told") == "Line 11 has no code; the stop is at line 12.");
    scene.stop_at("14 if 10 / (k - 1) == 10");
    CHECK_FALSE(scene.driver.has("values/stop/error"));
    scene.click("values/run_on");
    CHECK(mentions(scene.label("values/place"), "line 12"));
    scene.click("values/run_on");
    CHECK(mentions(scene.label("values/place"), "line 14"));
    CHECK(mentions(scene.label("values/told"), "10 / (k - 1) == 10: a division by zero"));
    scene.click("values/run_on");
    CHECK(mentions(scene.label("values/place"), "line 14"));
    CHECK(scene.label("values/told") == "");
    scene.click("values/run_on");
    CHECK(scene.label("values/told") == "No stop follows.");
    for (const auto& [place, problem] : {std::pair{"14 if kk == 1", "there is no variable kk here"},
                                         {"99", "there is no code at or after line 99"},
                                         {"14 if k = ", "unexpected '='"}}) {
        const std::string typed = place;
        CAPTURE(typed);
        scene.stop_at(place);
        CHECK(mentions(scene.label("values/stop/error"), problem));
    }
}

TEST_CASE("of a kernel that never ends the first part is recorded, and later ones") {
    SteppedScene scene("for (int k = 0;; k = (k + 1) % K)");
    CHECK(mentions(scene.label("values/part"),
                   "does too much to be recorded at once; these are its events 1 to"));
    scene.stop_at("14 if k == 8");
    scene.click("values/run_on");
    CHECK(scene.label("values/told") == "No stop follows in this part of the record.");
    CHECK(mentions(scene.label("values/at_end"), "this part of the record ends here"));
    scene.click("values/part/after");
    scene.wait_for_recording();
    CHECK_FALSE(mentions(scene.label("values/part"), "events 1 to"));
}

TEST_CASE("for an audience, variables are in view in a small window, too") {
    SteppedScene scene(kRightLoop, 1366, 768);
    scene.driver.key(plain(Key::F9));
    scene.driver.settle();
    scene.click("values/variables/row/0");
}

}  // namespace
}  // namespace kwb::test
