// SPDX-License-Identifier: Apache-2.0
// Nothing can freeze or crash the window: faults of the judge, kernel and compiler are each reported where
// they matter.
#include <doctest/doctest.h>

#include <algorithm>

#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;

/// A failed run reports the reason above its results, and the layout is intact.
void check_told(Scene& scene, const std::string& words) {
    REQUIRE(scene.state().shown != nullptr);
    CHECK(mentions(scene.state().shown->error, words));
    CHECK(scene.says("times/error", words));
    CHECK(scene.driver->at("experiment/run").enabled);
    scene.check_layout_now();
}

/// The next run works normally.
void check_next_run(Scene& scene) {
    scene.run();
    REQUIRE(scene.state().shown != nullptr);
    CHECK(scene.state().shown->error.empty());
    CHECK_FALSE(scene.driver->has("times/error"));
    CHECK(scene.driver->has("times/chart"));
    CHECK(mentions(scene.label("results/cell/0/verdict"), "correct"));
}

TEST_CASE("a judge that crashes in any stage is a sentence, and the next run works") {
    for (const std::string stage : {"build", "check (exact)", "check (real)", "time"}) {
        CAPTURE(stage);
        Scene scene("dies-in-" + stage + ";timed");
        scene.run();
        check_told(scene, "SIGSEGV");
        check_next_run(scene);
    }
}

TEST_CASE("a judge that answers nonsense is a sentence, and the next run works") {
    for (const std::string nonsense :
         {"run-garbage", "run-oversized", "run-unknown", "run-no-type", "run-bad-result", "run-bad-map",
          "run-cut", "backwards", "twice", "too-many"}) {
        CAPTURE(nonsense);
        Scene scene(nonsense + ";timed");
        scene.run();
        check_told(scene, "");
        CHECK(scene.state().shown->error.size() >= 20);
        check_next_run(scene);
    }
}

TEST_CASE("a judge that has a reason of its own for not running says it in its own words") {
    Scene scene("run-error,timed");
    scene.run();
    check_told(scene, "device 'fake:0' is no longer available");
    check_next_run(scene);
}

TEST_CASE("results that came before a crash are kept and shown") {
    Scene scene("dies-after-first;timed");
    scene.run();
    check_told(scene, "ended unexpectedly");
    CHECK(mentions(scene.label("results/cell/0/verdict"), "correct"));
    CHECK(mentions(scene.label("results/cell/1/verdict"), "skipped"));
    check_next_run(scene);
}

TEST_CASE("a run that never ends is stopped by Escape, even if that ends the judge") {
    for (const std::string judge : {"endless;timed", "exit-at-stop;timed"}) {
        CAPTURE(judge);
        Scene scene(judge);
        scene.driver->key(plain(Key::F5));
        scene.driver->wait_until("it is timed", [&] { return scene.workspace->timing_runs(); });
        scene.driver->settle();
        CHECK(scene.driver->has("experiment/stop"));
        scene.check_layout_now();
        scene.driver->key(plain(Key::Escape));
        scene.rest();
        CHECK(scene.driver->at("experiment/run").enabled);
    }
}

TEST_CASE("while something hangs everything else can be used") {
    Scene scene("endless;timed", {.kernels = {"mine"}});
    scene.driver->key(plain(Key::F5));
    scene.driver->wait_until("it is timed", [&] { return scene.workspace->timing_runs(); });
    scene.type_into_source("// meanwhile");
    CHECK(mentions(scene.front().buffer().text(), "// meanwhile"));
    scene.driver->click("shell/theme");
    scene.driver->click("times/tab/rounds");
    scene.driver->click("workspace/tab/history");
    CHECK(scene.driver->has("history/empty/title"));
    scene.driver->key(plain(Key::F1));
    scene.driver->settle();
    CHECK(scene.driver->has("keys/title"));
    scene.driver->key(plain(Key::Escape));
    scene.driver->settle();
    CHECK(scene.workspace->timing_runs());  // the dialog consumed Escape
    scene.driver->click("experiment/stop");
    scene.rest();
}

TEST_CASE("closing a window whose judge hangs also ends the judge") {
    Scene scene("endless");
    scene.driver->key(plain(Key::F5));
    scene.driver->wait_until("it is timed", [&] { return scene.workspace->timing_runs(); });
    CHECK(scene.workspace->may_close());
    scene.open("timed");
    scene.run();
    CHECK(scene.driver->has("times/chart"));
}

TEST_CASE("a judge that cannot be started is an obstacle with its reason") {
    Scene scene("", {.judge_program = "/nowhere/kwb-judge"});
    REQUIRE(scene.driver->has("experiment/obstacle"));
    CHECK(mentions(scene.label("answer/headline"), "/nowhere/kwb-judge"));  // whole, with more room
    CHECK_FALSE(scene.driver->at("experiment/run").enabled);
    CHECK(mentions(scene.label("shell/state"), "No device"));
    scene.type_into_source("x");  // everything else works
    CHECK(mentions(scene.front().buffer().text(), "x"));
    scene.check_layout_now();
}

TEST_CASE("without devices there is a sentence and a way to look again") {
    for (const std::string judge : {"devices-error", "devices-exit;good", "exit-at-start;good"}) {
        CAPTURE(judge);
        Scene scene(judge);
        REQUIRE(scene.driver->has("experiment/obstacle"));
        CHECK(scene.label("answer/headline").size() > 20);
        CHECK_FALSE(scene.driver->at("experiment/run").enabled);
        scene.check_layout_now();
    }
}

