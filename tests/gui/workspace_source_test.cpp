// SPDX-License-Identifier: Apache-2.0
// Editing, comparing and saving sources, in the whole window with real files.
#include <doctest/doctest.h>

#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;
namespace fs = std::filesystem;

const std::string kEdited = matmul_source("mine") + "// theirs\n";

void write_outside(Scene& scene, const std::string& text) {
    scene.folder.write("kernels/matmul/" + scene.kernel_file(0).filename().string(), text);
}

TEST_CASE("what is typed and saved is what runs next") {
    Scene scene("timed", {.kernels = {"mine"}});
    scene.run();
    scene.type_into_source("// better");
    CHECK(scene.front().is_modified());
    CHECK(mentions(scene.label("shell/state"), "edited"));
    scene.driver->key(ctrl(Key::S));
    CHECK_FALSE(scene.front().is_modified());
    CHECK(mentions(read_text(scene.kernel_file(0)), "// better"));
    scene.run();
    REQUIRE(scene.history().size() == 2);
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// better"));
}

TEST_CASE("a message of the compiler leads to its place, also into a panel that was hidden") {
    Scene scene("lesson", {.kernels = {"mine", "typo"}});
    scene.run();
    const auto& results = scene.state().shown->run.results;
    REQUIRE(results.size() == 2);
    scene.driver->click("correctness/contestant/1");
    scene.driver->settle();
    CHECK(scene.front().name() == scene.kernel_file(1).filename().string());  // selection shows the source
    scene.driver->click("correctness/contestant/0");
    scene.driver->settle();
    CHECK(scene.front().name() == scene.kernel_file(0).filename().string());
    scene.driver->click("workspace/view");
    scene.driver->click("workspace/view/source");
    REQUIRE_FALSE(scene.driver->has("source/text"));
    (*scene.desk)->perform(Commands{command::BringToFront{scene.state().documents.back()->id(), 3}});
    scene.driver->settle();
    CHECK(scene.driver->has("source/text"));
    CHECK(scene.front().buffer().caret().line == 3);
}

TEST_CASE("the menu of what is shown opens below its button") {
    Scene scene("good", {.kernels = {"mine"}});
    const ImRect button = scene.driver->at("workspace/view").full;
    scene.driver->click("workspace/view");
    scene.driver->settle();
    CHECK(scene.driver->at("workspace/view/experiment").full.Min.y >= button.Max.y);
    CHECK(mentions(scene.label("workspace/view/source"), "\u2713"));
    scene.driver->click("workspace/view/source");
    scene.driver->settle();
    scene.driver->click("workspace/view");
    scene.driver->settle();
    CHECK_FALSE(mentions(scene.label("workspace/view/source"), "\u2713"));
}

TEST_CASE("the first Escape closes the list of kernels") {
    Scene scene("good", {.kernels = {"mine"}});
    scene.driver->click("experiment/add");
    scene.driver->settle();
    REQUIRE(scene.driver->has("experiment/add/filter"));
    scene.driver->key(plain(Key::Escape));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("experiment/add/filter"));
    scene.driver->click("experiment/add");
    scene.driver->type("naive");
    scene.driver->key(plain(Key::Escape));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("experiment/add/filter"));
}

TEST_CASE("Ctrl+Z takes back, and saving then restores the file") {
    Scene scene("timed", {.kernels = {"mine"}});
    scene.type_into_source("x");
    scene.driver->key(ctrl(Key::S));
    scene.driver->key(ctrl(Key::Z));
    scene.driver->key(ctrl(Key::S));
    CHECK(read_text(scene.kernel_file(0)) == matmul_source("mine"));
}

TEST_CASE("Ctrl+F finds in the source in front") {
    Scene scene("good", {.kernels = {"mine"}});
    scene.driver->click("source/text");
    scene.driver->key(ctrl(Key::F));
    scene.driver->type("get_global_id");
    scene.driver->settle();
    CHECK(scene.front().buffer().selected_text() == "get_global_id");
}

TEST_CASE("a file that another editor changed is taken over, and runs again if live is on") {
    Scene scene("timed", {.kernels = {"mine"}});
    write_outside(scene, kEdited);
    scene.driver->wait_until("the new text is shown",
                             [&] { return scene.front().buffer().text() == kEdited; });
    CHECK_FALSE(scene.front().is_modified());
    CHECK(scene.history().empty());
    scene.driver->click("experiment/live");
    scene.rest();
    const std::size_t before = scene.history().size();
    write_outside(scene, kEdited + "// again\n");
    scene.driver->wait_until("it has run again",
                             [&] { return scene.history().size() > before && !scene.state().is_busy; });
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// again"));
}

TEST_CASE("a text that changed here and on disk is never overwritten silently") {
    Scene scene("timed", {.kernels = {"mine"}});
    scene.type_into_source("// mine\n");
    write_outside(scene, kEdited);
    scene.driver->wait_until("the change is noticed",
                             [&] { return scene.front().on_disk() == Document::OnDisk::Changed; });
    scene.driver->settle();
    CHECK(scene.driver->has("source/take_theirs"));
    scene.check_layout_now();
    scene.driver->click("source/text");
    scene.driver->key(ctrl(Key::S));
    CHECK(read_text(scene.kernel_file(0)) == kEdited);
    scene.run();  // runs the text on the screen
    CHECK(read_text(scene.kernel_file(0)) == kEdited);
    REQUIRE(scene.state().shown != nullptr);
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// mine"));
    scene.driver->click("source/show_disk");
    CHECK(scene.driver->has("source/diff/count"));
    SUBCASE("the file's text can be taken, and Ctrl+Z restores the edited text") {
        scene.driver->click("source/take_theirs");
        CHECK(scene.front().buffer().text() == kEdited);
        scene.driver->click("source/text");
        scene.driver->key(ctrl(Key::Z));
        CHECK(mentions(scene.front().buffer().text(), "// mine"));
    }
    SUBCASE("the edited text can be kept, and then it runs") {
        scene.driver->click("source/keep_mine");
        CHECK(mentions(read_text(scene.kernel_file(0)), "// mine"));
        scene.run();
        REQUIRE(scene.state().shown != nullptr);
        CHECK(scene.state().shown->error.empty());
    }
}

