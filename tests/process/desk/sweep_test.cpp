// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "experiment/experiment.hpp"
#include "process/desk/scene.hpp"
#include "store/history.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const std::string* front_tab(const DeskState& state) {
    return find_named(state.settings.tabs, "times");
}

}  // namespace

TEST_CASE("a sweep grows size by size, leaves out what does not fit, and keeps what there is when stopped") {
    Scene scene("timed");
    scene.rest();
    scene.perform(command::Sweep{{16, 32, 2000000, 64}});
    scene.rest();
    REQUIRE(scene.state().sweep);
    CHECK(scene.state().sweep->finished);
    REQUIRE(scene.state().sweep->sizes.size() == 3);
    CHECK(scene.state().sweep->sizes[1][0].value == 32);
    CHECK(scene.state().sweep->results[2].at(0).size[0].value == 64);
    CHECK(mentions(scene.state().sweep->error, "Not measured: 2000000"));
    CHECK(scene.state().sweep->labels == std::vector<std::string>{"mine"});

    Scene stopped("timed,endless");
    stopped.rest();
    stopped.perform(command::Sweep{{16, 32, 64}});
    stopped.wait_for_progress();
    stopped.perform(command::Stop{});
    stopped.rest();
    CHECK(stopped.state().sweep->finished);
    CHECK(stopped.state().sweep->sizes.size() == 1);

    Scene dying("timed,run-segv;timed");
    dying.rest();
    dying.perform(command::Sweep{{16, 32, 64}});
    dying.rest();
    CHECK(dying.state().sweep->sizes.size() == 1);
    CHECK(mentions(dying.state().sweep->error, "SIGSEGV"));
}

TEST_CASE("typed sizes are remembered, and replaced by a range that is chosen later") {
    Scene scene("timed");
    scene.rest();
    Experiment choices = scene.state().choices;
    choices.sweep_edges = {96, 16, 48, 16};
    scene.perform(to_choices(choices));
    CHECK(sweep_steps(scene.state().choices) == std::vector<std::int64_t>{16, 48, 96});
    scene.open("timed");
    scene.rest();
    CHECK(sweep_steps(scene.state().choices) == std::vector<std::int64_t>{16, 48, 96});
    scene.perform(command::Sweep{sweep_steps(scene.state().choices)});
    scene.desk->wait_until([](const DeskState& state) { return state.sweep != nullptr; });
    CHECK(scene.state().sweep->planned == 3);
    scene.rest();
    choices = scene.state().choices;
    choices.sweep_to = 32;
    scene.perform(to_choices(choices));
    CHECK(sweep_steps(scene.state().choices) == std::vector<std::int64_t>{16, 32});
}

