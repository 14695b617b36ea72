// SPDX-License-Identifier: Apache-2.0
// The file dialog on real folders, without a window.
#include <doctest/doctest.h>

#include "gui/desk_stage.hpp"
#include "gui/dialogs/file_dialog.hpp"
#include "gui/gui_driver.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Purpose = FolderListing::Purpose;

/// A file dialog on a real folder, with a desk that only lists folders.
struct FileScene {
    TempFolder folder;
    DeskState state = make_state();
    PendingSave pending;
    FileDialog dialog{pending};
    DeskProgram program{state, [](const DeskState&, Commands&) {},
                        [this](const DeskState& s, Commands& c) { dialog.draw(s, c); }};
    WindowlessStage stage{1600, 1000};
    GuiDriver driver{stage, program};

    FileScene() {
        folder.write("tiled.cl", "kernel");
        folder.write("naive.cl", "kernel void naive() {}");
        folder.write("notes.txt", "words");
        folder.write(".hidden.cl", "kernel");
        folder.write("lessons/one.cl", "kernel");
        folder.write("lessons/two.cl", "kernel");
        program.perform = [this](const Command& command) {
            if (const auto* open = std::get_if<command::OpenDialog>(&command)) {
                list(folder.path(), open->purpose, false, open->extensions, open->name);
            } else if (const auto* go = std::get_if<command::GoToFolder>(&command)) {
                const FolderListing before = *state.dialog;
                list(go->folder, before.purpose, go->shows_hidden, before.extensions, before.name);
            } else if (std::holds_alternative<command::CloseDialog>(command)) {
                state.dialog.reset();
            }
            ++state.revision;
        };
    }

    void list(const std::filesystem::path& path, Purpose purpose, bool hidden,
              std::vector<std::string> extensions, std::string name) {
        state.dialog = list_folder(path, purpose, hidden, std::move(extensions));
        state.dialog->name = std::move(name);
        ++state.revision;
    }
    void open() {
        list(folder.path(), Purpose::OpenKernels, false, {".cl"}, "");
        driver.settle();
        driver.settle();
    }
    /// Execute commands as a panel would send them.
    template <class Ask>
    void ask(const Ask& ask) {
        Commands commands;
        ask(commands);
        for (const Command& command : commands) program.perform(command);
        driver.settle();
        driver.settle();
    }
    std::string shown(std::size_t row) { return driver.at("files/row/" + std::to_string(row)).label; }
    std::size_t rows() {
        std::size_t count = 0;
        while (driver.has("files/row/" + std::to_string(count))) ++count;
        return count;
    }
    std::vector<std::filesystem::path> opened() {
        const auto* command = program.last<command::OpenFiles>();
        return command == nullptr ? std::vector<std::filesystem::path>{} : command->files;
    }
};

TEST_CASE("the list shows folders, then files of the wanted kind, in natural order") {
    FileScene scene;
    scene.open();
    REQUIRE(scene.rows() == 3);
    CHECK(scene.shown(0).ends_with("lessons"));
    CHECK(scene.shown(1).ends_with("naive.cl"));
    CHECK(scene.shown(2).ends_with("tiled.cl"));
}

TEST_CASE("a click chooses, the button opens, and the dialog is gone") {
    FileScene scene;
    scene.open();
    CHECK_FALSE(scene.driver.at("files/ok").enabled);
    scene.driver.click("files/row/2");
    CHECK(scene.opened().empty());
    scene.driver.click("files/ok");
    CHECK(scene.opened() == std::vector{scene.folder / "tiled.cl"});
    CHECK_FALSE(scene.state.dialog.has_value());
    CHECK_FALSE(scene.driver.has("files/title"));
}

TEST_CASE("a double click opens a file, or goes into a folder") {
    FileScene scene;
    scene.open();
    scene.driver.double_click("files/row/0");
    CHECK(scene.state.dialog->folder == scene.folder / "lessons");
    CHECK(scene.rows() == 2);
    scene.driver.double_click("files/row/1");
    CHECK(scene.opened() == std::vector{scene.folder / "lessons/two.cl"});
}

