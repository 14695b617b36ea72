// SPDX-License-Identifier: Apache-2.0
// Faults with the real judge: each is reported as a message in the right place, and the next run works.
#include <doctest/doctest.h>

#include <functional>
#include <optional>

#include "process/desk/scene.hpp"
#include "store/keyed_file.hpp"
#include "support/bad_places.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// A run after a fault must succeed.
void check_good_run(Scene& scene) {
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK_MESSAGE(scene.state().shown->error.empty(), scene.state().shown->error);
    REQUIRE(!scene.state().shown->run.results.empty());
    for (const KernelResult& result : scene.state().shown->run.results)
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
}

/// Reports of the desk, and the data it still has, when it cannot write any file.
struct Unwritable {
    std::string run_error;
    std::size_t results = 0;
    std::size_t listed = 0;
    bool is_kept = true;
    bool settings = false, history = false, exported = false;
    std::string document;
    bool is_still_edited = false;
};

/// Run, save and export while nothing is writable. Checks are left to the caller, because their output might
/// go to a file.
Unwritable work(Scene& scene, const fs::path& place) {
    const auto shown = scene.document(scene.outside);
    shown->buffer().set_caret(shown->buffer().end());
    shown->buffer().type(std::string(300, '/') + "\n");
    scene.perform(command::Edited{shown->id()});
    scene.perform(command::SaveDocument{shown->id()});
    scene.choose_edge(48);
    scene.run();
    scene.perform(command::ExportRun{command::ExportForm::Json, place / "run.json"});
    Unwritable found;
    found.document = shown->notice();
    found.is_still_edited = shown->is_modified();
    if (scene.state().shown) {
        found.run_error = scene.state().shown->error;
        found.results = scene.state().shown->run.results.size();
    }
    found.listed = scene.state().history.size();
    found.is_kept = scene.state().history_is_kept;
    found.settings = scene.notices("the settings cannot be saved: ");
    found.history = scene.notices("the run cannot be saved: ");
    found.exported = scene.notices((place / "run.json").string());
    return found;
}

void check_told(const Unwritable& found, const char* cause) {
    CHECK(found.run_error.empty());
    CHECK(found.results == 1);
    CHECK(found.listed == 2);
    CHECK(!found.is_kept);
    CHECK(found.settings);
    CHECK(found.history);
    CHECK(found.exported);
    CHECK_MESSAGE(mentions(found.document, cause), found.document);
    CHECK(found.is_still_edited);
}

/// Writing works again, and nothing was lost.
void check_writable(Scene& scene, const fs::path& place) {
    const auto shown = scene.document(scene.outside);
    scene.perform(command::SaveDocument{shown->id()});
    CHECK(!shown->is_modified());
    CHECK(mentions(read_text(scene.outside), std::string(300, '/')));
    check_good_run(scene);
    CHECK(scene.state().history_is_kept);
    scene.perform(command::ExportRun{command::ExportForm::Json, place / "run.json"});
    CHECK(mentions(read_text(place / "run.json"), "matmul/mine"));
}

}  // namespace

TEST_CASE("a judge that is killed in the middle of a run is told of, and the next run works") {
    Scene scene("endless;timed");
    scene.rest();
    scene.perform(command::Run{});
    scene.wait_for_progress();
    REQUIRE(::kill(std::stoi(read_text(scene.folder / "log")), SIGKILL) == 0);
    scene.rest();
    REQUIRE(scene.state().shown);
    CHECK_MESSAGE(mentions(scene.state().shown->error, "ended unexpectedly"), scene.state().shown->error);
    CHECK(mentions(scene.state().shown->error, "SIGKILL"));
    check_good_run(scene);
}

TEST_CASE(
    "a judge that hangs does not hold the desk, is given up when it is stopped, and the next run works") {
    Scene scene("deaf-to-stop;timed");
    scene.rest();
    scene.perform(command::Run{});
    scene.wait_for_progress();
    scene.perform(command::Stop{});
    CHECK(scene.state().is_busy);
    scene.choose_edge(32);  // everything else still works
    CHECK(scene.state().preview.request->sizes[0].value == 32);
    scene.rest();
    CHECK_MESSAGE(mentions(scene.state().shown->error, "does not answer"), scene.state().shown->error);
    check_good_run(scene);
}

TEST_CASE("a device that vanished since it was listed is told of where the results stand") {
    Scene scene("run-error,timed");
    scene.rest();
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(scene.state().shown->error == "device 'fake:0' is no longer available");
    CHECK(scene.state().history.empty());  // no run was started
    scene.perform(command::FindDevices{});
    scene.rest();
    check_good_run(scene);
}

