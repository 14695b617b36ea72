// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "gui/desk_stage.hpp"
#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;

// The whole window with a real desk and a scripted judge, without a display.

TEST_CASE("F5 runs what is chosen, and times, verdicts and history show it") {
    Scene scene("timed");
    CHECK(scene.label("answer/headline") == "Press F5 to compare mine with other");
    CHECK(scene.driver->at("shell/state").label.starts_with("Ready"));
    scene.run();
    REQUIRE(scene.state().shown != nullptr);
    CHECK(scene.state().shown->run.results.size() == 2);
    CHECK(scene.driver->has("times/chart"));
    CHECK(scene.label("answer/headline") == "mine is 1.50\u00d7 as fast as other");
    CHECK(mentions(scene.label("answer/verdict/0"), "mine: correct"));
    CHECK(mentions(scene.label("answer/verdict/1"), "other: correct"));
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
    CHECK(scene.history().size() == 1);  // immediately
    scene.open_size();
    scene.driver->click_at("experiment/size/slider", 0.6, 0.5);
    scene.rest();
    CHECK(scene.history().size() == 2);
    scene.close_size();
    scene.driver->click("experiment/live");
    scene.open_size();
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
    CHECK(scene.driver->at("experiment/all").focused);
    scene.driver->key(ctrl(Key::Num2));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->at("experiment/all").focused);
    scene.driver->key(ctrl(Key::Tab));
    scene.driver->key(ctrl_shift(Key::Tab));
    scene.driver->key(ctrl_shift(Key::Tab));
    scene.driver->settle();
    CHECK(scene.driver->at("experiment/all").focused);
}

TEST_CASE("panels are hidden and shown from View, and stay so") {
    Scene scene("good");
    scene.driver->click("workspace/view");
    scene.driver->click("workspace/view/source");
    CHECK_FALSE(scene.driver->has("workspace/area/source"));
    CHECK(scene.driver->has("workspace/area/times"));
    scene.open("good");
    CHECK_FALSE(scene.driver->has("workspace/area/source"));
    scene.driver->key(ctrl(Key::Num2));
    scene.driver->settle();
    CHECK(scene.driver->has("workspace/area/source"));
    for (const char* panel :
         {"experiment", "source", "times", "correctness", "history", "xray", "tune", "learn", "reasons"}) {
        scene.driver->click("workspace/view");
        scene.driver->click("workspace/view/" + std::string(panel));
    }
    CHECK(scene.driver->has("workspace/nothing/title"));
}

TEST_CASE("View opens the documentation, or tells how its pages are built") {
    Scene scene("good");
    scene.folder.write("documentation/README.md", "# The workbench\n");
    scene.driver->click("workspace/view");
    scene.driver->click("workspace/view/documentation");
    scene.driver->settle();
    REQUIRE(scene.desk->state().notices.size() == 1);
    const std::string notice = "notice/" + std::to_string(scene.desk->state().notices.front().number);
    CHECK(mentions(scene.label(notice + "/sentence"), "./workbench docs"));
}

TEST_CASE("splitters move by mouse and by keyboard, and are remembered") {
    Scene scene("good");
    const auto width = [&] { return scene.driver->at("workspace/area/left").full.GetWidth(); };
    const float before = width();
    scene.driver->drag("workspace/split/columns/left", "workspace/area/source");
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
    const float height = scene.driver->at("workspace/area/times").full.GetHeight();
    scene.driver->drag("workspace/split/rows/right", "workspace/area/right");
    CHECK(scene.driver->at("workspace/area/times").full.GetHeight() > height + 50);
}

