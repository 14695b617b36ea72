// SPDX-License-Identifier: Apache-2.0
// Choosing kernels, running them and viewing the results, in the whole window.
#include <doctest/doctest.h>

#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;

/// Move the pointer over a chart until a tooltip appears.
/// @return  the lines of the tooltip
std::vector<std::string> hover_until_told(Scene& scene, const std::string& chart,
                                          std::string_view wanted = {}) {
    const ImRect rect = scene.driver->at(chart).rect;
    for (float y = 0.1f; y < 0.95f; y += 0.03f)
        for (float x = 0.1f; x < 0.95f; x += 0.03f) {
            inject_pointer(rect.Min.x + x * rect.GetWidth(), rect.Min.y + y * rect.GetHeight());
            scene.driver->pump(2);
            std::vector<std::string> lines;
            while (scene.driver->has(chart + "/tooltip/" + std::to_string(lines.size())))
                lines.push_back(scene.label(chart + "/tooltip/" + std::to_string(lines.size())));
            if (!lines.empty() && mentions(lines.front(), wanted)) return lines;
        }
    return {};
}

/// "Show all" in the chart's menu is only enabled when zoomed.
bool is_zoomed(Scene& scene, const std::string& chart) {
    scene.driver->click(chart + "/more");
    const bool zoomed = scene.driver->at(chart + "/fit").enabled;
    scene.driver->key(plain(Key::Escape));
    return zoomed;
}

void choose(Scene& scene, const std::string& combo, const std::string& option) {
    scene.driver->click(combo);
    scene.driver->click(option);
}

TEST_CASE("eight kernels are compared in one run, and there is no room for a ninth") {
    Scene scene("lesson", {.kernels = {"one", "two", "three", "four", "five", "six", "wrong", "typo"}});
    scene.run();
    REQUIRE(scene.state().shown->run.results.size() == 8);
    for (int i = 0; i < 8; ++i) {
        CHECK(scene.driver->has("results/row/" + std::to_string(i)));
        CHECK(scene.driver->has("correctness/contestant/" + std::to_string(i)));
    }
    CHECK(mentions(scene.label("results/cell/6/verdict"), "wrong"));
    CHECK(mentions(scene.label("results/cell/7/verdict"), "compile"));
    scene.driver->click("experiment/add");
    CHECK_FALSE(scene.driver->at("experiment/add/option/matmul/naive").enabled);
}

TEST_CASE("a kernel is added from the list, and removed again") {
    Scene scene("timed");
    scene.driver->click("experiment/add");
    scene.driver->type("naive");
    scene.driver->key(plain(Key::Enter));
    scene.driver->settle();
    REQUIRE(scene.state().choices.contestants.size() == 3);
    CHECK(scene.state().choices.contestants[2].kernel == "matmul/naive");
    CHECK(scene.label("experiment/contestant/2/name") == "naive");
    choose(scene, "experiment/contestant/0/more", "experiment/contestant/0/remove");
    CHECK(scene.state().choices.contestants.size() == 2);
    scene.run();
    CHECK(scene.state().shown->labels == std::vector<std::string>{"other", "naive"});
}

TEST_CASE("one kernel is compared with itself at several work-groups") {
    Scene scene("timed", {.kernels = {"mine"}});
    choose(scene, "experiment/contestant/0/more", "experiment/contestant/0/duplicate");
    scene.open_row(1);
    choose(scene, "experiment/contestant/1/local", "experiment/contestant/1/local/option/8x8");
    scene.run();
    const ShownRun& shown = *scene.state().shown;
    REQUIRE(shown.run.results.size() == 2);
    CHECK(shown.labels[0] != shown.labels[1]);
    CHECK(shown.run.results[0].launches.at(0).local == std::vector<std::uint64_t>{16, 16});
    CHECK(shown.run.results[1].launches.at(0).local == std::vector<std::uint64_t>{8, 8});
}

