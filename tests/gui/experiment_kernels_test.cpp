// SPDX-License-Identifier: Apache-2.0
// Tests of the kernels in the experiment panel: rows, menus, forms of bare files.
#include <doctest/doctest.h>

#include "gui/experiment_scene.hpp"

namespace kwb::test {
namespace {

using Scene = ExperimentScene;

TEST_CASE("the list of kernels is narrowed by typing, and Enter takes the first") {
    Scene scene;
    scene.open_row(0);
    scene.driver.click("experiment/contestant/0/kernel");
    const std::string list = "experiment/contestant/0/kernel/option/";
    CHECK(scene.driver.has(list + "matmul/tiled"));
    CHECK(scene.driver.has(list + kHostBlasName));
    CHECK_FALSE(scene.driver.has(list + "copy/plain"));
    CHECK_FALSE(scene.driver.at(list + "matmul/broken").enabled);
    scene.driver.type("local mem");
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has(list + "matmul/naive"));
    scene.driver.key(plain(Key::Enter));
    CHECK(scene.choices().contestants[0].kernel == "matmul/tiled");
    CHECK_FALSE(scene.driver.has(list + "matmul/tiled"));
}

TEST_CASE("an unknown kernel name shows a message in the list") {
    Scene scene;
    scene.driver.click("experiment/add");
    scene.driver.type("nothing like it");
    scene.driver.settle();
    CHECK(scene.driver.has("experiment/add/none"));
}

TEST_CASE("several kernels are ticked in one list, and those of another problem are one step away") {
    Scene scene;
    scene.state.choices.contestants.resize(1);
    scene.state.preview.contestants.resize(1);
    scene.driver.settle();
    scene.driver.click("experiment/add");
    CHECK_FALSE(scene.driver.has("experiment/add/option/copy/plain"));
    scene.driver.click("experiment/add/option/matmul/tiled");
    REQUIRE(scene.choices().contestants.size() == 2);
    CHECK(scene.choices().contestants[1].kernel == "matmul/tiled");
    scene.driver.click(
        "experiment/add/option/matmul/naive");  // the list is still open, and this one was ticked
    REQUIRE(scene.choices().contestants.size() == 1);
    CHECK(scene.choices().contestants[0].kernel == "matmul/tiled");
    CHECK(scene.choices().problem == "matmul");
    scene.driver.click("experiment/add/problem/copy");
    CHECK(scene.choices().problem == "copy");
}

TEST_CASE("the whole ladder is chosen at once, and cleared but for what is pinned") {
    Scene scene;
    scene.driver.click("experiment/contestant/1/more");
    scene.driver.click("experiment/contestant/1/pin");
    CHECK(scene.choices().contestants[1].pinned);
    scene.driver.click("experiment/clear");
    REQUIRE(scene.choices().contestants.size() == 1);
    CHECK(scene.choices().contestants[0].kernel == "matmul/tiled");
    scene.driver.click("experiment/all");
    REQUIRE(scene.choices().contestants.size() == 2);  // not the broken one, not the host's library
    CHECK(scene.choices().contestants[1].kernel == "matmul/naive");
}

TEST_CASE("kernels change places by dragging and from the menu, and the baseline stays the same kernel") {
    Scene scene;
    scene.driver.drag("experiment/contestant/0", "experiment/contestant/1");
    REQUIRE(scene.choices().contestants[0].kernel == "matmul/tiled");
    CHECK(scene.choices().baseline == 1);
    scene.driver.click("experiment/contestant/1/more");
    scene.driver.click("experiment/contestant/1/up");
    CHECK(scene.choices().contestants[0].kernel == "matmul/naive");
    CHECK(scene.choices().baseline == 0);
}

TEST_CASE("a row says what it launches, and how its kernel was judged") {
    Scene scene;
    CHECK(scene.driver.at("experiment/contestant/1/name").label == "tiled");
    CHECK(scene.driver.at("experiment/contestant/1/launch").label == "16\u00d716 TILE=16");
    CHECK_FALSE(scene.driver.has("experiment/contestant/1/verdict"));
    auto shown = std::make_shared<ShownRun>();
    shown->labels = {"naive", "tiled"};
    shown->run.results.resize(2);
    shown->run.results[0].verdict = Verdict::Wrong;
    shown->run.results[1].verdict = Verdict::Correct;
    shown->run.results[1].hints = {{3, "a barrier is missing"}};
    scene.state.shown = shown;
    scene.state.result_of = {0, 1};
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/contestant/0/verdict").label.ends_with("wrong"));
    CHECK(scene.driver.at("experiment/contestant/1/verdict").label.ends_with("correct \u00b7 1 hint"));
    scene.state.result_of = {0, std::nullopt};  // measured with another work-group
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("experiment/contestant/1/verdict"));
    scene.session->progress = Progress{"build", "matmul/tiled", 0, 0, {}, {}, 0, {}, 1};
    scene.state.is_busy = scene.state.runs_as_chosen = true;
    scene.state.result_of = {};
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/contestant/0/verdict").label.ends_with("waiting"));
    CHECK(scene.driver.at("experiment/contestant/1/verdict").label.ends_with("building"));
}