TEST_CASE("Ctrl+O opens the file dialog, F1 the keys, F11 the full screen") {
    Scene scene("good");
    scene.driver->key(ctrl(Key::O));
    scene.driver->settle();
    CHECK(scene.driver->has("files/title"));
    scene.driver->key(plain(Key::F5));  // the dialog is modal, so nothing runs
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

TEST_CASE("a lesson stands beside its exercise, by keyboard alone, and F9 presents it step by step") {
    Scene scene("good");
    scene.driver->key(ctrl(Key::Num8));
    scene.driver->settle();
    scene.driver->click("learn/next");
    scene.driver->settle();
    CHECK(scene.driver->says("1. One work-item"));
    CHECK(scene.driver->has("workspace/area/source"));
    CHECK(scene.state().choices.contestants.size() == 1);
    scene.driver->key(plain(Key::F7));
    scene.driver->settle();
    CHECK(scene.state().course.kept().hints == 1);
    scene.driver->key(plain(Key::F6));
    scene.driver->settle();
    CHECK(scene.state().course.asks_first);
    scene.driver->click("learn/first/anyway");
    scene.driver->wait_until("the answer", [&] { return !scene.state().course.said.empty(); });
    scene.driver->settle();
    CHECK(scene.driver->says("blank not filled in"));

    scene.driver->key(plain(Key::F9));
    scene.driver->settle();
    CHECK(scene.driver->has("workspace/area/taught"));
    CHECK(!scene.driver->at("learn/step/back").enabled);
    scene.driver->key(plain(Key::PageDown));
    scene.driver->settle();
    CHECK(scene.driver->at("learn/step/back").enabled);
    scene.driver->key(plain(Key::PageUp));
    scene.driver->settle();
    CHECK(!scene.driver->at("learn/step/back").enabled);
    CHECK_FALSE(scene.driver->says("blank not filled in"));  // of before
    scene.driver->key(plain(Key::F6));
    scene.driver->settle();
    CHECK(scene.driver->says("blank not filled in"));
    CHECK(scene.driver->at("learn/said/0").visible);
    scene.driver->key(plain(Key::PageDown));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->says("blank not filled in"));
    scene.driver->key(plain(Key::F9));
    scene.driver->settle();
    CHECK(scene.driver->has("learn/check"));
}

TEST_CASE("F9 presents: headline, source and chart alone and larger, and back as it was") {
    Scene scene("timed");
    scene.run();
    const float scale = scene.stage().look().scale();
    scene.driver->key(plain(Key::F9));
    scene.driver->settle();
    CHECK(scene.stage().look().scale() > scale);
    CHECK(scene.driver->has("answer/headline"));
    CHECK(scene.driver->has("source/text"));
    CHECK(scene.driver->has("times/chart"));
    CHECK_FALSE(scene.driver->has("experiment/contestant/0"));
    CHECK_FALSE(scene.driver->has("experiment/device"));
    CHECK(scene.driver->has("experiment/size"));
    scene.check_layout_now();
    scene.driver->hover("source/text", 0.3, 0.3);
    CHECK(scene.state().settings.scale == doctest::Approx(scale));  // the larger type is not kept
    scene.driver->click("workspace/present/end");
    scene.driver->settle();
    CHECK(scene.stage().look().scale() == scale);
    CHECK(scene.driver->has("experiment/contestant/0"));
}

TEST_CASE("an audience on 1366 x 768 sees all tabs of the times in one row, and another size") {
    Scene scene("timed");
    scene.resize(1366, 768);
    scene.run();
    scene.driver->key(plain(Key::F9));
    scene.driver->pump(10);
    const float row = scene.driver->at("times/tab/times").full.Min.y;
    CHECK(scene.driver->at("times/tab/roofline").full.Min.y == row);
    scene.open_size();
    scene.driver->settle();
    CHECK(scene.driver->at("experiment/size/M").visible);
    scene.check_layout_now();
    scene.driver->click("experiment/size/M");
    scene.driver->key(ctrl(Key::A));
    scene.driver->type("32");
    scene.driver->key(plain(Key::Enter));
    scene.driver->settle();
    CHECK(scene.state().choices.sizes.front().value == 32);
    CHECK_FALSE(scene.driver->has("answer/headline"));
}