TEST_CASE("a parameter, a size and a seed are in the next run") {
    Scene scene("timed", {.kernels = {"mine"}});
    scene.open_row(0);
    choose(scene, "experiment/contestant/0/param/TILE", "experiment/contestant/0/param/TILE/option/8");
    const auto type_into = [&](const std::string& field, const std::string& words) {
        scene.driver->click(field);
        scene.driver->key(ctrl(Key::A));
        scene.driver->type(words);
        scene.driver->key(plain(Key::Enter));
    };
    scene.open_size();
    scene.driver->click("experiment/size/linked");
    type_into("experiment/size/K", "33");
    scene.close_size();
    type_into("experiment/seed", "7");
    scene.run();
    const KernelResult& result = scene.state().shown->run.results.at(0);
    CHECK(result.launches.at(0).local == std::vector<std::uint64_t>{8, 8});
    CHECK(*find_named(result.size, "K") == 33);
    CHECK(*find_named(result.size, "M") == 64);
    CHECK(scene.state().choices.seed == 7);
}

TEST_CASE("F5 runs the number that was just typed, without Enter") {
    Scene scene("timed", {.kernels = {"mine"}});
    scene.open_size();
    scene.driver->click("experiment/size/M");
    scene.driver->type("100");
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(*find_named(scene.state().shown->run.results.at(0).size, "M") == 100);
    scene.close_size();
    // So does the button: clicking it finishes the input.
    scene.driver->click("experiment/seed");
    scene.driver->type("48");
    scene.driver->click("experiment/run");
    scene.rest();
    CHECK(scene.state().choices.seed == 48);
}

TEST_CASE("F5 does not run while a field has an invalid number, and focuses that field") {
    Scene scene("timed", {.kernels = {"mine"}});
    scene.open_size();
    scene.driver->click("experiment/size/M");
    scene.driver->type("1x");
    scene.driver->key(plain(Key::F5));
    scene.driver->settle();
    CHECK_FALSE(scene.state().is_busy);
    CHECK_FALSE(scene.state().shown);
    CHECK(mentions(scene.label("answer/headline"), "M: '1x' is not a whole number"));
    scene.driver->type("32");  // the field is focused and its text selected
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(*find_named(scene.state().shown->run.results.at(0).size, "M") == 32);
}

TEST_CASE("what does not fit is said with its reason before Run, which can then not be pressed") {
    Scene scene("timed", {.kernels = {"mine"}});
    scene.open_row(0);
    scene.driver->click("experiment/contestant/0/local");
    scene.driver->click("experiment/contestant/0/local/typed");
    scene.driver->type("64x64");
    scene.driver->key(plain(Key::Enter));
    scene.driver->settle();
    CHECK(mentions(scene.label("experiment/contestant/0/obstacle"), "64"));
    CHECK_FALSE(scene.driver->at("experiment/run").enabled);
    scene.driver->key(plain(Key::F5));
    CHECK_FALSE(scene.state().is_busy);
    CHECK(scene.state().shown == nullptr);
    scene.check_layout_now();
    choose(scene, "experiment/contestant/0/local", "experiment/contestant/0/local/own");
    CHECK(scene.driver->at("experiment/run").enabled);
}

TEST_CASE("the device stands with its limits") {
    Scene scene("good");
    CHECK(scene.label("experiment/device") == "the fake device");
    scene.driver->click("experiment/device");
    CHECK(scene.says("experiment/facts/", "1024"));
    CHECK(scene.says("experiment/facts/", "64 KiB"));
}

TEST_CASE(
    "a chart tells its values, zooms by Ctrl and the wheel, moves by hand and shows all on a double click") {
    Scene scene("timed");
    scene.run();
    const auto lines = hover_until_told(scene, "times/chart");
    REQUIRE(lines.size() >= 2);
    CHECK((mentions(lines[0], "mine") || mentions(lines[0], "other")));
    scene.driver->click("times/tab/rounds");
    CHECK_FALSE(is_zoomed(scene, "times/chart"));
    scene.driver->ctrl_wheel("times/chart", 3);
    CHECK(is_zoomed(scene, "times/chart"));
    scene.driver->drag_at("times/chart", 0.5, 0.5, 0.6, 0.5);
    CHECK(is_zoomed(scene, "times/chart"));
    scene.driver->double_click("times/chart");
    CHECK_FALSE(is_zoomed(scene, "times/chart"));
}