TEST_CASE(
    "a bare file has lists for what it does not say, a sentence about what is missing, Run and Remember") {
    Scene scene;
    Preview::Contestant& shown = scene.state.preview.contestants[1];
    shown.is_bare = shown.may_keep = true;
    shown.functions = {"product", "other"};
    shown.obstacle = "say which one";
    scene.open_row(1);
    scene.driver.settle();
    const std::string own = "experiment/contestant/1/own/";
    CHECK_FALSE(scene.driver.at(own + "keep").enabled);
    scene.driver.click(own + "entry");
    scene.driver.click(own + "entry/option/product");
    scene.driver.click(own + "more");
    scene.type_into(own + "defines", "TILE = 16");
    const OwnText* text = find_named(scene.choices().own, std::string("matmul/tiled"));
    REQUIRE(text != nullptr);
    CHECK(*text == OwnText{"product", "", "", "", "", "TILE = 16", "", ""});
    scene.state.preview.contestants[1].completed = {
        "product",
        {{"a", "global const float*", "", {"A", {"A", "B", "C"}}}, {"n", "int", "", {"", {"N", "0"}}}},
        "",
        "",
        false,
        {"N", "16"},
        {},
        {}};
    scene.driver.settle();
    CHECK(scene.driver.at(own + "heading").label == "Choose what is passed for n.");
    CHECK_FALSE(scene.driver.at(own + "run").enabled);
    scene.driver.click(own + "argument/n");
    scene.driver.click(own + "argument/n/option/N");
    CHECK(find_named(scene.choices().own, std::string("matmul/tiled"))->args == "a = A, n = N");
    scene.state.preview.contestants[1].completed.arguments[1].offer.guess = "N";
    scene.driver.settle();
    CHECK(scene.driver.at(own + "heading").label == "Check what each argument gets, then press Run.");
    CHECK(scene.driver.says("A ?"));
    scene.driver.click(own + "run");  // confirms the guesses
    CHECK(find_named(scene.choices().own, std::string("matmul/tiled"))->args == "a = A, n = N");
    CHECK(scene.program.last<command::Run>() != nullptr);

    scene.state.preview.contestants[1].obstacle.reset();
    scene.state.preview.contestants[1].notes = {"tiled is run as", "  kernel  product"};
    scene.state.preview.contestants[1].completed.arguments[0].value = "A";
    scene.state.preview.contestants[1].completed.arguments[1].value = "N";
    scene.state.preview.contestants[1].missing_macros = {"WIDTH", "HEIGHT"};
    scene.driver.settle();
    CHECK(scene.driver.at(own + "heading").label.find("does not define WIDTH and HEIGHT") !=
          std::string::npos);
    scene.driver.click(own + "macro/WIDTH");
    scene.driver.click(own + "macro/WIDTH/option/16");
    CHECK(find_named(scene.choices().own, std::string("matmul/tiled"))->defines == "TILE = 16; WIDTH = 16");
    for (const auto& [id, widget] : look().probes().all())  // no words of a terminal
        if (id.starts_with(own)) CHECK(widget.label.find("--") == std::string::npos);
    scene.driver.click(own + "help");
    CHECK(scene.driver.says("Global size: work-items in each dimension"));
    scene.driver.key(plain(Key::Escape));
    scene.driver.settle();
    scene.driver.click(own + "keep");
    REQUIRE(scene.program.last<command::KeepLaunch>() != nullptr);
    CHECK(scene.program.last<command::KeepLaunch>()->kernel == "matmul/tiled");
}