/// The tooltip covers neither the answer nor what it explains.
void check_tooltip(Scene& scene, const std::string& explained) {
    CAPTURE(explained);
    const ImRect box = scene.driver->at("tooltip").full;
    CHECK_FALSE(box.Overlaps(scene.driver->at("answer/headline").full));
    CHECK_FALSE(box.Overlaps(scene.driver->at(explained).full));
}

TEST_CASE("tooltips leave the answer visible; an audience sees those of the focus once a key moved it") {
    Scene scene("timed");
    scene.resize(1366, 768);
    scene.run();
    for (const char* explained : {"experiment/run", "workspace/view"}) {
        scene.driver->hover(explained);
        scene.driver->settle();
        check_tooltip(scene, explained);
    }
    scene.driver->park_pointer();
    const auto press_until = [&](const std::string& shown) {
        for (int tries = 0; tries < 20 && !scene.driver->has(shown); ++tries) {
            scene.driver->key(plain(tries % 2 == 0 ? Key::Right : Key::Up));
            scene.driver->settle();
        }
    };
    press_until("tooltip");
    REQUIRE(scene.driver->has("tooltip"));
    scene.driver->key(plain(Key::F9));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("tooltip"));
    press_until("tooltip");
    REQUIRE(scene.driver->has("tooltip"));
    CHECK_FALSE(scene.driver->at("tooltip").full.Overlaps(scene.driver->at("answer/headline").full));
    scene.driver->hover("experiment/run");
    scene.driver->settle();
    check_tooltip(scene, "experiment/run");
}

TEST_CASE("F9 keeps what is in front, at three widths, and gives it back") {
    for (const int width : {1000, 1600, 2600})
        for (const Panel kept : {Panel::Xray, Panel::Correctness, Panel::Reasons, Panel::Times}) {
            CAPTURE(width);
            CAPTURE(name_of(kept));
            Scene scene("timed");
            scene.resize(width, 1000);
            scene.run();
            scene.workspace->focus(kept);
            scene.driver->settle();
            if (width > 1000)
                scene.driver->click("source/text");  // does not change what is in front elsewhere
            scene.driver->key(plain(Key::F9));
            scene.driver->pump(60);
            CHECK(scene.says(name_of(kept) + "/", ""));
            scene.driver->key(plain(Key::F9));
            scene.driver->pump(60);
            CHECK(scene.says(name_of(kept) + "/", ""));
        }
}

TEST_CASE("F9 shows the times where X-ray stands next to them and nothing was chosen") {
    Scene scene("timed");
    scene.resize(2600, 1300);
    scene.run();
    REQUIRE(scene.says("xray/", ""));
    scene.driver->key(plain(Key::F9));
    scene.driver->pump(60);
    CHECK(scene.driver->has("times/chart"));
}

TEST_CASE("F9 shows the line in question, and no verdict on an earlier text") {
    Scene scene("timed");
    scene.resize(1366, 768);
    scene.run();
    Document& front = scene.front();
    for (int i = 0; i < 60; ++i) front.buffer().type("// more\n");
    front.set_marks({{LineMark::Kind::Warning, 2, 0, "slow", "mine"},
                     {LineMark::Kind::Error, 48, 0, "expected ';'", "mine"}});
    front.buffer().set_caret({});
    scene.driver->settle();
    scene.driver->key(plain(Key::F9));
    scene.driver->pump(60);
    CHECK(front.buffer().caret().line == 48);
    CHECK(scene.driver->at("source/mark/1").visible);
    const ImRect text = scene.driver->at("source/text").full;
    scene.driver->click_at("source/text", 0.5, 0.03);
    CHECK(front.buffer().caret().line < 48);
    scene.driver->click_at("source/text", 0.5, 0.97);
    CHECK(front.buffer().caret().line >= 48);
    CHECK(text.GetHeight() > 200);
    CHECK(scene.driver->has("answer/headline"));
    scene.type_into_source("x");
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("answer/headline"));
}