TEST_CASE("a device of the last session that is not there is stood in for by another one, with a notice") {
    Scene scene("timed");
    scene.rest();
    scene.desk.reset();
    Settings settings = load_settings(scene.folder / "window.toml").settings;
    settings.experiment.device = "gone:7";
    save_settings(settings, scene.folder / "window.toml");
    scene.open("timed");
    scene.rest();
    CHECK(scene.notices("the device gone:7 was not found; the fake device is used instead"));
    check_good_run(scene);
}

TEST_CASE(
    "a kernel's file that vanished right before the run is the run's obstacle, and its return mends it") {
    Scene scene("timed");
    scene.rest();
    const auto shown = scene.document(scene.mine);
    fs::remove(scene.mine);
    scene.run();
    CHECK(!scene.state().shown);
    REQUIRE(scene.state().preview.obstacle);
    CHECK_MESSAGE(mentions(*scene.state().preview.obstacle, "01_mine.cl"), *scene.state().preview.obstacle);
    scene.desk->wait_until([&](const DeskState&) { return shown->on_disk() == Document::OnDisk::Gone; });
    CHECK(shown->buffer().text() == kKernel);
    CHECK_MESSAGE(mentions(shown->notice(), "01_mine.cl"), shown->notice());
    scene.perform(command::SaveDocument{shown->id()});  // creates the file again
    CHECK(read_text(scene.mine) == kKernel);
    check_good_run(scene);
}

TEST_CASE("where no file can grow, settings, history, document and export say so, and nothing is lost") {
    Scene scene("timed");
    scene.open("timed", {scene.mine, scene.outside});
    scene.remove_contestant(1);
    scene.rest();
    check_good_run(scene);
    const std::string settings = read_text(scene.folder / "window.toml");
    Unwritable found;
    {
        const FileSizeLimit limit(100);
        found = work(scene, scene.folder.path());
    }
    check_told(found, "File too large");
    CHECK(read_text(scene.folder / "window.toml") == settings);
    CHECK(read_text(scene.outside) == kKernel);
    check_writable(scene, scene.folder.path());
    CHECK(scene.state().history.size() == 3);
}

TEST_CASE("in a read-only folder settings, history, document and export say so, and nothing is lost") {
    Scene scene("timed");
    scene.open("timed", {scene.mine, scene.outside});
    scene.remove_contestant(1);
    scene.rest();
    check_good_run(scene);
    fs::permissions(scene.outside, fs::perms(0444));
    Unwritable found;
    {
        const ReadOnlyFolder runs(scene.folder / "history");
        const ReadOnlyFolder read_only(scene.folder.path());
        const WithoutPrivileges me;
        found = work(scene, scene.folder.path());
    }
    fs::permissions(scene.outside, fs::perms(0644));
    check_told(found, "ermission");
    check_writable(scene, scene.folder.path());
}

TEST_CASE("settings in the place of which there is a folder are told of at the end of a run, which works") {
    Scene scene("timed");
    scene.rest();
    fs::remove(scene.folder / "window.toml");
    fs::create_directories(scene.folder / "window.toml/in_the_way");
    scene.choose_edge(32);
    check_good_run(scene);
    CHECK(scene.notices("the settings cannot be saved: "));
    CHECK(scene.notices("Changes will be lost at the next start"));
}

TEST_CASE("damaged settings give the defaults with a notice and a copy, and the next run works") {
    Scene scene("timed");
    scene.desk.reset();
    scene.folder.write("window.toml", "this is [no TOML");
    scene.open("timed");
    scene.rest();
    CHECK(scene.notices("window.toml:1: invalid TOML"));
    CHECK(scene.notices("The default settings are used. The old file is kept as "));
    CHECK(read_text(scene.folder / "window.toml.damaged-1") == "this is [no TOML");
    CHECK(scene.state().settings.theme == Settings{}.theme);
    check_good_run(scene);
    CHECK(!load_settings(scene.folder / "window.toml").notice);
}

TEST_CASE("a file in the history that is not a run is left alone with a notice, and the next run is kept") {
    Scene scene("timed");
    scene.desk.reset();
    scene.folder.write("history/1.json", "this is a letter\n");
    scene.open("timed");
    scene.rest();
    CHECK(scene.notices("history/1.json: the text is not valid JSON"));
    check_good_run(scene);
    CHECK(scene.state().history.size() == 1);
    CHECK(scene.state().history_is_kept);
    CHECK(read_text(scene.folder / "history/1.json") == "this is a letter\n");
}

TEST_CASE(
    "a history that another program holds takes the run into memory with a notice, the next one again") {
    Scene scene("timed");
    scene.rest();
    check_good_run(scene);
    std::optional<FolderLock> other(scene.folder / "history");
    check_good_run(scene);
    CHECK(scene.notices("another program is writing there"));
    CHECK(!scene.state().history_is_kept);
    other.reset();
    check_good_run(scene);
    CHECK(scene.state().history_is_kept);
    CHECK(scene.state().history.size() == 3);
}
