// SPDX-License-Identifier: Apache-2.0
// Results that do not belong to what is on the screen any more.
#include <doctest/doctest.h>

#include "base/file.hpp"
#include "process/desk/scene.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

using ResultOf = std::vector<std::optional<std::size_t>>;

/// Two kernels have been run.
struct RunScene : Scene {
    RunScene() : Scene("timed", {"matmul/mine", "matmul/other"}) {
        rest();
        run();
        REQUIRE(!state().is_outdated);
        REQUIRE(state().result_of == ResultOf{0, 1});
    }
    void choose(const std::function<void(Experiment&)>& change) {
        Experiment choices = state().choices;
        change(choices);
        perform(to_choices(choices));
    }
};

}  // namespace

TEST_CASE("results are outdated at another size, and current again when it is chosen again") {
    RunScene scene;
    scene.choose_edge(32);
    CHECK(scene.state().is_outdated);
    CHECK(scene.state().result_of == ResultOf{{}, {}});
    scene.choose_edge(64);
    CHECK(!scene.state().is_outdated);
    CHECK(scene.state().result_of == ResultOf{0, 1});
}

TEST_CASE("an edited text or another parameter outdates its kernel alone") {
    RunScene scene;
    scene.type(scene.mine, "// edited");
    CHECK(scene.state().is_outdated);
    CHECK(scene.state().result_of == ResultOf{{}, 1});
    scene.run();
    CHECK(!scene.state().is_outdated);
    scene.choose([](Experiment& choices) { choices.contestants[1].params.push_back({"TILE", "8"}); });
    CHECK(scene.state().is_outdated);
    CHECK(scene.state().result_of == ResultOf{0, {}});
}

TEST_CASE("results stay current when a kernel is added, the order changes, or only the thoroughness does") {
    RunScene scene;
    scene.choose([](Experiment& choices) {
        std::swap(choices.contestants[0], choices.contestants[1]);
        choices.time_budget_ms = 50;
    });
    CHECK(!scene.state().is_outdated);
    CHECK(scene.state().result_of == ResultOf{1, 0});
    scene.add_kernel(scene.outside.string());
    CHECK(!scene.state().is_outdated);
    CHECK(scene.state().result_of == ResultOf{1, 0, {}});
    scene.remove_contestant(0);
    CHECK(scene.state().is_outdated);  // its result is still on display
}

TEST_CASE("another problem brings its first two kernels, and no result of the last one is shown") {
    RunScene scene;
    scene.perform(command::CompareWith{scene.state().history[0].id});
    scene.choose([](Experiment& choices) { choices.problem = "transpose"; });
    REQUIRE(scene.state().choices.contestants.size() == 2);
    CHECK(scene.state().choices.contestants[0].kernel.starts_with("transpose/"));
    CHECK(scene.state().shown == nullptr);
    CHECK(scene.state().compared == nullptr);
    CHECK(!scene.state().is_outdated);
    CHECK(scene.state().history.size() == 1);
    scene.choose([](Experiment& choices) { choices.problem = "matmul"; });
    CHECK(scene.state().choices.contestants.size() == 2);
    CHECK(scene.state().choices.contestants[0].kernel == "matmul/naive");
}

TEST_CASE("another problem has its first kernel as the baseline, unless the former one takes part as well") {
    Scene scene("timed", {"matmul/mine"});
    scene.rest();
    Experiment choices = scene.state().choices;
    choices.problem = "transpose";
    scene.perform(to_choices(choices));
    REQUIRE(scene.state().choices.contestants.size() == 2);
    CHECK(scene.state().choices.baseline == 0);
    scene.add_kernel(kHostBlasName);  // solves several problems
    choices = scene.state().choices;
    choices.baseline = 2;
    scene.perform(to_choices(choices));
    choices = scene.state().choices;
    choices.problem = "matmul";
    scene.perform(to_choices(choices));
    REQUIRE(scene.state().choices.contestants.size() == 3);
    CHECK(scene.state().choices.contestants[scene.state().choices.baseline].kernel == kHostBlasName);
}

TEST_CASE("a run of the former problem that ends later is kept in the history, but not shown") {
    Scene scene("endless");
    scene.rest();
    scene.perform(command::Run{});
    scene.wait_for_progress();
    Experiment choices = scene.state().choices;
    choices.problem = "transpose";
    scene.perform(to_choices(choices));
    scene.perform(command::Stop{});
    scene.rest();
    CHECK(scene.state().shown == nullptr);
}