TEST_CASE("F9 gives the source back where it stood, unless the caret was moved meanwhile") {
    for (const bool moves : {false, true}) {
        CAPTURE(moves);
        Scene scene("timed");
        scene.resize(1366, 768);
        scene.run();
        Document& front = scene.front();
        for (int i = 0; i < 90; ++i) front.buffer().type("// more\n");
        front.set_marks({{LineMark::Kind::Error, 70, 0, "expected ';'", "mine"}});
        front.buffer().set_caret({});
        scene.driver->settle();
        scene.driver->click_at("source/text", 0.5, 0.3);
        const editor::Position before = front.buffer().caret();
        CHECK(before.line < 30);
        scene.driver->key(plain(Key::F9));
        scene.driver->pump(60);
        CHECK(front.buffer().caret().line == 70);
        if (moves) scene.driver->click_at("source/text", 0.5, 0.5);
        const editor::Position moved = front.buffer().caret();
        scene.driver->key(plain(Key::F9));
        scene.driver->pump(60);
        CHECK(front.buffer().caret() == (moves ? moved : before));
        if (moves) continue;
        scene.driver->click_at("source/text", 0.5, 0.3);
        CHECK(front.buffer().caret() == before);
    }
}

TEST_CASE("where not all verdicts have room next to the headline, that of a faulty kernel stays") {
    Scene scene("lesson", {.kernels = {"good", "slow", "wrong"}});
    scene.run();
    bool leaves_out = false;
    for (int width = 700; width <= 1600; width += 50) {
        CAPTURE(width);
        scene.resize(width, 900);
        const auto has = [&](int kernel) {
            return scene.driver->has("answer/verdict/" + std::to_string(kernel));
        };
        CHECK((has(2) || !(has(0) || has(1))));
        leaves_out = leaves_out || (has(2) && !(has(0) && has(1)));
    }
    CHECK(leaves_out);
}

TEST_CASE("row, tab, result and X-ray show the same kernel, by click and by key") {
    Scene scene("timed");
    scene.resize(2600, 1300);
    scene.run();
    scene.workspace->focus(Panel::Xray);
    scene.driver->wait_until("X-ray", [&] { return scene.driver->has("xray/table/0/title"); });
    const auto all_show = [&](std::size_t kernel) {
        const char* const name = kernel == 0 ? "mine" : "other";
        scene.driver->wait_until(
            name, [&] { return scene.says("xray/table/", std::string("Accesses of ") + name); });
        scene.driver->settle();
        CHECK(scene.state().kernel == kernel);
        CHECK(scene.state().selected == kernel);
        CHECK(scene.front().path() == scene.kernel_file(kernel));
    };
    all_show(0);
    scene.driver->key(plain(Key::F4));
    all_show(1);
    scene.driver->key(shift(Key::F4));
    all_show(0);
    scene.driver->click("experiment/contestant/1");
    all_show(1);
    scene.driver->click("results/row/0");
    all_show(0);
    scene.driver->click("source/tab/2");
    all_show(1);
    scene.driver->click("xray/contestant/0");
    all_show(0);
    scene.driver->key(plain(Key::F2));
    scene.driver->settle();
    CHECK(scene.state().other == 1);
    CHECK(scene.label("xray/compared") == "with other");
    CHECK(mentions(scene.label("experiment/contestant/1/role"), "compared"));
    scene.driver->key(plain(Key::F2));
    scene.driver->settle();
    CHECK(!scene.state().other);
}

TEST_CASE(
    "results that were measured at another size are said to be outdated, and one click measures again") {
    Scene scene("timed,timed");
    scene.run();
    CHECK_FALSE(scene.driver->has("answer/remedy"));
    Experiment choices = scene.state().choices;
    for (auto& size : choices.sizes) size.value = 32;
    (**scene.desk).perform(to_choices(choices));
    scene.driver->settle();
    CHECK(mentions(scene.label("answer/remedy"), "Outdated"));
    CHECK(scene.label("times/run").starts_with("Outdated"));
    CHECK_FALSE(scene.driver->has("experiment/contestant/0/verdict"));
    scene.driver->click("answer/remedy");
    scene.rest();
    CHECK_FALSE(scene.driver->has("answer/remedy"));
    CHECK(mentions(scene.label("answer/detail"), "size 32"));
}