TEST_CASE("typing filters, arrows move, Enter opens, Escape first clears the filter and then closes") {
    FileScene scene;
    scene.open();
    scene.driver.type("LED");
    REQUIRE(scene.rows() == 1);
    CHECK(scene.shown(0).ends_with("tiled.cl"));
    scene.driver.key(plain(Key::Escape));
    CHECK(scene.rows() == 3);
    scene.driver.key(plain(Key::Down));
    scene.driver.key(plain(Key::Down));
    scene.driver.key(plain(Key::Enter));
    CHECK(scene.opened() == std::vector{scene.folder / "naive.cl"});
    scene.open();
    scene.driver.type("tiled");
    scene.driver.key(plain(Key::Enter));
    CHECK(scene.opened() == std::vector{scene.folder / "tiled.cl"});
    scene.open();
    scene.driver.key(plain(Key::Escape));
    CHECK_FALSE(scene.state.dialog.has_value());
    CHECK(scene.program.all<command::OpenFiles>().size() == 2);
}

TEST_CASE("Enter on a folder goes into it, Backspace and the button Up go back, path and places lead on") {
    FileScene scene;
    scene.open();
    scene.driver.key(plain(Key::Down));
    scene.driver.key(plain(Key::Enter));
    CHECK(scene.state.dialog->folder == scene.folder / "lessons");
    scene.driver.key(plain(Key::Backspace));
    CHECK(scene.state.dialog->folder == scene.folder.path());
    scene.driver.click("files/up");
    CHECK(scene.state.dialog->folder == scene.folder.path().parent_path());
    scene.driver.type("/");
    scene.driver.key(plain(Key::Enter));
    scene.driver.settle();
    CHECK(scene.state.dialog->folder == "/");
    CHECK_FALSE(scene.driver.at("files/up").enabled);
    scene.driver.click("files/place/0");
    CHECK(scene.state.dialog->folder == scene.state.dialog->places[0]);
}

TEST_CASE("a typed path leads to a folder, or opens a file; a wrong one is answered with a sentence") {
    FileScene scene;
    scene.open();
    const auto type_path = [&](const std::string& path) {
        scene.driver.type(path);
        scene.driver.key(plain(Key::Enter));
        scene.driver.settle();
    };
    type_path((scene.folder / "lessons").string());
    CHECK(scene.state.dialog->folder == scene.folder / "lessons");
    type_path("nowhere/");
    CHECK(scene.driver.has("files/error/title"));
    scene.driver.click("files/up");
    type_path("./absent.cl");
    CHECK(scene.driver.at("files/message").label.starts_with("absent.cl is not in this folder"));
    CHECK(scene.opened().empty());
    // Escape clears the path and does not close the dialog.
    scene.driver.type("else/where");
    scene.driver.key(plain(Key::Escape));
    scene.driver.settle();
    REQUIRE(scene.state.dialog.has_value());
    CHECK(scene.rows() == 2);
    type_path("../tiled.cl");
    CHECK(scene.opened() == std::vector{scene.folder / "tiled.cl"});
}

TEST_CASE("a document is saved under the name that was typed, with the extension that it lacked") {
    FileScene scene;
    scene.ask([&](Commands& commands) { scene.pending.ask_document(7, "fast.cl", commands); });
    REQUIRE(scene.driver.has("files/name"));
    scene.driver.key(ctrl(Key::A));
    scene.driver.type("faster");
    scene.driver.key(plain(Key::Enter));
    scene.driver.settle();
    REQUIRE(scene.program.last<command::SaveDocumentAs>() != nullptr);
    CHECK(scene.program.last<command::SaveDocumentAs>()->document == 7);
    CHECK(scene.program.last<command::SaveDocumentAs>()->path == scene.folder / "faster.cl");
    CHECK_FALSE(scene.state.dialog.has_value());
    CHECK_FALSE(scene.pending.waits());
}

