// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <set>

#include "process/desk/scene.hpp"
#include "report/numbers.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// 5 values, of which one is too large for the fake device's work-groups, and a restriction that removes
/// two combinations.
const std::string kTunable =
    "/*+++ title = 'Mine'\nproblem = 'matmul'\n[params]\nTILE = [16, 8, 4, 2, 64]\nPAD = [0, 1, 2]\n"
    "[require]\npads = 'PAD == 0 or TILE > 2'\n[launch]\nkernel = 'k'\n"
    "local = ['TILE', 'TILE']\nglobal = ['round_up(N, TILE)', 'round_up(M, TILE)']\n+++*/\n"
    "__kernel void k(__global float* C) { }\n";

struct TuneScene : Scene {
    explicit TuneScene(const std::string& judges, std::vector<std::string> kernels = {"matmul/mine"},
                       const std::string& text = kTunable)
        : Scene(judges, std::move(kernels)) {
        folder.write("kernels/matmul/01_mine.cl", text);
        open(judges);
        rest();
        show(0);
    }
    void show(std::size_t contestant) {
        perform(command::ShowTuning{contestant});
        desk->wait_until([](const DeskState& state) { return state.space != nullptr; });
    }
    void tune(command::Tune command = {}) {
        perform(command);
        rest();
    }
    void choose_params(std::size_t contestant, const NamedList<std::string>& values) {
        const auto known = state().preview.contestants[contestant].params;
        perform(command::Edit{[&](Experiment& choices) {
            for (const ParamPreview& param : known)
                choose_param(choices.contestants[contestant], param, *find_named(values, param.name));
        }});
    }
    const ShownTuning& tuning() const {
        REQUIRE(state().tuning != nullptr);
        return *state().tuning;
    }
    std::set<std::size_t> configurations() const {
        std::set<std::size_t> all;
        for (const auto& trial : tuning().trials) all.insert(trial->configuration);
        return all;
    }
};

}  // namespace

TEST_CASE(
    "before anything runs, the space says how many combinations are valid and what removes the others") {
    TuneScene scene("timed");
    const ShownSpace& space = *scene.state().space;
    CHECK(space.error == "");
    CHECK(space.combinations == 15);
    REQUIRE(space.space != nullptr);
    CHECK(space.space->size() == 10);
    REQUIRE(space.removing.size() == 2);
    CHECK(space.removing[0].name == "[require] pads");
    CHECK(space.removing[0].removed == 2);
    CHECK(space.removing[1].removed == 3);
    CHECK(!scene.state().tuning);
}

TEST_CASE("a tuning tries all valid configurations, each once, and says which is the best") {
    TuneScene scene("timed");
    scene.tune();
    const ShownTuning& tuning = scene.tuning();
    CHECK(tuning.finished);
    CHECK(!tuning.stopped);
    CHECK(tuning.error == "");
    CHECK(tuning.trials.size() == 10);
    CHECK(scene.configurations().size() == 10);
    CHECK(tuning.progress.planned == 10);
    REQUIRE(tuning.best);
    CHECK(tuning.trials[*tuning.best]->cost_ms);
    CHECK(!scene.state().is_busy);
    CHECK(scene.state().history.empty());
}

TEST_CASE("a tuning that was stopped goes on with what is left, unless it is to begin afresh") {
    // Larger than two runs, because the fake judge answers a stop with all results of a run.
    std::string text = kTunable;
    text.replace(text.find("[0, 1, 2]"), 9, "[0, 1, 2, 3, 4, 5, 6, 7, 8]");
    TuneScene scene("timed,endless,timed", {"matmul/mine"}, text);
    const std::size_t all = scene.state().space->space->size();
    scene.perform(command::Tune{});
    scene.wait_for_progress();
    CHECK(scene.state().is_busy);
    scene.desk->wait_until([](const DeskState& state) { return !state.tuning->trials.empty(); });
    scene.perform(command::Stop{});
    scene.rest();
    CHECK(scene.tuning().stopped);
    CHECK(scene.tuning().finished);
    const std::size_t tried = scene.tuning().trials.size();
    REQUIRE(tried >= 8);
    REQUIRE(tried < all);
    const auto first = scene.tuning().trials.front();
    scene.perform(command::Tune{});
    CHECK(scene.tuning().progress.tried == tried);  // which are not measured again
    scene.rest();
    CHECK(scene.tuning().trials.front()->configuration == first->configuration);
    CHECK(scene.configurations().size() == all);
    CHECK(scene.tuning().trials.size() == all);
    CHECK(!scene.tuning().stopped);

    scene.perform(command::Tune{0, StrategyKind::Random, {2, {}}, true});
    CHECK(scene.tuning().progress.tried == 0);
    scene.rest();
    CHECK(scene.tuning().trials.size() == 2);
    // A larger budget continues.
    scene.tune({0, StrategyKind::Random, {4, {}}, false});
    CHECK(scene.tuning().trials.size() == 4);
}

