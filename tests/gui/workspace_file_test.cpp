// SPDX-License-Identifier: Apache-2.0
// The menu File: experiments, recent files, the clipboard; and layouts.
#include <doctest/doctest.h>

#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;
namespace fs = std::filesystem;

void choose(Scene& scene, const std::string& item) {
    scene.driver->click("workspace/file");
    scene.driver->settle();
    scene.driver->click(item);
    scene.driver->settle();
}

/// Type a path into the open dialog, and press Enter.
void open_path(Scene& scene, const fs::path& file) {
    scene.driver->click("files/name");
    scene.driver->key(ctrl(Key::A));
    scene.driver->type(file.string());
    scene.driver->key(plain(Key::Enter));
    scene.driver->settle();
}

TEST_CASE("an experiment is saved, reset, taken back and opened from the menu File") {
    Scene scene("timed");
    const Experiment choices = scene.state().choices;
    const fs::path file = scene.folder / "mine.kwb";
    choose(scene, "file/save_experiment");
    CHECK(mentions(scene.label("files/title"), "Save the experiment"));
    scene.save_as(scene.folder / "mine");  // the dialog adds the extension
    CHECK(fs::exists(file));
    choose(scene, "file/reset");
    CHECK(scene.state().choices.contestants[0].kernel == "matmul/naive");
    CHECK(scene.says("notice/", "as at the first start"));
    choose(scene, "file/former");
    CHECK(scene.state().choices == choices);
    choose(scene, "file/reset");
    choose(scene, "file/open_experiment");
    CHECK(mentions(scene.label("files/title"), "Open an experiment"));
    scene.check_layout_now();
    open_path(scene, file);
    CHECK_FALSE(scene.driver->has("files/title"));
    CHECK(scene.state().choices == choices);
    scene.run();
    CHECK(scene.state().shown->labels == std::vector<std::string>{"mine", "other"});
}

TEST_CASE("an experiment that is dropped onto the window is opened, and a damaged one is a sentence") {
    Scene scene("timed");
    const Experiment choices = scene.state().choices;
    choose(scene, "file/save_experiment");
    scene.save_as(scene.folder / "mine.kwb");
    choose(scene, "file/reset");
    scene.workspace->open_files({scene.folder.write("bad.kwb", "version = 1\nproblem = 3\n")});
    scene.driver->settle();
    CHECK(scene.says("notice/", "bad.kwb:2: problem must be a text"));
    CHECK(scene.state().choices.contestants[0].kernel == "matmul/naive");
    scene.workspace->open_files({scene.folder / "mine.kwb"});
    scene.driver->settle();
    CHECK(scene.state().choices == choices);
    scene.check_layout_now();
}

TEST_CASE("recent files are in the menu, and a missing one leaves the list on a click") {
    Scene scene("timed", {.kernels = {"mine"}});
    const fs::path gone = scene.folder.write("gone.cl", matmul_source("Gone"));
    scene.workspace->open_files({scene.outside, gone});
    scene.driver->settle();
    fs::remove(gone);
    scene.driver->click("workspace/file");
    scene.driver->settle();
    CHECK(mentions(scene.label("file/recent/0"), "gone.cl"));
    scene.check_layout_now();
    scene.driver->click("file/recent/0");
    scene.driver->settle();
    CHECK(scene.says("notice/", "gone.cl no longer exists"));
    scene.driver->click("workspace/file");
    scene.driver->settle();
    CHECK(mentions(scene.label("file/recent/0"), "outside"));
    scene.driver->click("file/recent/0");
    scene.driver->settle();
    CHECK(scene.front().path() == scene.outside);
}

TEST_CASE("a kernel is made from the clipboard, and what is no kernel there is a sentence") {
    Scene scene("timed", {.kernels = {"mine"}});
    ImGui::SetClipboardText("");
    choose(scene, "file/paste");
    CHECK(scene.says("notice/", "The clipboard is empty"));
    ImGui::SetClipboardText("a shopping list");
    choose(scene, "file/paste");
    CHECK(scene.says("notice/", "has no OpenCL kernel"));
    CHECK_FALSE(scene.driver->has("files/title"));
    ImGui::SetClipboardText("__kernel void product(__global float* C) {}\n");
    choose(scene, "file/paste");
    REQUIRE(scene.driver->has("files/title"));
    CHECK(scene.state().dialog->name == "product.cl");
    scene.save_as(scene.folder / "product.cl");
    CHECK(read_text(scene.folder / "product.cl") == "__kernel void product(__global float* C) {}\n");
    CHECK(scene.front().path() == scene.folder / "product.cl");
}

TEST_CASE("results are exported from the menu File, which is in View where the window is narrow") {
    Scene scene("timed");
    scene.run();
    choose(scene, "file/export/csv");
    scene.save_as(scene.folder / "run.csv");
    CHECK(mentions(read_text(scene.folder / "run.csv"), "matmul/mine"));
    for (int width = 640; width >= 320 && scene.driver->has("workspace/file"); width -= 40) {
        scene.stage().resize(width, 700);
        scene.driver->settle();
    }
    REQUIRE_FALSE(scene.driver->has("workspace/file"));
    scene.driver->click("workspace/view");
    scene.driver->settle();
    CHECK(scene.driver->has("file/export/csv"));
    CHECK(scene.driver->has("file/open_experiment"));
}

TEST_CASE("a hundred files and one of a gibibyte are dropped, and the window stays usable") {
    Scene scene("timed", {.kernels = {"mine"}});
    std::vector<fs::path> files;
    for (int i = 0; i < 100; ++i)
        files.push_back(
            scene.folder.write("many/" + std::to_string(i) + ".cl", matmul_source("One of many")));
    const fs::path huge = scene.folder.write("many/huge.cl", "");
    fs::resize_file(huge, std::uintmax_t{1} << 30);
    files.insert(files.begin(), huge);
    scene.workspace->open_files(files);
    scene.driver->settle();
    CHECK(scene.says("notice/", "94 of the files are open but not compared"));
    CHECK(scene.state().choices.contestants.size() == kMostContestants);
    scene.check_layout_now();
    for (const auto& document : scene.state().documents)
        if (document->path() == huge) CHECK(mentions(document->notice(), "huge.cl"));
    scene.run();
    REQUIRE(scene.state().shown != nullptr);
    CHECK(scene.state().shown->run.results.size() == kMostContestants);
}

TEST_CASE("a folder in the place of an experiment is a sentence, in a drop and in the dialog") {
    Scene scene("timed");
    const Experiment choices = scene.state().choices;
    fs::create_directory(scene.folder / "folder.kwb");
    scene.workspace->open_files({scene.folder / "folder.kwb"});
    scene.driver->settle();
    CHECK(scene.says("notice/", "folder.kwb"));
    CHECK(scene.state().choices == choices);
    choose(scene, "file/open_experiment");
    open_path(scene, scene.folder / "folder.kwb");
    CHECK(scene.driver->has("files/title"));  // the dialog shows its content
    CHECK(scene.state().dialog->folder == scene.folder / "folder.kwb");
}

}  // namespace
}  // namespace kwb::test