TEST_CASE("a file that vanishes is an obstacle at its kernel, the others run, and it can be saved again") {
    Scene scene("timed");
    fs::remove(scene.kernel_file(0));
    scene.driver->wait_until("it is noticed",
                             [&] { return scene.says("experiment/contestant/0/verdict", "unreadable"); });
    scene.run();
    REQUIRE(scene.state().shown != nullptr);
    REQUIRE(scene.state().shown->run.results.size() == 2);
    CHECK(scene.state().shown->run.results[1].verdict == Verdict::Correct);
    scene.driver->wait_until("it can be saved", [&] { return scene.driver->has("source/save_again"); });
    scene.driver->click("source/save_again");
    scene.driver->wait_until("the kernel is there again",
                             [&] { return !scene.says("experiment/contestant/0/verdict", "unreadable"); });
    CHECK(fs::exists(scene.kernel_file(0)));
}

TEST_CASE("two kernels stand side by side with their differences marked") {
    Scene scene("good");
    scene.workspace->open_files({scene.outside});
    scene.driver->settle();
    REQUIRE(scene.state().documents.size() >= 2);
    DocumentId other = 0;
    for (const auto& document : scene.state().documents)
        if (document->id() != *scene.state().front) other = document->id();
    scene.driver->click("source/compare");
    scene.driver->click("source/compare/" + std::to_string(other));
    CHECK(scene.state().beside == other);
    CHECK(scene.label("source/diff/count") == "2 differences");
    scene.check_layout_now();
    scene.driver->click("source/diff/end");
    CHECK_FALSE(scene.driver->has("source/diff/count"));
}

TEST_CASE("an edit of the front matter changes what can be chosen, before it is saved") {
    Scene scene("good", {.kernels = {"mine"}});
    scene.driver->click("source/text");
    Document& front = scene.front();
    const std::string text = front.buffer().text();
    const std::size_t line =
        static_cast<std::size_t>(std::ranges::count(text.substr(0, text.find("TILE = [")), '\n'));
    front.buffer().set_caret({line, 8});
    scene.driver->type("4, ");
    scene.driver->settle();
    CHECK(mentions(scene.label("experiment/contestant/0/launch"), "TILE=4"));
}

TEST_CASE("the window closes over unsaved edits only when it was told how") {
    Scene scene("good", {.kernels = {"mine"}});
    scene.type_into_source("// mine\n");
    CHECK_FALSE(scene.workspace->may_close());
    scene.driver->settle();
    REQUIRE(scene.driver->has("question/title"));
    CHECK(scene.says("question/item/", "01_mine.cl"));
    scene.check_layout_now();
    SUBCASE("cancel stays") {
        scene.driver->click("question/cancel");
        CHECK_FALSE(scene.workspace->wants_to_end());
        CHECK(scene.front().is_modified());
        CHECK(read_text(scene.kernel_file(0)) == matmul_source("mine"));
    }
    SUBCASE("discard closes and leaves the file") {
        scene.driver->click("question/discard");
        CHECK(scene.workspace->wants_to_end());
        CHECK(read_text(scene.kernel_file(0)) == matmul_source("mine"));
    }
    SUBCASE("save all saves and closes") {
        scene.driver->click("question/save");
        CHECK(scene.workspace->wants_to_end());
        CHECK(mentions(read_text(scene.kernel_file(0)), "// mine"));
    }
}

TEST_CASE("a shipped kernel is saved under a new name, and the copy replaces it") {
    Scene scene("timed", {.kernels = {}});
    REQUIRE(scene.front().read_only());
    const std::string shipped = scene.state().choices.contestants.at(0).kernel;
    scene.type_into_source("// copy\n");
    scene.driver->click("source/save");
    const fs::path copy = scene.folder / "copy.cl";
    scene.save_as(copy);
    CHECK(mentions(read_text(copy), "// copy"));
    CHECK(scene.state().choices.contestants.at(0).kernel == copy.string());
    scene.run();
    CHECK(shipped != copy.string());
    CHECK(scene.state().shown->labels.at(0) == "copy");
}

TEST_CASE("a source that could not be saved says so in its own banner, with remedies") {
    Scene scene("good");
    scene.type_into_source("// mine\n");
    Document& document = scene.front();
    (**scene.desk).perform(command::SaveDocumentAs{document.id(), "/dev/full"});
    scene.driver->settle();
    REQUIRE(document.save_failed());
    CHECK(scene.says("source/banner", "Not saved"));
    CHECK_FALSE(scene.says("source/banner", "About this file"));
    scene.driver->click("source/save_elsewhere");
    CHECK(scene.driver->has("files/name"));
    scene.driver->key(plain(Key::Escape));
    scene.driver->key(plain(Key::Escape));
    scene.driver->click("source/save_again");
    CHECK_FALSE(document.is_modified());
    CHECK_FALSE(scene.driver->has("source/banner"));
}

}  // namespace
}  // namespace kwb::test