TEST_CASE("a device that is missing at first is found when it is looked for again") {
    Scene scene("devices-exit;timed");
    scene.driver->click("experiment/device");
    REQUIRE(scene.driver->has("experiment/find_devices"));
    scene.driver->click("experiment/find_devices");
    scene.driver->wait_until("the device is there", [&] { return scene.state().device != nullptr; });
    scene.rest();
    CHECK_FALSE(scene.driver->has("experiment/obstacle"));
    check_next_run(scene);
}

TEST_CASE("of thousands of events only the latest are drawn: no more states than frames") {
    Scene scene("chatty", {.kernels = {"mine"}});
    scene.driver->key(plain(Key::F5));
    std::size_t frames = 0, states = 0;
    std::uint64_t revision = scene.state().revision;
    while (scene.state().is_busy) {
        scene.driver->pump();
        ++frames;
        if (scene.state().revision != revision) ++states;
        // A frame processes all pending events at once, not one event per frame.
        CHECK(scene.state().revision - revision < 20);
        revision = scene.state().revision;
        if (frames > 200'000) FAIL("it does not end");
    }
    CHECK(states <= frames);
    CHECK(states < 10'000);  // from 20,000 events; a fast machine draws a few hundred
    scene.driver->settle();
    CHECK(scene.state().shown->error.empty());
}

TEST_CASE("ten thousand samples are one chart of bounded size") {
    Scene scene("many-samples");
    scene.run();
    for (const std::string tab : {"times", "distribution", "rounds"}) {
        scene.driver->click("times/tab/" + tab);
        scene.driver->settle();
        CHECK(ImGui::GetDrawData()->TotalVtxCount < 400'000);
    }
}

TEST_CASE(
    "a log of a megabyte, ten thousand messages and endless sentences are shown as far as they can be") {
    Scene scene("long-texts,timed", {.kernels = {"mine"}});
    scene.run();
    REQUIRE(scene.state().shown != nullptr);
    CHECK(scene.state().shown->error.empty());
    CHECK(scene.driver->has("correctness/verdict"));
    CHECK(scene.driver->has("source/mark/0"));
    const auto drawn = [&] {
        scene.driver->settle();
        return ImGui::GetDrawData()->TotalVtxCount;
    };
    CHECK(drawn() < 700'000);
    scene.check_layout_now();
    scene.driver->wheel("correctness/verdict", -1000);
    CHECK(drawn() < 700'000);
    scene.check_layout_now();
    scene.driver->click("workspace/tab/history");
    scene.check_layout_now();
    check_next_run(scene);
}

TEST_CASE("kernels with names of 200 characters have their place everywhere") {
    const std::string one(200, 'k'), other = std::string(199, 'k') + "x";
    Scene scene("timed", {.kernels = {one, other}});
    scene.check_layout_now();
    scene.run();
    CHECK(scene.state().shown->run.results.size() == 2);
    scene.check_layout_now();
    for (const std::string tab : {"times", "rounds", "speedup", "phases", "roofline"}) {
        scene.driver->click("times/tab/" + tab);
        scene.check_layout_now();
    }
    scene.driver->click("workspace/tab/history");
    scene.check_layout_now();
    scene.resize(1024, 640);
    scene.check_layout_now();
}

TEST_CASE("times that are zero, tiny or huge, and rates that are no numbers, harm no panel") {
    Scene scene("odd-times,timed",
                {.kernels = {"one", "two", "three", "four", "five", "six", "seven", "eight"}});
    scene.run();
    REQUIRE(scene.state().shown != nullptr);
    REQUIRE(scene.state().shown->run.results.size() == 8);
    for (const std::string tab : {"times", "distribution", "rounds", "speedup", "phases", "roofline"}) {
        CAPTURE(tab);
        scene.driver->click("times/tab/" + tab);
        if (scene.driver->has("times/chart")) {  // without drawable data there is text instead of a chart
            scene.driver->ctrl_wheel("times/chart", 2);
            scene.driver->drag_at("times/chart", 0.5, 0.5, 0.7, 0.6);
            scene.driver->double_click("times/chart");
            scene.driver->hover("times/chart", 0.4, 0.4);
            scene.driver->settle();
        }
        scene.driver->park_pointer();
        scene.check_layout_now();
    }
    for (int i = 0; i < 8; ++i) {
        scene.driver->click("correctness/contestant/" + std::to_string(i));
        scene.check_layout_now();
    }
    scene.driver->click("workspace/tab/history");
    scene.check_layout_now();
    scene.driver->click("times/tab/times");
    check_next_run(scene);
}

TEST_CASE("an odd sweep and odd ceilings are drawn or told, never fatal") {
    Scene scene("odd-times", {.kernels = {"mine"}});
    scene.driver->click("times/tab/sweep");
    scene.driver->click("times/sweep/start");
    scene.rest();
    scene.check_layout_now();
    scene.driver->click("times/tab/roofline");
    scene.driver->click("times/ceilings/measure");
    scene.rest();
    scene.check_layout_now();
}

TEST_CASE("an unwritable history only prevents runs from being kept") {
    Scene scene("timed");
    std::filesystem::remove_all(scene.folder / "history");
    scene.folder.write("history", "in the way");
    scene.open("timed");
    CHECK_FALSE(scene.state().history_is_kept);
    check_next_run(scene);
    scene.driver->click("workspace/tab/history");
    CHECK(scene.driver->has("history/kept"));
    CHECK(scene.history().size() == 1);
    scene.check_layout_now();
}

}  // namespace
}  // namespace kwb::test