TEST_CASE("an entry of the legend switches its series off and on") {
    Scene scene("timed");
    scene.run();
    scene.driver->click("times/tab/rounds");
    REQUIRE(scene.driver->has("times/chart/legend/mine"));
    const auto drawn = [&] {
        scene.driver->park_pointer();
        return ImGui::GetDrawData()->TotalVtxCount;
    };
    const int both = drawn();
    scene.driver->click_at("times/chart/legend/mine", 0.5, 0.5);
    CHECK(drawn() < both);
    scene.driver->click_at("times/chart/legend/mine", 0.5, 0.5);
    CHECK(drawn() == both);
}

TEST_CASE("every tab of times shows a chart of the run") {
    Scene scene("timed");
    scene.run();
    for (const std::string tab : {"times", "distribution", "rounds", "speedup", "phases", "roofline"}) {
        CAPTURE(tab);
        scene.driver->click("times/tab/" + tab);
        CHECK(scene.driver->has("times/chart"));
        CHECK_FALSE(hover_until_told(scene, "times/chart").empty());
    }
}

TEST_CASE("after a run the reason grows on its own; its evidence is a click away, also for an audience") {
    Scene scene("explained");
    scene.run();
    scene.driver->wait_until("both kernels are explained", [&] {
        const auto& results = scene.state().shown->run.results;
        return std::ranges::all_of(results, [](const auto& result) { return result.effects.has_value(); });
    });
    scene.driver->settle();
    CHECK(mentions(scene.label("answer/because"), "Because cache misses of B cost other 50 %"));
    CHECK_FALSE(scene.driver->has("answer/why"));
    REQUIRE_FALSE(scene.driver->has("reasons/chart"));
    scene.driver->click("answer/evidence/0");
    scene.driver->settle();
    CHECK(scene.driver->has("reasons/chart"));
    scene.check_layout_now();
    scene.driver->key(plain(Key::F9));
    scene.driver->settle();
    CHECK(scene.driver->has("answer/because"));
    CHECK(scene.driver->has("reasons/chart"));
    scene.check_layout_now();
    // The map is asked of X-ray.
    scene.driver->click("reasons/item/0/map");
    scene.driver->settle();
    scene.driver->wait_until("the map is shown", [&] { return scene.driver->has("xray/map/0"); });
}

TEST_CASE("counted lines stand side by side, whatever was compared before") {
    Scene scene("timed");
    const auto compare = [&](std::vector<std::size_t> front, std::vector<std::size_t> beside) {
        (**scene.desk)
            .perform(command::CompareLines{{scene.kernel_file(0), std::move(front)},
                                           {scene.kernel_file(1), std::move(beside)}});
        scene.driver->settle();
    };
    compare({3}, {4});
    CHECK(scene.driver->has("source/diff"));
    compare({5}, {6});
    CHECK(scene.driver->has("source/diff"));
    scene.driver->click("source/diff/end");
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("source/diff"));
}

TEST_CASE("another contestant can be made the baseline of speed-ups") {
    Scene scene("timed");
    scene.run();
    CHECK(scene.label("results/cell/1/speedup").starts_with("0.6"));
    choose(scene, "experiment/contestant/1/more", "experiment/contestant/1/baseline");
    scene.run();
    CHECK(scene.state().shown->baseline == 1);
    CHECK(scene.label("results/cell/0/speedup").starts_with("1.5"));
}

TEST_CASE("a sweep brings its chart to the front, where Source hides it too") {
    Scene scene("timed", {.kernels = {"mine"}});
    scene.resize(900, 480);  // Source and Times share one tab bar
    scene.driver->click("workspace/tab/source");
    scene.driver->settle();
    REQUIRE_FALSE(scene.driver->has("times/tab/sweep"));
    scene.driver->click("experiment/sweep");
    scene.rest();
    const std::string* chart = find_named(scene.state().settings.tabs, "times");
    REQUIRE(chart != nullptr);
    CHECK(*chart == "sweep");
    const std::string* front = find_named(scene.state().settings.tabs, "area/main");
    REQUIRE(front != nullptr);
    CHECK(*front == "times");
}