TEST_CASE("a file dropped onto the window is opened and compared") {
    Scene scene("good");
    scene.workspace->open_files({scene.outside});
    scene.driver->settle();
    REQUIRE(scene.state().choices.contestants.size() == 3);
    CHECK(scene.state().choices.contestants[2].kernel == scene.outside.string());
    CHECK(scene.driver->at("experiment/contestant/2/name").label == "outside");
}

TEST_CASE("a foreign file is dropped, looked at, run and kept, without a terminal") {
    Scene scene("timed,timed", {.kernels = {"mine"}});
    const auto file =
        scene.folder.write("theirs.cl",
                           "__kernel void product(__global const float* A, __global const float* B,\n"
                           "                      __global float* C, int M, int N, int K) {\n"
                           "    int column = get_global_id(0), row = get_global_id(1);\n"
                           "    if (row >= M || column >= N) return;\n"
                           "    float sum = 0;\n"
                           "    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];\n"
                           "    C[row * N + column] = sum;\n"
                           "}\n");
    scene.workspace->open_files({file});
    scene.driver->wait_until("its source has been read", [&] {
        return scene.state().preview.contestants.size() == 2 &&
               !scene.state().preview.contestants[1].notes.empty();
    });
    scene.driver->settle();
    // The form is open without a click; two more are all that it takes.
    CHECK(scene.label("experiment/contestant/1/own/argument/A/label") == "A  global const float*");
    CHECK(scene.label("experiment/contestant/1/own/argument/K") == "K");
    scene.check_layout_now();
    scene.driver->click("experiment/run");
    scene.rest();
    REQUIRE(scene.state().shown);
    CHECK(scene.state().shown->run.results.at(1).verdict == Verdict::Correct);
    scene.driver->click("experiment/contestant/1/own/keep");
    CHECK(std::filesystem::exists(file.string() + ".toml"));
    CHECK_FALSE(scene.driver->has("experiment/contestant/1/own/keep"));
    CHECK_FALSE(scene.state().is_outdated);
}

TEST_CASE("the experiment's panel makes room for a lesson, can be asked for, and comes back") {
    Scene scene("timed");
    const float source = scene.driver->at("workspace/area/source").full.GetWidth();
    scene.workspace->focus(Panel::Learn);
    scene.driver->settle();
    scene.driver->click("learn/next");
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("workspace/area/left"));
    CHECK(scene.driver->at("workspace/area/source").full.GetWidth() > source);
    scene.check_layout_now();
    scene.driver->click("workspace/view");
    scene.driver->click("workspace/view/experiment");
    scene.driver->settle();
    CHECK(scene.driver->has("workspace/area/left"));
    scene.driver->key(plain(Key::Escape));
    scene.driver->click("learn/back");
    scene.driver->settle();
    CHECK(scene.driver->has("workspace/area/left"));
    CHECK(scene.state().choices.problem == "matmul");
    CHECK(scene.state().choices.contestants.size() == 2);
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

// Layout of the whole window at every size, scale and theme, in the states of a lesson.

/// Check the layout of the current state in all twelve combinations.
void look_at(Scene& scene, const std::string& when) {
    at_every_size(scene.stage(), [&](int width, int height, float scale) {
        scene.driver->settle();
        // What a larger window shows may begin to be computed only now.
        if (!scene.state().is_busy)
            scene.driver->wait_until("nothing is observed",
                                     [&] { return scene.state().session->phase == Snapshot::Phase::Idle; });
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
    Experiment choices = scene.state().choices;
    for (auto& contestant : choices.contestants) contestant.local = "64x64";
    (**scene.desk).perform(to_choices(choices));
    scene.workspace->open_files({scene.folder / "gone.cl", scene.folder / "a" / "b" / "gone.cl"});
    scene.driver->settle();
    CHECK(mentions(scene.label("experiment/contestant/0/verdict"), "does not fit"));
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
