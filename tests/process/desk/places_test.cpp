// SPDX-License-Identifier: Apache-2.0
// The devices of other places in the window.
#include <doctest/doctest.h>

#include "base/file.hpp"
#include "scene.hpp"

namespace kwb::test {
namespace {

/// With the places "lab", whose judge behaves as `judges` says, "broken", which does not start, and an
/// allocation.
struct PlacesScene : Scene {
    explicit PlacesScene(const std::string& judges) : Scene("timed") {
        rest();
        desk.reset();
        folder.write("settings.toml", "# Where I measure\n[places]\nlab = \"'" KWB_FAKE_JUDGE_PROGRAM "' '" +
                                          log.string() + "' '" + judges +
                                          "'\"  # the quiet one\nbroken = \"sh -c 'echo No route >&2; exit "
                                          "7'\"\neight = \"slurm:gpu:8\"\n");
        open("timed");
        rest();
    }
    void use(const std::string& place) {
        perform(command::UsePlace{place});
        rest();
    }
    fs::path log = folder / "lab.log";  ///< that judge writes it once it is started
};

}  // namespace

TEST_CASE(
    "a place is started once it is chosen, runs there, and does not mix with this machine's device of the "
    "same id") {
    PlacesScene scene("timed");
    scene.run();
    CHECK(scene.state().shown->run.results.front().place.empty());
    CHECK(!scene.state().is_outdated);
    CHECK(!fs::exists(scene.log));
    const std::string device = scene.state().device->id;

    scene.use("lab");
    CHECK(fs::exists(scene.log));
    REQUIRE(scene.state().device);
    CHECK(scene.state().device->id == device);
    CHECK(scene.state().is_outdated);
    scene.run();
    CHECK(scene.state().shown->run.results.front().place == "lab");
    CHECK(!scene.state().is_outdated);

    scene.use("");
    CHECK(scene.state().is_outdated);
    scene.run();
    CHECK(scene.state().shown->run.results.front().place.empty());
}

TEST_CASE("a place that does not start is one sentence; another can be chosen, and it can be tried again") {
    PlacesScene scene("timed");
    scene.use("broken");
    CHECK(scene.notices("broken did not start: exit code 7: No route"));
    CHECK(scene.state().device == nullptr);
    CHECK(scene.state().preview.obstacle.value_or("").find("No route") != std::string::npos);
    scene.use("lab");
    scene.run();
    CHECK(scene.state().shown->run.results.front().place == "lab");
    scene.use("broken");
    CHECK(scene.state().device == nullptr);
    scene.use("");
    CHECK(scene.state().device != nullptr);
    scene.use("eight");
    CHECK(scene.notices("eight is an allocation, which only kwb in the terminal can use"));
    CHECK(scene.state().place.empty());
}

TEST_CASE("while a place is silent another can be chosen; while something runs, none") {
    PlacesScene scene("silent-start");
    scene.perform(command::UsePlace{"lab"});
    CHECK(scene.state().is_busy);
    scene.use("");
    CHECK(scene.state().device != nullptr);
    scene.perform(command::Run{});
    scene.perform(command::UsePlace{"lab"});
    CHECK(scene.state().place.empty());
    scene.rest();
    CHECK(scene.state().shown->run.results.front().place.empty());
}

TEST_CASE("the devices of all places are listed beside those of this machine, and each can be chosen") {
    PlacesScene scene("timed");
    const std::string here = scene.state().device->id;
    CHECK(scene.state().elsewhere.empty());
    scene.perform(command::ListPlaces{});
    CHECK(scene.state().elsewhere.size() == 2);  // no allocation was asked for
    const auto at = [&](const std::string& place) { return scene.state().elsewhere.at(place); };
    scene.desk->wait_until([](const DeskState& state) {
        return state.elsewhere.at("lab")->devices && !state.elsewhere.at("broken")->error.empty();
    });
    CHECK(scene.state().place.empty());
    CHECK(scene.state().device->id == here);
    CHECK(at("broken")->error.find("No route") != std::string::npos);
    CHECK(!at("broken")->devices);

    const std::string there = at("lab")->devices->devices.back().id;
    scene.perform(command::UsePlace{"lab", there});
    scene.rest();
    CHECK(scene.state().place == "lab");
    CHECK(scene.state().device->id == there);
    CHECK(scene.state().elsewhere.contains(""));
    CHECK(!scene.state().elsewhere.contains("lab"));
    scene.run();
    CHECK(scene.state().shown->run.results.front().place == "lab");
}

TEST_CASE("at the next start the window is on this machine, and the places are still in the settings") {
    PlacesScene scene("timed");
    Experiment choices = scene.state().choices;
    choices.device = scene.state().session->devices->devices.front().id;
    scene.perform(to_choices(choices));
    scene.perform(command::UsePlace{"lab", "lab:7"});
    scene.rest();
    choices.device = "lab:7";
    scene.perform(to_choices(choices));
    scene.open("timed");
    scene.rest();
    CHECK(scene.state().place.empty());
    CHECK(scene.state().choices.device == scene.state().session->devices->devices.front().id);
    CHECK(scene.state().places.size() == 3);
    CHECK(scene.state().device != nullptr);
}

TEST_CASE("the window only reads the user's settings: comments stay, and damage is a notice") {
    PlacesScene scene("timed");
    const std::string before = read_text(scene.folder / "settings.toml");
    scene.perform(command::UsePlace{"lab"});
    scene.run();
    scene.desk.reset();
    CHECK(mentions(before, "# the quiet one"));
    CHECK(read_text(scene.folder / "settings.toml") == before);

    scene.folder.write("settings.toml", "# mine\n[places\n");
    scene.open("timed");
    CHECK(scene.notices("settings.toml:2: invalid TOML"));
    CHECK(scene.state().places.empty());
    scene.desk.reset();
    CHECK(read_text(scene.folder / "settings.toml") == "# mine\n[places\n");
}

}  // namespace kwb::test
