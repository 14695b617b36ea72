// SPDX-License-Identifier: Apache-2.0
// Persistent data: history, exports, settings.
#include <doctest/doctest.h>

#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;
namespace fs = std::filesystem;

std::string row_of(const RunSummary& run) {
    return "history/row/" + std::to_string(run.id);
}

void choose_edge(Scene& scene, const std::string& edge) {
    scene.open_size();
    scene.driver->click("experiment/size/M");
    scene.driver->key(ctrl(Key::A));
    scene.driver->type(edge);
    scene.driver->key(plain(Key::Enter));
    scene.close_size();
    scene.driver->settle();
}

TEST_CASE("an earlier run is selected in the history, shown, and compared with the present one") {
    Scene scene("timed");
    scene.run();
    choose_edge(scene, "128");
    scene.run();
    scene.driver->click("workspace/tab/history");
    REQUIRE(scene.history().size() == 2);
    const std::string earlier = row_of(scene.history()[1]);
    scene.driver->click_at(earlier, 0.3, 0.5);
    CHECK(scene.state().shown->run.sizes.at(0).value == 64);
    CHECK(mentions(scene.label("times/run"), "64"));
    const std::string later = row_of(scene.history()[0]);
    scene.driver->hover(later, 0.3, 0.5);
    scene.driver->click(later + "/more");
    scene.driver->click("history/compare");
    REQUIRE(scene.state().compared != nullptr);
    CHECK(scene.driver->has("results/cell/0/earlier"));
    CHECK(scene.driver->has("history/compared"));
    scene.check_layout_now();
    scene.driver->click("history/stop_comparing");
    CHECK_FALSE(scene.driver->has("results/cell/0/earlier"));
}

TEST_CASE("a run is exported as JSON, CSV and HTML from its menu") {
    Scene scene("timed");
    scene.run();
    scene.driver->click("workspace/tab/history");
    const std::string row = row_of(scene.history()[0]);
    const struct {
        const char *item, *file, *holds;
    } kForms[] = {{"history/export/json", "run.json", "\"matmul/mine\""},
                  {"history/export/csv", "run.csv", "matmul/mine"},
                  {"history/export/html", "session.html", "<svg"}};
    for (const auto& form : kForms) {
        CAPTURE(form.file);
        scene.driver->click(row + "/more");
        scene.driver->click(form.item);
        scene.save_as(scene.folder / form.file);
        CHECK_FALSE(scene.driver->has("files/title"));
        CHECK(mentions(read_text(scene.folder / form.file), form.holds));
        CHECK(scene.says("notice/", form.file));
        scene.driver->key(plain(Key::Escape));
    }
}

TEST_CASE("a file that is there is replaced by an export only after a question") {
    Scene scene("timed");
    scene.run();
    scene.driver->click("workspace/tab/history");
    const fs::path file = scene.folder.write("run.json", "precious");
    scene.driver->click(row_of(scene.history()[0]) + "/more");
    scene.driver->click("history/export/json");
    scene.save_as(file);
    REQUIRE(scene.driver->has("question/title"));
    CHECK(read_text(file) == "precious");
    scene.driver->key(plain(Key::Escape));
    CHECK(read_text(file) == "precious");
}

TEST_CASE("an export to where no file can be is a sentence in the dialog") {
    Scene scene("timed");
    scene.run();
    scene.driver->click("workspace/tab/history");
    scene.driver->click(row_of(scene.history()[0]) + "/more");
    scene.driver->click("history/export/json");
    scene.save_as("/dev/full/run.json");
    scene.driver->settle();
    CHECK(scene.says("files/error", "/dev/full"));
    scene.driver->key(plain(Key::Escape));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("files/title"));
    scene.check_layout_now();
}