TEST_CASE("a new kernel is a file of the problem that runs at once, and replaces none") {
    Scene scene("timed");
    scene.rest();
    const fs::path file = scene.folder / "my_matmul.cl";
    scene.perform(command::NewKernel{file});
    REQUIRE(fs::exists(file));
    CHECK(scene.state().notices.empty());
    REQUIRE(scene.document(file));
    CHECK(scene.state().front == scene.document(file)->id());
    CHECK(scene.state().choices.contestants.back().kernel == file.string());
    CHECK(!scene.state().preview.contestants.back().obstacle);
    write_file(file, "mine");
    scene.perform(command::NewKernel{file});
    CHECK(read_text(file) == "mine");
    CHECK(scene.notices("already exists"));
    scene.perform(command::NewKernel{scene.folder / "none" / "x.cl"});
    CHECK(scene.notices("none/x.cl"));
}

TEST_CASE("a new kernel is a blank on request, or one of another problem, which is then chosen") {
    using Start = command::NewKernel::Start;
    Scene scene("timed");
    scene.rest();
    const fs::path blank = scene.folder / "7 steps.cl";
    scene.perform(command::NewKernel{blank, {}, "", Start::Blank});
    const std::string text = read_text(blank);
    CHECK(text.find(
              "__kernel void my_7_steps(__global const float* A, __global const float* B, __global float* C, "
              "int M, int N, int K) {") != std::string::npos);
    CHECK(text.find("// Write C here.") != std::string::npos);
    CHECK(scene.state().choices.problem == "matmul");
    CHECK(scene.state().choices.contestants.back().kernel == blank.string());
    const fs::path other = scene.folder / "my_transpose.cl";
    scene.perform(command::NewKernel{other, {}, "transpose"});
    CHECK(scene.state().choices.problem == "transpose");
    CHECK(scene.state().choices.contestants.back().kernel == other.string());
    CHECK(!scene.state().preview.contestants.back().obstacle);
    scene.perform(command::NewKernel{scene.folder / "x.cl", {}, "nonsense"});
    CHECK(!fs::exists(scene.folder / "x.cl"));
    CHECK(scene.state().choices.problem == "transpose");
}

TEST_CASE("one kernel can be run alone, and its result stands at it") {
    RunScene scene;
    scene.perform(command::Run{1});
    scene.rest();
    REQUIRE(scene.state().shown->run.results.size() == 1);
    CHECK(scene.state().shown->labels == std::vector<std::string>{"other"});
    CHECK(!scene.state().is_outdated);
    CHECK(scene.state().result_of == ResultOf{{}, 0});
}

TEST_CASE("an earlier run from the history is not outdated, and belongs to no kernel") {
    RunScene scene;
    scene.run();
    const std::int64_t earlier = scene.state().history[1].id, last = scene.state().history[0].id;
    scene.perform(command::ShowRun{earlier});
    CHECK(scene.state().shows_earlier);
    CHECK(!scene.state().is_outdated);
    CHECK(scene.state().result_of == ResultOf{{}, {}});
    scene.perform(command::ShowRun{last});
    CHECK(scene.state().result_of == ResultOf{0, 1});
}

// One kernel is selected for all panels.

TEST_CASE("row, source, result and X-ray select the same kernel, and the selection stays with it") {
    RunScene scene;
    const auto is_selected = [&](std::size_t kernel) {
        const fs::path& file = kernel == 0 ? scene.mine : scene.other;
        return scene.state().kernel == kernel && scene.state().selected == kernel &&
               scene.state().front == scene.document(file)->id();
    };
    scene.perform(command::SelectKernel{1});
    CHECK(is_selected(1));
    scene.perform(command::SelectContestant{0});
    CHECK(is_selected(0));
    scene.perform(command::BringToFront{scene.document(scene.other)->id()});
    CHECK(is_selected(1));

    scene.perform(command::SelectKernel{0, true});
    CHECK(scene.state().other == 0);
    CHECK(is_selected(1));
    scene.perform(command::SelectKernel{1, true});  // not with itself
    CHECK(!scene.state().other);
    scene.perform(command::SelectContestant{0, true});
    CHECK(scene.state().other == 0);

    scene.choose([](Experiment& choices) { std::ranges::reverse(choices.contestants); });
    CHECK(scene.state().kernel == 0);
    CHECK(scene.state().other == 1);
    CHECK(scene.state().selected == 1);  // in the run, it is the second one still
    scene.remove_contestant(1);
    CHECK(scene.state().kernel == 0);
    CHECK(!scene.state().other);
    scene.choose([](Experiment& choices) { choices.contestants[0].params.push_back({"TILE", "8"}); });
    CHECK(scene.state().kernel == 0);
    scene.perform(command::SelectKernel{7});  // there is none
    CHECK(scene.state().kernel == 0);
}

TEST_CASE("a result of an earlier run is selected, though its kernel is not as it was") {
    RunScene scene;
    scene.type(scene.other, "// edited");
    scene.perform(command::SelectKernel{0});
    scene.perform(command::SelectContestant{1});
    CHECK(scene.state().selected == 1);
    CHECK(scene.state().front == scene.document(scene.other)->id());
    CHECK(scene.state().kernel == 1);
}
