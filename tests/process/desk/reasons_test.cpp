// SPDX-License-Identifier: Apache-2.0
// Experiments after a run, while nothing else is to be done; the lines of two sources side by side.
#include <doctest/doctest.h>

#include "process/desk/scene.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// Two kernels on a CPU.
struct ReasonsScene : Scene {
    explicit ReasonsScene(const std::string& judges) : Scene(judges, {"matmul/mine", "matmul/other"}) {
        rest();
    }
    static bool is_explained(const DeskState& state) {
        return state.shown != nullptr &&
               std::ranges::all_of(state.shown->run.results,
                                   [](const auto& result) { return result.effects.has_value(); });
    }
    void wait_until_explained() { desk->wait_until(is_explained); }
    void wait_for_experiments() {
        desk->wait_until([](const DeskState& state) {
            return state.explaining && state.session->phase == Snapshot::Phase::Observing;
        });
    }
};

}  // namespace

TEST_CASE("after a run of two kernels, each is experimented with, and the history has it") {
    ReasonsScene scene("explained");
    scene.run();
    CHECK_FALSE(scene.state().is_running());
    scene.wait_until_explained();
    const std::int64_t id = scene.state().shown->run.id;
    CHECK(scene.state().shown->run.results[1].effects->front().share == 0.5);
    CHECK(scene.state().shown->run.results[0].speedup == std::nullopt);
    CHECK_FALSE(scene.state().explaining);
    scene.choose_edge(128);
    scene.run();
    CHECK_FALSE(scene.state().shown->run.results[0].effects);
    scene.perform(command::ShowRun{id});
    CHECK(scene.state().shown->run.results[1].effects->front().share == 0.5);
}

TEST_CASE("experiments are not repeated for what has not changed, whoever asked for them") {
    ReasonsScene scene("explained");
    SUBCASE("in the background") {
        scene.run();
    }
    SUBCASE("Why?") {
        scene.perform(command::Run{.why = true});
        scene.rest();
    }
    scene.wait_until_explained();
    const std::uint64_t answered = scene.state().session->answered;
    scene.run();
    CHECK(ReasonsScene::is_explained(scene.state()));
    scene.rest();
    CHECK_FALSE(scene.state().explaining);
    CHECK(scene.state().session->answered == answered + 1);
    // Only the one that changed is experimented with.
    scene.type(scene.mine, "// changed\n");
    scene.run();
    CHECK_FALSE(scene.state().shown->run.results[0].effects);
    CHECK(scene.state().shown->run.results[1].effects);
    scene.wait_until_explained();
    CHECK(scene.state().session->answered == answered + 3);
}

TEST_CASE("a run ends experiments at once, and they begin again after it") {
    ReasonsScene scene("explained,endless,explained");
    scene.run();
    const std::int64_t id = scene.state().shown->run.id;
    scene.wait_for_experiments();
    CHECK_FALSE(scene.state().is_busy);
    scene.perform(command::Run{});
    CHECK(scene.state().is_busy);
    CHECK_FALSE(scene.state().explaining);
    scene.rest();
    CHECK(scene.state().shown->run.id != id);
    CHECK(scene.state().shown->run.results[1].samples_ms.size() == 12);
    scene.wait_until_explained();
}

TEST_CASE("experiments end when they are switched off, and when their results are outdated") {
    ReasonsScene scene("explained,endless");
    scene.run();
    scene.wait_for_experiments();
    SUBCASE("switched off") {
        scene.perform(command::ChangeSettings{[](Settings& settings) { settings.explains = false; }});
    }
    SUBCASE("another size") {
        scene.choose_edge(128);
    }
    SUBCASE("another text") {
        scene.type(scene.mine, "// changed\n");
    }
    CHECK_FALSE(scene.state().explaining);
    scene.desk->wait_until(
        [](const DeskState& state) { return state.session->phase == Snapshot::Phase::Idle; });
    CHECK_FALSE(scene.state().shown->run.results[0].effects);
}

TEST_CASE("experiments that fail are not tried again") {
    ReasonsScene scene("explained,run-exit;explained");
    scene.run();
    scene.desk->wait_until(
        [](const DeskState& state) { return state.shown->run.results[1].effects.has_value(); });
    CHECK_FALSE(scene.state().explaining);
    CHECK_FALSE(scene.state().shown->run.results[0].effects);
    CHECK(scene.state().shown->error.empty());
}

TEST_CASE("one kernel alone is not experimented with, nor is any on a device that is no CPU") {
    std::string judge = "explained";
    std::size_t kernels = 2;
    SUBCASE("one kernel") {
        kernels = 1;
    }
    SUBCASE("no CPU") {
        judge = "timed";
    }
    ReasonsScene scene(judge);
    if (kernels == 1) scene.remove_contestant(1);
    scene.run();
    CHECK(scene.state().shown->finished);
    CHECK_FALSE(scene.state().explaining);
    CHECK(scene.state().session->phase == Snapshot::Phase::Idle);
}

TEST_CASE("lines of two sources stand side by side, opened if need be; those of one file are gone to") {
    ReasonsScene scene("timed");
    scene.perform(command::CloseDocument{scene.document(scene.other)->id()});
    REQUIRE(scene.document(scene.other) == nullptr);
    scene.perform(command::CompareLines{{scene.mine, {3, 4}}, {scene.other, {2}}});
    const DeskState& state = scene.state();
    CHECK(state.front == scene.document(scene.mine)->id());
    REQUIRE(scene.document(scene.other) != nullptr);
    CHECK(state.beside == scene.document(scene.other)->id());
    CHECK(state.revealed.document == state.front);
    CHECK(state.revealed.lines == std::vector<std::size_t>{3, 4});
    CHECK(state.revealed.beside == std::vector<std::size_t>{2});
    scene.perform(command::CompareLines{{scene.mine, {4}}, {scene.mine, {2}}});
    CHECK_FALSE(scene.state().beside);
    CHECK(scene.state().revealed.line == 4);
    CHECK(scene.state().revealed.lines.empty());
}