TEST_CASE("a line of options fills the form; a refused one changes nothing, and stays to be corrected") {
    Scene scene;
    scene.state.choices.contestants.push_back({"/theirs/mine.cl", {}, ""});
    scene.state.preview.contestants.push_back(preview_of("mine"));
    scene.state.preview.contestants.back().is_bare = true;
    scene.driver.settle();
    const std::string own = "experiment/contestant/2/own/";
    const auto text = [&] {
        const OwnText* said = find_named(scene.choices().own, "/theirs/mine.cl");
        return said != nullptr ? *said : OwnText{};
    };
    scene.driver.click(own + "more");
    scene.type_into(own + "line", "--local 8 --lokal 8");
    REQUIRE(scene.panel.refusal() != nullptr);
    CHECK(scene.panel.refusal()->starts_with("Options, column 11, at '--lokal': "));
    CHECK_FALSE(scene.driver.at("experiment/run").enabled);
    CHECK(text() == OwnText{});
    scene.type_into(own + "line", "--problem smooth.cl --local 8");
    REQUIRE(scene.panel.refusal() != nullptr);
    CHECK(scene.panel.refusal()->find("open this file first") != std::string::npos);
    scene.state.kernels.push_back({"/theirs/smooth.cl", "", "smoothing", "", "/theirs/smooth.cl"});
    scene.type_into(own + "line", "--problem smooth.cl --local 8");
    CHECK(scene.panel.refusal() == nullptr);
    CHECK(scene.choices().problem == "smoothing");
    CHECK(text().local == "8");
    scene.type_into(own + "line", "kwb check mine.cl --problem matmul:double -D \"OP='max'\" --global M,N");
    CHECK(scene.choices().problem == "matmul:double");
    CHECK(text() == OwnText{"", "", "M,N", "", "", "OP='max'", ""});
    scene.state.kernels.push_back({"/theirs/mine.cl", "", "matmul:double", "", "/theirs/mine.cl"});
    scene.type_into(own + "line", "--problem copy");
    REQUIRE(scene.panel.refusal() != nullptr);
    CHECK(scene.panel.refusal()->find("declares that it solves matmul:double") != std::string::npos);
}

TEST_CASE("a file that does not say how it is launched shows its form as soon as it takes part") {
    Scene scene;
    CHECK_FALSE(scene.driver.has("experiment/contestant/1/own/heading"));
    scene.state.choices.contestants.push_back({"/mine.cl", {}, ""});
    scene.state.preview.contestants.push_back(preview_of("mine"));
    scene.state.preview.contestants.back().is_bare = true;
    scene.driver.settle();
    CHECK(scene.driver.has("experiment/contestant/2/own/heading"));
    CHECK(scene.driver.has("experiment/contestant/2/own/local"));
    CHECK_FALSE(scene.driver.has("experiment/contestant/2/local"));  // one field for the work-group
    scene.state.preview.contestants[2].obstacle = "choose what is passed for n";
    scene.state.preview.contestants[2].completed.function = "product";
    scene.state.preview.contestants[2].completed.arguments = {{"n", "int", "", {}}};
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/contestant/2/verdict").label.ends_with("incomplete"));
    CHECK(scene.driver.at("experiment/misfits").label.find("1 of 3 is incomplete: mine") !=
          std::string::npos);
    scene.keep_obstacle(1, "too large");
    CHECK(scene.driver.at("experiment/misfits").label.find("2 of 3 cannot run: ") != std::string::npos);
    scene.open_row(2);  // a click closes it, and it stays closed
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("experiment/contestant/2/own/heading"));
    // A copy of the row may have another work-group.
    scene.state.choices.contestants.push_back({"/mine.cl", {}, ""});
    scene.state.preview.contestants.push_back(scene.state.preview.contestants[2]);
    scene.driver.settle();
    scene.open_row(2);
    CHECK(scene.driver.has("experiment/contestant/2/local"));
}