TEST_CASE("a sweep grows while it runs, and what there is stays when it is stopped") {
    Scene scene("timed,timed,endless");
    scene.driver->click("times/tab/sweep");
    CHECK(scene.driver->has("times/empty/title"));
    scene.driver->click("times/sweep/edges");
    scene.driver->key(ctrl(Key::A));
    scene.driver->type("64 32 128");
    scene.driver->click("times/sweep/start");
    scene.driver->wait_until("the third size is at work", [&] {
        return scene.state().sweep->sizes.size() == 2 && scene.state().session->progress.has_value();
    });
    scene.driver->settle();
    CHECK(scene.driver->has("times/chart"));
    CHECK(mentions(scene.label("times/progress"), "2"));
    CHECK_FALSE(hover_until_told(scene, "times/chart").empty());
    scene.driver->key(plain(Key::Escape));
    scene.rest();
    CHECK(scene.state().sweep->sizes.size() == 2);
    CHECK(scene.driver->has("times/chart"));
    CHECK(scene.driver->has("times/sweep/start"));
}

TEST_CASE("ceilings are measured by a button, stand at the device and carry the roofline") {
    Scene scene("timed");
    scene.run();
    scene.driver->click("times/tab/roofline");
    const std::string before = scene.label("times/ceilings/state");
    scene.driver->click("times/ceilings/measure");
    scene.rest();
    REQUIRE_MESSAGE(scene.state().ceilings.has_value(), scene.state().ceilings_error);
    CHECK(scene.label("times/ceilings/state") != before);
    CHECK(mentions(scene.label("times/ceilings/state"), "GFLOP/s"));
    scene.driver->click("experiment/device");
    CHECK(scene.says("experiment/facts/", "GFLOP/s"));
}

TEST_CASE("a wrong result: its sentence, its map that tells values, its first wrong elements") {
    Scene scene("wrong", {.kernels = {"mine"}});
    scene.run();
    CHECK(scene.says("correctness/verdict", "Wrong"));
    CHECK(scene.says("correctness/verdict", "but 4 is expected"));
    CHECK(scene.says("correctness/wrong/cell/0", "C[0][1]"));
    CHECK(scene.says("correctness/wrong/cell/0", "4"));
    scene.driver->park_pointer();
    REQUIRE_FALSE(hover_until_told(scene, "correctness/map", "Row 0, column 1").empty());
    CHECK(scene.says("correctness/map/tooltip/", "expected 4"));
    CHECK(scene.says("correctness/map/tooltip/", "got 3"));
}

TEST_CASE("a write behind the end of a buffer says where it happened") {
    Scene scene("guard-zone", {.kernels = {"mine"}});
    scene.run();
    CHECK(mentions(scene.label("results/cell/0/verdict"), "bounds"));
    CHECK(scene.says("correctness/verdict", "one behind its last"));
    CHECK(scene.says("correctness/evidence", "4096"));
    CHECK(scene.says("correctness/evidence", "(64, 0)"));
}

TEST_CASE("an input that a kernel changed is told with its place") {
    Scene scene("input-changed", {.kernels = {"mine"}});
    scene.run();
    CHECK(scene.says("correctness/verdict", "changed its input A"));
    CHECK(scene.says("correctness/evidence", "7"));
}

TEST_CASE("right at one size is no more than that, and all sizes are one click away") {
    Scene scene("wrong-elsewhere", {.kernels = {"mine"}});
    scene.run();
    CHECK(mentions(scene.label("answer/verdict/0"), "mine: correct at 64"));
    scene.check_layout_now();
    scene.driver->click("answer/check_sizes");
    scene.rest();
    REQUIRE(scene.state().checks.at(0) != nullptr);
    const std::string words = "wrong at " + std::to_string(scene.state().checks[0]->faults()) + " of " +
                              std::to_string(scene.state().checks[0]->planned) + " sizes";
    CHECK(scene.state().checks[0]->faults() > 1);
    CHECK(scene.state().checks[0]->planned > 10);
    CHECK(mentions(scene.label("answer/verdict/0"), "mine: " + words));
    CHECK(mentions(scene.label("answer/hint"), "mine at size 1: "));
    CHECK(mentions(scene.label("experiment/contestant/0/verdict"), words));
    CHECK(scene.says("results/", words));
    CHECK_FALSE(scene.driver->has("answer/check_sizes"));
    CHECK(scene.history().size() == 1);
    scene.check_layout_now();
    scene.driver->click("workspace/tab/correctness");
    scene.driver->settle();
    CHECK(mentions(scene.label("correctness/verdict/title"), "Wrong at"));
    CHECK(mentions(scene.label("correctness/verdict/sentence"), "At size 64: "));
    scene.check_layout_now();
    scene.driver->click("correctness/size/0");
    scene.rest();
    CHECK(scene.state().choices.sizes.front().value == 1);

    scene.type_into_source("// another text");
    CHECK(scene.state().checks.at(0) == nullptr);
    scene.driver->click("experiment/contestant/0/more");
    scene.driver->click("experiment/contestant/0/check_sizes");
    scene.rest();
    REQUIRE(scene.state().checks.at(0) != nullptr);
    CHECK(mentions(scene.label("experiment/contestant/0/verdict"),
                   "of " + std::to_string(scene.state().checks[0]->planned) + " sizes"));
}