TEST_CASE("a file that is there is replaced only after a question, even one that is not listed") {
    for (const char* name : {"tiled.cl", ".hidden.cl", "lessons/one.cl"}) {
        CAPTURE(name);
        FileScene scene;
        scene.ask([&](Commands& commands) { scene.pending.ask_document(7, name, commands); });
        scene.driver.click("files/ok");
        scene.driver.settle();
        REQUIRE(scene.driver.has("question/yes"));
        CHECK_THROWS_AS(scene.driver.click("files/ok"), CannotAct);
        scene.driver.key(plain(Key::Escape));  // closes the question, not the dialog
        CHECK_FALSE(scene.driver.has("question/yes"));
        CHECK(scene.state.dialog.has_value());
        CHECK(scene.program.last<command::SaveDocumentAs>() == nullptr);
        scene.driver.click("files/ok");
        scene.driver.settle();
        scene.driver.click("question/cancel");
        scene.driver.click("files/ok");
        scene.driver.settle();
        scene.driver.click("question/yes");
        REQUIRE(scene.program.last<command::SaveDocumentAs>() != nullptr);
        CHECK(scene.program.last<command::SaveDocumentAs>()->path == scene.folder / name);
        CHECK_FALSE(scene.state.dialog.has_value());
    }
}

TEST_CASE("a click on a file proposes its name; a folder is entered, not saved over") {
    FileScene scene;
    scene.ask([&](Commands& commands) { scene.pending.ask_document(7, "new.cl", commands); });
    scene.driver.double_click("files/row/0");
    CHECK(scene.state.dialog->folder == scene.folder / "lessons");
    scene.driver.click("files/row/1");
    scene.driver.click("files/ok");
    scene.driver.settle();
    CHECK(scene.driver.at("question/title").label.find("two.cl") != std::string::npos);
    scene.driver.click("question/cancel");
    scene.driver.key(plain(Key::Escape));
    CHECK(scene.program.last<command::SaveDocumentAs>() == nullptr);
    CHECK_FALSE(scene.pending.waits());
}

TEST_CASE("runs and bytes go where the dialog says; Cancel forgets them") {
    FileScene scene;
    scene.ask(
        [&](Commands& commands) { scene.pending.ask_run(command::ExportForm::Csv, "matmul", commands); });
    scene.driver.click("files/ok");
    scene.driver.settle();
    REQUIRE(scene.program.last<command::ExportRun>() != nullptr);
    CHECK(scene.program.last<command::ExportRun>()->form == command::ExportForm::Csv);
    CHECK(scene.program.last<command::ExportRun>()->path == scene.folder / "matmul.csv");

    scene.ask([&](Commands& commands) { scene.pending.ask_bytes("<svg/>", ".svg", "times", commands); });
    scene.driver.click("files/cancel");
    CHECK_FALSE(scene.pending.waits());
    CHECK(scene.program.last<command::ExportBytes>() == nullptr);
    scene.ask([&](Commands& commands) { scene.pending.ask_bytes("<svg/>", ".svg", "times", commands); });
    scene.driver.click("files/ok");
    scene.driver.settle();
    REQUIRE(scene.program.last<command::ExportBytes>() != nullptr);
    CHECK(scene.program.last<command::ExportBytes>()->bytes == "<svg/>");
    CHECK(scene.program.last<command::ExportBytes>()->path == scene.folder / "times.svg");
}

TEST_CASE("the file dialog's layout is intact at every size, with long names, many files and none") {
    FileScene scene;
    for (int i = 0; i < 60; ++i) scene.folder.write("kernel_" + std::to_string(i) + ".cl", "k");
    scene.folder.write(std::string(120, 'w') + ".cl", "k");
    const std::string deep =
        "a_folder_with_a_long_name/and_another_one_below_it/third/" + std::string(90, 'd');
    scene.folder.write(deep + "/x.cl", "k");
    at_every_size(scene.stage, [&](int width, int height, float scale) {
        CAPTURE(width);
        CAPTURE(scale);
        const auto check = [&](const char* what) {
            CAPTURE(what);
            scene.driver.settle();
            for (const std::string& fault : check_layout(
                     scene.stage.look().probes(), static_cast<float>(width), static_cast<float>(height)))
                FAIL_CHECK(fault);
        };
        scene.open();
        check("open");
        scene.list(scene.folder / deep, Purpose::OpenKernels, true, {".cl"}, "");
        check("deep");
        scene.list(scene.folder / "absent", Purpose::OpenKernels, true, {".cl"}, "");
        check("error");
        scene.driver.key(plain(Key::Escape));
        scene.ask([&](Commands& commands) { scene.pending.ask_document(7, "tiled.cl", commands); });
        check("save");
        scene.driver.click("files/ok");
        check("question");
        scene.driver.click("question/cancel");
        scene.driver.click("files/cancel");
    });
}

}  // namespace
}  // namespace kwb::test