TEST_CASE("a sweep is kept with its sources, shown again in the next session, and forgotten") {
    Scene scene("timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    scene.run();
    scene.perform(command::Sweep{{16, 32, 64}});
    scene.rest();
    REQUIRE(scene.state().history.size() == 2);
    const RunSummary kept = scene.state().history[0];
    CHECK(kept.is_sweep());
    CHECK(kept.steps.size() == 3);
    CHECK(kept.kernels.size() == 2);
    CHECK(kept.id == scene.state().sweep->id);
    CHECK(kept.when.time_since_epoch() > std::chrono::seconds(0));
    REQUIRE(front_tab(scene.state()) != nullptr);
    CHECK(*front_tab(scene.state()) == "sweep");
    const ShownSweep before = *scene.state().sweep;

    scene.open("timed");
    scene.rest();
    CHECK(!scene.state().sweep);
    scene.perform(command::ShowRun{kept.id});
    REQUIRE(scene.state().sweep);
    const ShownSweep& again = *scene.state().sweep;
    CHECK(again.finished);
    CHECK(again.id == kept.id);
    CHECK(again.labels == before.labels);
    CHECK(again.sizes == before.sizes);
    REQUIRE(again.results.size() == 3);
    CHECK(again.results[1].at(1).kernel == "matmul/other");
    CHECK(again.results[1].at(1).samples_ms == before.results[1].at(1).samples_ms);
    CHECK(!again.results[0].at(0).error_map);
    CHECK(History::open(scene.folder / "history").load(kept.id)->sources.at(5).at(0).value == kKernel);

    scene.perform(command::ShowRun{scene.state().history[1].id});
    CHECK(*front_tab(scene.state()) == "times");
    scene.perform(command::ForgetRun{kept.id});
    CHECK(scene.state().history.size() == 1);
}

TEST_CASE("an earlier sweep of the same problem stands beside the one shown until it is forgotten") {
    Scene scene("timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    scene.perform(command::Sweep{{16, 32}});
    scene.rest();
    const std::int64_t first = scene.state().history.at(0).id;
    scene.perform(command::CompareWith{first});
    CHECK(!scene.state().compared_sweep);  // not with itself
    scene.perform(command::Sweep{{16, 32, 64}});
    scene.rest();
    scene.perform(command::CompareWith{first});
    REQUIRE(scene.state().compared_sweep);
    CHECK(scene.state().compared_sweep->sizes.size() == 2);
    CHECK(scene.state().sweep->sizes.size() == 3);
    CHECK(*front_tab(scene.state()) == "sweep");
    scene.perform(command::CompareWith{});
    CHECK(!scene.state().compared_sweep);
    scene.perform(command::CompareWith{first});
    scene.perform(command::ForgetRun{first});
    CHECK(!scene.state().compared_sweep);

    scene.open("timed");
    scene.rest();
    scene.perform(command::CompareWith{scene.state().history.at(0).id});
    CHECK(!scene.state().compared_sweep);
    CHECK(scene.notices("A sweep can only be compared with a sweep of the same problem"));
}

TEST_CASE("a sweep is kept with what it has when it is stopped or its judge dies, and not without any") {
    for (const auto& [judges, kept] :
         {std::pair("timed,endless", 1u), {"timed,run-segv;timed", 1u}, {"endless", 0u}}) {
        const auto& shown_judges = judges;
        CAPTURE(shown_judges);
        Scene scene(judges);
        scene.rest();
        scene.perform(command::Sweep{{16, 32, 64}});
        if (std::string(judges).ends_with("endless")) {
            scene.wait_for_progress();
            scene.perform(command::Stop{});
        }
        scene.rest();
        REQUIRE(scene.state().history.size() == kept);
        if (kept > 0) CHECK(scene.state().history[0].steps.size() == 1);
    }
}

TEST_CASE("a sweep of the history that is looked at during another one does not mix with it") {
    Scene scene("timed,endless");
    scene.rest();
    scene.perform(command::Sweep{{16}});
    scene.rest();
    const std::int64_t first = scene.state().sweep->id;
    scene.perform(command::Sweep{{32, 64}});
    scene.wait_for_progress();
    scene.perform(command::ShowRun{first});
    CHECK(scene.state().sweep->id == first);
    scene.perform(command::Stop{});
    scene.rest();
    CHECK(scene.state().sweep->id != first);
    CHECK(scene.state().sweep->sizes.empty());
}

TEST_CASE("a sweep is exported as JSON, CSV and HTML, by its number, also while a run is shown") {
    Scene scene("timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    scene.perform(command::Sweep{{16, 32}});
    scene.rest();
    const std::int64_t sweep = scene.state().sweep->id;
    scene.run();
    const fs::path json = scene.folder / "sweep.json", csv = scene.folder / "sweep.csv";
    scene.perform(command::ExportRun{command::ExportForm::Json, json, sweep});
    scene.perform(command::ExportRun{command::ExportForm::Csv, csv, sweep});
    scene.perform(command::ExportRun{command::ExportForm::Html, scene.folder / "page.html", sweep});
    const auto document = nlohmann::json::parse(read_text(json));
    REQUIRE(document.at("results").size() == 4);
    CHECK(document["results"][0].at("size").at("M") == 16);
    CHECK(document["results"][3].at("size").at("M") == 32);
    CHECK(document["results"][3].at("kernel") == "matmul/other");
    CHECK(split_lines(read_text(csv)).size() == 5);
    const std::string page = read_text(scene.folder / "page.html");
    CHECK(page.find("over sizes") < page.find("size 64"));
    scene.perform(command::ForgetRun{sweep});
    scene.open("timed");
    scene.perform(command::ExportRun{command::ExportForm::Json, scene.folder / "gone.json", sweep});
    CHECK(scene.notices("no longer in the history"));
    CHECK(!fs::exists(scene.folder / "gone.json"));
}