TEST_CASE("one kernel is run alone from its menu") {
    Scene scene;
    scene.driver.click("experiment/contestant/1/more");
    scene.driver.click("experiment/contestant/1/run");
    REQUIRE(scene.program.last<command::Run>() != nullptr);
    CHECK(scene.program.last<command::Run>()->only == 1);
}

TEST_CASE("a contestant is duplicated, made the baseline and removed from its menu") {
    Scene scene;
    scene.driver.click("experiment/contestant/1/more");
    scene.driver.click("experiment/contestant/1/baseline");
    CHECK(scene.choices().baseline == 1);
    CHECK(scene.driver.at("experiment/contestant/1/role").label == "baseline");
    scene.driver.click("experiment/contestant/0/more");
    scene.driver.click("experiment/contestant/0/duplicate");
    REQUIRE(scene.choices().contestants.size() == 3);
    CHECK(scene.choices().contestants[1].kernel == "matmul/naive");
    CHECK(scene.choices().baseline == 2);
    scene.driver.click("experiment/contestant/0/more");
    const auto before = scene.choices().contestants;
    scene.driver.click("experiment/contestant/0/remove");
    CHECK(scene.choices().contestants == std::vector(before.begin() + 1, before.end()));
    CHECK(scene.choices().baseline == 1);
}

TEST_CASE("where a row is narrow, its role is whole and its launch is cut") {
    Scene scene;
    scene.state.other = 0;
    scene.state.kernel = 1;
    scene.state.choices.contestants[0].kernel = "matmul/double_buffered";
    scene.state.kernels.push_back({"matmul/double_buffered", "", "matmul", "", "", true});
    PendingSave pending;
    Hovered hovered;
    ExperimentPanel panel{pending, hovered};
    DeskProgram program{scene.state, [&](const DeskState& s, Commands& c) {
                            panel.draw(s, c);
                            panel.end_frame();
                        }};
    WindowlessStage stage{292, 700};
    GuiDriver driver{stage, program};
    driver.settle();
    const Probed& role = driver.at("experiment/contestant/0/role");
    CHECK(role.label == "baseline \u00b7 compared");
    CHECK(role.full.Max.x < driver.at("experiment/contestant/0/more").full.Min.x);
    CHECK(driver.at("experiment/contestant/0/name").full.Max.x < role.full.Min.x);
}

TEST_CASE("with eight contestants no more can be added or duplicated") {
    Scene scene;
    scene.state.choices.contestants.assign(kMostContestants, {"matmul/naive", {}, ""});
    scene.state.preview.contestants.assign(kMostContestants, preview_of("naive"));
    scene.driver.settle();
    scene.driver.click("experiment/add");
    CHECK(scene.driver.at("experiment/add/option/matmul/naive").enabled);  // it can be removed
    CHECK_FALSE(scene.driver.at("experiment/add/option/matmul/tiled").enabled);
    scene.driver.key(plain(Key::Escape));
    scene.driver.settle();
    scene.driver.click("experiment/contestant/0/more");
    CHECK_FALSE(scene.driver.at("experiment/contestant/0/duplicate").enabled);
}

TEST_CASE("a work-group is chosen from those offered, or typed") {
    Scene scene;
    scene.open_row(0);
    CHECK(scene.driver.at("experiment/contestant/0/local").label == "16 \u00d7 16");
    scene.driver.click("experiment/contestant/0/local");
    scene.driver.click("experiment/contestant/0/local/option/8x8");
    CHECK(scene.choices().contestants[0].local == "8x8");
    scene.driver.click("experiment/contestant/0/local");
    scene.type_into("experiment/contestant/0/local/typed", "32x4");
    CHECK(scene.choices().contestants[0].local == "32x4");
    scene.driver.click("experiment/contestant/0/local");
    scene.driver.click("experiment/contestant/0/local/own");
    CHECK(scene.choices().contestants[0].local.empty());
}