TEST_CASE("kernels that are right at all sizes are called so") {
    Scene scene("timed");
    scene.run();
    scene.driver->click("answer/check_sizes");
    scene.rest();
    const std::string words = "correct at " + std::to_string(scene.state().checks.at(1)->planned) + " sizes";
    CHECK(mentions(scene.label("answer/verdict/1"), "other: " + words));
    CHECK(mentions(scene.label("experiment/contestant/1/verdict"), words));
    CHECK_FALSE(scene.driver->has("answer/hint"));
    scene.driver->click("answer/verdict/1");
    scene.driver->click("workspace/tab/correctness");
    CHECK(scene.label("correctness/sizes/checked").starts_with("Checked at the sizes 1, "));
}

TEST_CASE("a rejected source: errors at their lines, the list, the build log") {
    Scene scene("compile-error,timed", {.kernels = {"mine"}});
    scene.run();
    CHECK(scene.says("correctness/diagnostic/0", "undeclared identifier"));
    CHECK(scene.driver->has("correctness/log"));
    REQUIRE(scene.driver->has("source/mark/0"));
    scene.driver->click("source/mark/0");
    CHECK(scene.front().buffer().caret().line == 1);
    scene.run();
    CHECK_FALSE(scene.driver->has("source/mark/0"));
    CHECK_FALSE(scene.driver->has("correctness/log"));
}

TEST_CASE("what a program printed is shown, whatever bytes it is made of") {
    Scene scene("printing", {.kernels = {"mine"}});
    scene.run();
    CHECK(scene.driver->has("correctness/output"));
    CHECK(mentions(scene.state().shown->run.results.at(0).output, "work-group (0, 0) begins"));
    scene.check_layout_now();
}

TEST_CASE("where a kernel did not finish in time, a longer limit and a run with it are one click away") {
    Scene scene("slow,slow,timed");
    scene.run();
    CHECK(mentions(scene.label("answer/headline"), "timed out"));
    CHECK(mentions(scene.label("answer/remedy"), "Raise the time limit to 120 s"));
    scene.check_layout_now();
    scene.driver->click("answer/remedy");
    scene.rest();
    CHECK(scene.state().choices.timeout_ms == 120'000);
    CHECK(scene.history().size() == 2);
    scene.driver->click("workspace/tab/correctness");
    scene.driver->settle();
    CHECK(mentions(scene.label("correctness/longer_limit"), "Raise the time limit to 480 s"));
    scene.check_layout_now();
    scene.driver->click("correctness/longer_limit");
    scene.rest();
    CHECK(scene.state().choices.timeout_ms == 480'000);
    CHECK_FALSE(scene.driver->has("correctness/longer_limit"));
    CHECK_FALSE(scene.driver->has("answer/remedy"));
}

TEST_CASE("the longest time limit is not raised any further") {
    Scene scene("slow");
    Experiment choices = scene.state().choices;
    choices.timeout_ms = 3'600'000;
    (**scene.desk).perform(to_choices(choices));
    scene.run();
    CHECK_FALSE(scene.driver->has("answer/remedy"));
    CHECK_FALSE(scene.driver->has("correctness/longer_limit"));
}

}  // namespace
}  // namespace kwb::test