TEST_CASE("a configuration that is not good is kept with its verdict and reason") {
    TuneScene scene("wrong");
    scene.tune();
    REQUIRE(scene.tuning().trials.size() == 10);
    const auto is_wrong = [](const auto& trial) { return trial->result.verdict == Verdict::Wrong; };
    CHECK(std::ranges::any_of(scene.tuning().trials, is_wrong));
    for (const auto& trial : scene.tuning().trials)
        if (is_wrong(trial)) CHECK(!trial->cost_ms);
}

TEST_CASE(
    "a judge that dies costs one configuration, and one that always dies ends the tuning with a reason") {
    TuneScene once("run-segv;timed");
    once.tune();
    CHECK(once.configurations().size() == 10);
    CHECK(once.tuning().error == "");
    TuneScene always("run-segv");
    always.tune();
    CHECK(mentions(always.tuning().error, "SIGSEGV"));
    CHECK(always.tuning().finished);
    CHECK(!always.state().is_busy);
}

TEST_CASE("chosen parameters are kept for that contestant, and what was found stays") {
    TuneScene scene("timed", {"matmul/other", "matmul/mine"});
    scene.show(1);
    scene.tune({1});
    scene.choose_params(1, {{"TILE", "4"}, {"PAD", "0"}});
    const auto& chosen = scene.state().choices.contestants;
    REQUIRE(chosen[1].params.size() == 1);  // PAD=0 is the file's default
    CHECK(chosen[1].params[0].name == "TILE");
    CHECK(chosen[1].params[0].value == "4");
    CHECK(chosen[0].params.empty());
    CHECK(!scene.state().tuning_is_outdated);
    CHECK(scene.tuning().trials.size() == 10);
    scene.choose_params(1, {{"TILE", "16"}, {"PAD", "0"}});
    CHECK(scene.state().choices.contestants[1].params.empty());
}

TEST_CASE("another size or text has another tuning, and the former one comes back with its size") {
    TuneScene scene("timed");
    scene.tune({0, StrategyKind::Exhaustive, {3, {}}});
    REQUIRE(scene.tuning().trials.size() == 3);
    scene.choose_edge(128);
    CHECK(scene.state().tuning_is_outdated);
    scene.rest();
    scene.tune({0, StrategyKind::Exhaustive, {1, {}}});
    CHECK(!scene.state().tuning_is_outdated);
    CHECK(scene.tuning().trials.size() == 1);
    scene.choose_edge(64);
    CHECK(!scene.state().tuning_is_outdated);
    CHECK(scene.tuning().trials.size() == 3);
    scene.type(scene.folder / "kernels/matmul/01_mine.cl", "// edited\n");
    CHECK(scene.state().tuning_is_outdated);
}

TEST_CASE("what cannot be tuned says why, and asking for it changes nothing") {
    Scene bare("timed", {"cpu:blas", "matmul/mine"});
    bare.folder.write(
        "kernels/matmul/01_mine.cl",
        "/*+++ title = 'Mine'\nproblem = 'matmul'\n[launch]\nkernel = 'k'\nglobal = ['N', 'M']\n"
        "+++*/\n__kernel void k(__global float* C) { }\n");
    bare.open("timed");
    bare.rest();
    const auto error_of = [&](std::size_t contestant) {
        bare.perform(command::ShowTuning{contestant});
        bare.desk->wait_until([](const DeskState& state) { return state.space != nullptr; });
        return bare.state().space->error;
    };
    CHECK(mentions(error_of(0), "no parameters to tune"));
    CHECK(mentions(error_of(1), "has no parameters"));
    bare.perform(command::Tune{1});
    bare.rest();
    CHECK(bare.notices("has no parameters"));
    CHECK(!bare.state().tuning);
    bare.perform(command::ShowTuning{});
    CHECK(!bare.state().space);
}

TEST_CASE("a run ends a tuning, and what was found until then is kept") {
    TuneScene scene("timed,endless,timed");
    scene.perform(command::Tune{});
    scene.desk->wait_until([](const DeskState& state) {
        return state.tuning && !state.tuning->trials.empty() && state.session->progress;
    });
    scene.perform(command::Run{});
    scene.rest();
    REQUIRE(scene.state().shown);
    CHECK(scene.tuning().finished);
    CHECK(scene.tuning().trials.size() >= 9);
}