TEST_CASE("a parameter is kept only where it differs from the file's first value") {
    Scene scene;
    const std::string id = "experiment/contestant/1/param/TILE";
    scene.open_row(1);
    scene.driver.click(id);
    scene.driver.click(id + "/option/32");
    REQUIRE(scene.choices().contestants[1].params.size() == 1);
    CHECK(scene.choices().contestants[1].params[0].value == "32");
    scene.state.preview.contestants[1].params[0].chosen = "32";
    scene.driver.settle();
    scene.driver.click(id);
    scene.driver.click(id + "/option/16");
    CHECK(scene.choices().contestants[1].params.empty());
}

TEST_CASE("a parameter that came from the work-group takes the work-group's place") {
    Scene scene;
    scene.state.choices.contestants[1].local = "8x8";
    scene.state.preview.contestants[1].params[0].chosen = "8";
    scene.driver.settle();
    scene.open_row(1);
    scene.driver.click("experiment/contestant/1/param/TILE");
    scene.driver.click("experiment/contestant/1/param/TILE/option/32");
    CHECK(scene.choices().contestants[1].local.empty());
    CHECK(scene.choices().contestants[1].params.size() == 1);
}

TEST_CASE("what stands against a contestant is said at it before Run is pressed") {
    Scene scene;
    scene.keep_obstacle(1, "64 x 64 work-items are more than the 1024 of this device; choose fewer");
    CHECK(scene.driver.at("experiment/contestant/1/verdict").label.ends_with("does not fit"));
    scene.open_row(1);
    // What cannot run has a look of its own: neither that of a wrong result nor that of a warning.
    CHECK(scene.driver.at("experiment/contestant/1/verdict").label.starts_with(kIconForbidden));
    CHECK(scene.driver.at("experiment/contestant/1/obstacle").label.ends_with("choose fewer"));
    CHECK(scene.driver.at("experiment/contestant/1/obstacle").label.starts_with(kIconForbidden));
    CHECK(scene.driver.at("experiment/misfits").label.starts_with(kIconForbidden));
    CHECK_FALSE(scene.driver.has("experiment/contestant/1/geometry"));
    CHECK(scene.driver.at("experiment/run").enabled);  // the other kernel can run
    scene.driver.click("experiment/run");
    CHECK(scene.program.all<command::Run>().size() == 1);
}

TEST_CASE("New begins with a copy or a blank of the chosen problem, or with any other problem") {
    using Start = command::NewKernel::Start;
    const struct {
        const char *option, *file, *problem;
        Start start;
    } cases[] = {{"copy", "my_matmul.cl", "matmul", Start::Copy},
                 {"blank", "my_matmul.cl", "matmul", Start::Blank},
                 {"problem/copy", "my_copy.cl", "copy", Start::Copy}};
    for (const auto& wanted : cases) {
        CAPTURE(wanted.option);
        Scene scene;
        scene.driver.click("experiment/new");
        CHECK_FALSE(scene.driver.has("experiment/new/problem/matmul"));
        scene.driver.click(std::string("experiment/new/") + wanted.option);
        REQUIRE(scene.program.last<command::OpenDialog>() != nullptr);
        CHECK(scene.program.last<command::OpenDialog>()->name == wanted.file);
        Commands commands;
        scene.pending.finish("/somewhere/mine.cl", commands);
        REQUIRE(commands.size() == 1);
        const auto& made = std::get<command::NewKernel>(commands[0]);
        CHECK(made.path == "/somewhere/mine.cl");
        CHECK(made.problem == wanted.problem);
        CHECK(made.start == wanted.start);
    }
}

TEST_CASE("Open asks for a kernel file") {
    Scene scene;
    scene.driver.click("experiment/open");
    REQUIRE(scene.program.last<command::OpenDialog>() != nullptr);
    CHECK(scene.program.last<command::OpenDialog>()->extensions == std::vector<std::string>{".cl"});
}

TEST_CASE("pointing at a row lights up its kernel") {
    Scene scene;
    scene.driver.hover("experiment/contestant/1", 0.3);
    scene.hovered.end_frame();
    CHECK(scene.hovered.lit() == color_slots(scene.state)[1]);
    scene.driver.park_pointer();
    scene.hovered.end_frame();
    scene.driver.pump();
    scene.hovered.end_frame();
    CHECK_FALSE(scene.hovered.lit());
}

}  // namespace
}  // namespace kwb::test