TEST_CASE("each chart is saved as SVG from its menu") {
    Scene scene("timed");
    scene.run();
    for (const std::string tab : {"times", "rounds"}) {
        scene.driver->click("times/tab/" + tab);
        scene.driver->click("times/chart/more");
        scene.driver->click("times/chart/save_svg");
        const fs::path file = scene.folder / (tab + ".svg");
        scene.save_as(file);
        CHECK(read_text(file).starts_with("<svg"));
        CHECK(mentions(read_text(file), "mine"));
        CHECK_FALSE(scene.driver->has("files/title"));
    }
    scene.driver->click("correctness/map/more");
    scene.driver->click("correctness/map/save_svg");
    scene.save_as(scene.folder / "map.svg");
    CHECK(mentions(read_text(scene.folder / "map.svg"), "data:image/png"));
}

TEST_CASE("choices, layout and look are there again after a new start, and so are the runs") {
    Scene scene("timed");
    scene.driver->click("experiment/contestant/1/more");
    scene.driver->click("experiment/contestant/1/baseline");
    choose_edge(scene, "96");
    scene.run();
    scene.driver->click("times/tab/phases");
    scene.driver->click("workspace/tab/history");
    scene.driver->click("shell/theme");
    scene.driver->key(ctrl(Key::Minus));
    scene.driver->settle();
    const Experiment choices = scene.state().choices;
    const float scale = scene.stage().look().scale();
    scene.stage().look().set_theme(gui::Theme::Dark);
    scene.stage().look().set_scale(1);
    scene.open("timed");
    CHECK(scene.state().choices == choices);
    CHECK(scene.stage().look().theme() == gui::Theme::Light);
    CHECK(scene.stage().look().scale() == doctest::Approx(scale));
    CHECK(scene.driver->has("history/filter"));
    REQUIRE(scene.history().size() == 1);
    scene.driver->click_at(row_of(scene.history()[0]), 0.3, 0.5);
    REQUIRE(scene.state().shown != nullptr);
    CHECK(mentions(scene.label("times/run"), "96"));
    CHECK(scene.driver->has("times/chart"));
}

TEST_CASE("a damaged settings file gives the defaults, a notice, and a copy of the old one") {
    Scene scene("timed", {.settings = "theme = [[[ nonsense"});
    CHECK(scene.says("notice/", "settings"));
    CHECK(scene.stage().look().theme() == gui::Theme::Dark);
    CHECK(scene.state().choices.problem == "matmul");
    bool copied = false;
    for (const auto& entry : fs::directory_iterator(scene.folder.path()))
        copied = copied || (entry.is_regular_file() && entry.path().filename() != "window.toml" &&
                            mentions(read_text(entry.path()), "[[[ nonsense"));
    CHECK(copied);
    scene.check_layout_now();
    CHECK_MESSAGE(!scene.state().preview.obstacle, *scene.state().preview.obstacle);
    scene.run();
    CHECK(scene.state().shown != nullptr);
}

TEST_CASE("a run is forgotten after a question, and is gone after a new start, too") {
    Scene scene("timed");
    scene.run();
    scene.driver->click("workspace/tab/history");
    scene.driver->click(row_of(scene.history()[0]) + "/more");
    scene.driver->click("history/forget");
    REQUIRE(scene.driver->has("question/title"));
    CHECK(scene.history().size() == 1);
    scene.driver->click("question/yes");
    CHECK(scene.history().empty());
    CHECK(scene.driver->has("history/empty/title"));
    scene.open("timed");
    CHECK(scene.history().empty());
}

TEST_CASE("the file dialog opens a kernel, which takes part from then on") {
    Scene scene("timed", {.kernels = {"mine"}});
    scene.driver->click("experiment/open");
    REQUIRE(scene.driver->has("files/title"));
    scene.driver->click("files/name");
    scene.driver->key(ctrl(Key::A));
    scene.driver->type(scene.outside.string());
    scene.driver->key(plain(Key::Enter));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("files/title"));
    CHECK(scene.front().path() == scene.outside);
    scene.run();
    CHECK(scene.state().shown->labels == std::vector<std::string>{"mine", "outside"});
}

}  // namespace
}  // namespace kwb::test
