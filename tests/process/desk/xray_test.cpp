// SPDX-License-Identifier: Apache-2.0
// X-ray in the window: what is observed, when, and what is shown of it.
#include <doctest/doctest.h>

#include <algorithm>

#include "process/desk/scene.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

void observe(Scene& scene, std::vector<std::size_t> contestants) {
    XrayTarget target;
    target.contestants = std::move(contestants);
    scene.perform(command::Observe{target});
}

const ShownXray* shown(const DeskState& state, std::size_t contestant) {
    return contestant < state.xrays.size() ? state.xrays[contestant].shown.get() : nullptr;
}

bool is_current(const DeskState& state, std::size_t contestant) {
    return shown(state, contestant) != nullptr && !state.xrays[contestant].is_outdated;
}

}  // namespace

TEST_CASE("nothing is observed until somebody looks, then what is looked at, once") {
    Scene scene("timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    CHECK(shown(scene.state(), 0) == nullptr);
    observe(scene, {1});
    CHECK(scene.state().observing == 1);
    scene.desk->wait_until([](const DeskState& state) { return is_current(state, 1); });
    const ShownXray& xray = *shown(scene.state(), 1);
    CHECK(xray.has_report());
    CHECK(xray.observed.label == "other");
    CHECK(xray.observed.flops == 2.0 * 64 * 64 * 64);
    CHECK(!xray.play.steps().empty());
    CHECK(shown(scene.state(), 0) == nullptr);
    const std::uint64_t answered = scene.state().session->answered;
    observe(scene, {});
    observe(scene, {1});
    CHECK(!scene.state().observing);
    CHECK(is_current(scene.state(), 1));
    CHECK(scene.state().session->answered == answered);
}

TEST_CASE("X-ray is no run: results stay, and nothing is said to be running") {
    Scene scene("timed");
    scene.rest();
    scene.run();
    const auto results = scene.state().shown;
    observe(scene, {0});
    CHECK(!scene.state().is_busy);
    scene.desk->wait_until([](const DeskState& state) {
        CHECK(!state.is_running());
        return is_current(state, 0);
    });
    CHECK(scene.state().shown == results);
    CHECK(scene.state().history.size() == 1);
}

TEST_CASE("a new text outdates it; what was observed stays until there is more") {
    Scene scene("timed");
    scene.rest();
    observe(scene, {0});
    scene.desk->wait_until([](const DeskState& state) { return is_current(state, 0); });
    const auto before = scene.state().xrays[0].shown;
    REQUIRE(scene.state().heat_of(*scene.document(scene.mine)) != nullptr);
    scene.type(scene.mine, "// more\n");
    CHECK(scene.state().xrays[0].shown == before);
    CHECK(scene.state().xrays[0].is_outdated);
    CHECK(!scene.state().observing);  // not while somebody types
    CHECK(scene.desk->operator*().due());
    CHECK(scene.state().heat_of(*scene.document(scene.mine)) == nullptr);
    scene.desk->wait_until([](const DeskState& state) { return is_current(state, 0); });
    CHECK(scene.state().xrays[0].shown != before);
    scene.choose_edge(128);
    CHECK(scene.state().xrays[0].is_outdated);
    scene.choose_edge(64);
    CHECK(is_current(scene.state(), 0));  // still known
}

TEST_CASE("a run comes first: X-ray is stopped for it and begins again afterwards") {
    Scene scene("xray-hangs");
    scene.rest();
    observe(scene, {0});
    scene.desk->wait_until([](const DeskState& state) {
        return state.session->phase == Snapshot::Phase::Observing && state.session->progress;
    });
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(scene.state().shown->error.empty());
    CHECK(scene.state().shown->run.results.at(0).verdict == Verdict::Correct);
    scene.desk->wait_until([](const DeskState& state) { return is_current(state, 0); });
    CHECK(shown(scene.state(), 0)->has_report());
}

TEST_CASE("what becomes outdated during a run is observed after it, although nothing else wakes the window") {
    Scene scene("endless");
    scene.rest();
    observe(scene, {0});
    scene.desk->wait_until([](const DeskState& state) { return is_current(state, 0); });
    scene.perform(command::Run{});
    scene.wait_for_progress();
    scene.choose_edge(128);
    CHECK(scene.state().xrays[0].is_outdated);
    scene.perform(command::Stop{});
    scene.desk->wait_until([](const DeskState& state) { return !state.is_busy; });
    CHECK(scene.state().observing == 0);
    scene.desk->wait_until([](const DeskState& state) { return is_current(state, 0); });
}

TEST_CASE(
    "GPUs and kernels in turn: each is observed in the end, whichever of judge and compiler ends last") {
    Scene scene("timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    XrayTarget target;
    for (const std::size_t shown : {0u, 1u})
        for (const char* const gpu : {"AMD Instinct MI210", "NVIDIA A100", "NVIDIA Tesla K40m"}) {
            target.contestants = {shown};
            target.counted = {0, 1};  // Roofline is in front
            target.gpu = gpu;
            scene.perform(command::Observe{target});
            (*scene.desk)->update();  // the answer of the former GPU may be under way
        }
    scene.desk->wait_until(
        [](const DeskState& state) { return state.xrays.at(0).counts && is_current(state, 1); });
    CHECK(!scene.state().observing);
}

TEST_CASE("a GPU with other sub-groups changes nothing that is counted for the device") {
    Scene scene("timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    XrayTarget target;
    target.counted = {0, 1};  // Roofline
    scene.perform(command::Observe{target});
    const auto counts = [&](std::size_t i) { return scene.state().xrays.at(i).counts; };
    scene.desk->wait_until([&](const DeskState&) { return counts(0) && counts(1); });
    const auto before = std::array{counts(0), counts(1)};
    const std::uint64_t answered = scene.state().session->answered;
    target.contestants = {0};
    target.gpu = "AMD Instinct MI210";
    scene.perform(command::Observe{target});
    CHECK(counts(0) == before[0]);  // also meanwhile
    scene.desk->wait_until([](const DeskState& state) { return is_current(state, 0); });
    CHECK(shown(scene.state(), 0)->observed.report.sub_group == 32);
    CHECK(shown(scene.state(), 0)->key.target.sub_group == 32);
    CHECK(scene.state().session->answered == answered + 2);  // with 32 lanes, and with the GPU's 64
    CHECK(counts(1) == before[1]);
}

TEST_CASE("where there is no X-ray, a sentence says why") {
    const auto said = [](const std::string& judges, const std::string& kernel) {
        Scene scene(judges, {kernel});
        scene.rest();
        observe(scene, {0});
        scene.desk->wait_until([](const DeskState& state) { return is_current(state, 0); });
        CHECK(!shown(scene.state(), 0)->has_report());
        return shown(scene.state(), 0)->error;
    };
    CHECK(mentions(said("no-clang", "matmul/mine"), "clang 14 is not installed"));
    CHECK(mentions(said("xray-error", "matmul/mine"), "there is no kwb-xray here"));
    CHECK(mentions(said("good", kHostBlasName), "no source"));
}

TEST_CASE("a kernel that cannot run is not observed, and its obstacle says why") {
    Scene scene("good");
    scene.rest();
    Experiment choices = scene.state().choices;
    choices.contestants[0].params = {{"TILE", "7"}};
    scene.perform(to_choices(choices));
    observe(scene, {0});
    scene.desk->wait_until([](const DeskState& state) { return is_current(state, 0); });
    CHECK(mentions(shown(scene.state(), 0)->error, "TILE"));
}

TEST_CASE("X-ray switched off observes nothing, and a run is asked to leave it out") {
    Scene scene("timed");
    scene.rest();
    Experiment choices = scene.state().choices;
    choices.xray = false;
    scene.perform(to_choices(choices));
    observe(scene, {0});
    scene.run();
    CHECK(shown(scene.state(), 0) == nullptr);
    CHECK(scene.state().settings.experiment.xray == false);
    choices.xray = true;
    scene.perform(to_choices(choices));
    scene.desk->wait_until([](const DeskState& state) { return is_current(state, 0); });
}
