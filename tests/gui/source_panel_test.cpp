// SPDX-License-Identifier: Apache-2.0
// The source panel: tabs, saving, closing, markers, and the layout of all its parts.
#include <doctest/doctest.h>

#include "gui/source_stage.hpp"
#include "gui/stage.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using editor::Position;

TEST_CASE("without a source the panel says how to get one") {
    WindowlessStage stage;
    SourceProgram program;
    GuiDriver driver(stage, program);
    CHECK(driver.has("source/empty/title"));
    CHECK_FALSE(driver.has("source/text"));
}

TEST_CASE("tabs bring documents to the front; two of one name show their folders") {
    Opened at;
    at.program.open("b.cl", "int b;\n");
    at.program.open("more/b.cl", "int c;\n");
    at.driver.settle();
    CHECK(at.driver.at("source/tab/1").label == "a.cl");
    CHECK(at.driver.at("source/tab/3").label == "more/b.cl");
    at.driver.click("source/tab/1");
    CHECK(at.program.state.front == DocumentId{1});
    CHECK(at.driver.at("source/text").active);  // so that typing works immediately
}

TEST_CASE("pointing at a tab lights up the kernels of its file") {
    SourceProgram program;
    program.open("naive.cl", "__kernel void naive() {}\n");
    const Document& tiled = program.open("tiled.cl", "__kernel void tiled() {}\n");
    program.state.choices.contestants.resize(2);
    program.state.preview.contestants.resize(2);
    program.state.preview.contestants[1].file = tiled.path().string();
    WindowlessStage stage(900, 600);
    GuiDriver driver(stage, program);
    driver.hover(with_id("tab", tiled.id()));
    program.hovered.end_frame();
    CHECK(program.hovered.lit() == 1);
}

TEST_CASE("tabs take one row: those that do not fit are in a list") {
    Opened at;
    for (int i = 2; i <= 8; ++i)
        at.program.open("a_kernel_with_a_long_name_" + std::to_string(i) + ".cl", "int b;\n");
    at.driver.settle();
    REQUIRE(at.driver.has("source/files"));
    CHECK(at.driver.at("source/files").label.ends_with("8 files"));
    const float row = at.driver.at("source/files").full.Min.y;
    for (const int front : {8, 1, 5}) {
        CAPTURE(front);
        at.driver.click("source/files");
        at.driver.click("source/file/" + std::to_string(front));
        at.driver.settle();
        CHECK(at.program.state.front == static_cast<DocumentId>(front));
        REQUIRE(at.driver.has("source/tab/" + std::to_string(front)));
        for (int i = 1; i <= 8; ++i)
            if (at.driver.has("source/tab/" + std::to_string(i)))
                CHECK(at.driver.at("source/tab/" + std::to_string(i)).full.Min.y == row);
    }
}

TEST_CASE("a tab is marked while its text does not compile") {
    Opened at;
    const float width = at.driver.at("source/tab/1").full.GetWidth();
    at.document().set_marks({{LineMark::Kind::Hint, 0, 0, "slow", ""}});
    at.driver.settle();
    CHECK(at.driver.at("source/tab/1").full.GetWidth() == width);
    at.document().set_marks({{LineMark::Kind::Error, 0, 0, "unknown", ""}});
    at.driver.settle();
    CHECK(at.driver.at("source/tab/1").full.GetWidth() > width);
}

TEST_CASE("a text that is in no file says that runs use it all the same") {
    Opened at;
    CHECK_FALSE(at.driver.has("source/unsaved"));
    at.edit();
    at.program.state.unsaved = {1};
    at.driver.settle();
    CHECK(at.driver.at("source/unsaved").label == "Not saved: runs use this text");
    Opened shipped(kSourceText, true);
    CHECK(shipped.driver.at("source/unsaved").label == "Comes with the workbench");
    shipped.edit();
    shipped.program.state.unsaved = {1};
    shipped.driver.settle();
    CHECK(shipped.driver.at("source/unsaved").label ==
          "Comes with the workbench: runs use your text; Save as\u2026 keeps it");
}

TEST_CASE("tabs stay tabs on the screen, under the pointer and in the file") {
    Opened at("\t\tint a;\n\tint b;\n");
    CHECK_FALSE(at.driver.has("source/banner"));
    const TextShare behind = share_of(at.driver, {0, 8});
    at.driver.click_at("source/text", behind.x, behind.y);
    CHECK(at.buffer().caret() == Position{0, 2});
    at.driver.key(plain(Key::Down));
    CHECK(at.buffer().caret() == Position{1, 5});
    at.driver.key(plain(Key::End));
    at.driver.key(plain(Key::Enter));
    at.driver.key(plain(Key::Tab));
    at.driver.type("c;");
    at.driver.key(ctrl(Key::S));
    CHECK(read_text(at.program.folder / "a.cl") == "\t\tint a;\n\tint b;\n\t\tc;\n");
}

TEST_CASE("Ctrl+S saves, and the button can only be pressed where there is something to save") {
    Opened at;
    CHECK_FALSE(at.driver.at("source/save").enabled);
    at.edit();
    CHECK(at.driver.at("source/save").enabled);
    at.driver.key(ctrl(Key::S));
    CHECK(read_text(at.program.folder / "a.cl") == "// mine\n" + std::string(kSourceText));
    CHECK_FALSE(at.driver.at("source/save").enabled);
    at.edit("// more\n");
    at.driver.click("source/save");
    CHECK(read_text(at.program.folder / "a.cl").starts_with("// mine\n// more\n"));
}

TEST_CASE("a kernel of the workbench is saved under another name") {
    Opened at(kSourceText, true);
    at.edit();
    CHECK(at.driver.at("source/save").label.ends_with("Save as\u2026"));
    at.driver.key(ctrl(Key::S));
    CHECK(at.program.count<command::SaveDocument>() == 0);
    CHECK(at.program.count<command::OpenDialog>() == 1);
    CHECK(at.program.pending.waits());
    Commands commands;
    at.program.pending.finish(at.program.folder / "copy.cl", commands);
    REQUIRE(commands.size() >= 1);
    const auto* save = std::get_if<command::SaveDocumentAs>(&commands.front());
    REQUIRE(save != nullptr);
    CHECK(save->document == 1);
}

TEST_CASE("a document without edits is closed at once") {
    Opened at;
    at.driver.click("source/close/1");
    CHECK(at.program.state.documents.empty());
    CHECK(at.driver.has("source/empty/title"));
}

TEST_CASE("closing edits asks first: keep them, drop them, or save them") {
    Opened at;
    at.edit();
    at.driver.click("source/close/1");
    CHECK(at.driver.at("source/question/title").label.ends_with("Close a.cl?"));
    at.driver.click("source/keep_open");
    CHECK_FALSE(at.driver.has("source/question"));
    CHECK(at.document().is_modified());

    SUBCASE("drop") {
        at.driver.key(ctrl(Key::W));
        at.driver.click("source/close_anyway");
        CHECK(at.program.state.documents.empty());
        CHECK(read_text(at.program.folder / "a.cl") == kSourceText);
    }
    SUBCASE("save") {
        at.driver.click("source/close/1");
        at.driver.click("source/save_and_close");
        CHECK(at.program.state.documents.empty());
        CHECK(read_text(at.program.folder / "a.cl").starts_with("// mine\n"));
    }
    SUBCASE("saving fails") {
        at.program.folder.write("a.cl", "theirs\n");
        at.driver.click("source/close/1");
        at.driver.click("source/save_and_close");
        REQUIRE(at.program.state.documents.size() == 1);
        CHECK(at.driver.has("source/take_theirs"));
        CHECK(read_text(at.program.folder / "a.cl") == "theirs\n");
    }
}

TEST_CASE("a file that changed here and on disk is never overwritten silently") {
    Opened at;
    at.edit();
    at.program.folder.write("a.cl", "float theirs;\n");
    at.document().look_at_disk();
    at.driver.settle();
    CHECK(at.driver.has("source/banner"));

    SUBCASE("take theirs") {
        at.driver.click("source/take_theirs");
        CHECK(at.buffer().text() == "float theirs;\n");
        CHECK_FALSE(at.driver.has("source/banner"));
    }
    SUBCASE("keep mine") {
        at.driver.click("source/keep_mine");
        CHECK(read_text(at.program.folder / "a.cl").starts_with("// mine\n"));
        CHECK_FALSE(at.driver.has("source/banner"));
    }
    SUBCASE("look at the differences first") {
        at.driver.click("source/show_disk");
        CHECK(at.driver.at("source/diff/left").label == "Your text");
        CHECK(at.driver.at("source/diff/right").label == "The file");
        CHECK_FALSE(at.driver.has("source/text"));
        at.driver.click("source/show_disk");
        CHECK(at.driver.has("source/text"));
        at.driver.click("source/show_disk");
        at.driver.click("source/take_theirs");
        CHECK(at.driver.has("source/text"));
    }
    SUBCASE("Ctrl+S does not decide it") {
        at.driver.key(ctrl(Key::S));
        CHECK(read_text(at.program.folder / "a.cl") == "float theirs;\n");
        CHECK(at.driver.has("source/banner"));
    }
}

TEST_CASE("a file that is gone can be written again") {
    Opened at;
    std::filesystem::remove(at.program.folder / "a.cl");
    at.document().look_at_disk();
    at.driver.settle();
    at.driver.click("source/save_again");
    CHECK(read_text(at.program.folder / "a.cl") == kSourceText);
    CHECK_FALSE(at.driver.has("source/banner"));
}

TEST_CASE("a file that cannot be read says why, and can be read again") {
    Opened at;
    std::filesystem::create_directory(at.program.folder / "folder.cl");
    at.program.state.documents.push_back(
        std::make_shared<Document>(DocumentId{9}, at.program.folder / "folder.cl", false));
    at.program.state.front = 9;
    at.driver.settle();
    CHECK(at.driver.at("source/banner/sentence").label == at.program.document(9).notice());
    std::filesystem::remove(at.program.folder / "folder.cl");
    at.program.folder.write("folder.cl", "int now;\n");
    at.driver.click("source/read_again");
    CHECK(at.driver.has("source/text"));
    CHECK(at.program.document(9).buffer().line(0) == "int now;");
}

TEST_CASE("changes made while reading are shown until they are acknowledged") {
    Opened at("int a; // \xE9\n");
    CHECK(at.driver.at("source/banner/sentence").label.find("1 byte not allowed in UTF-8 text") !=
          std::string::npos);
    at.driver.click("source/hide_notice");
    CHECK_FALSE(at.driver.has("source/banner"));
}

TEST_CASE("marks are listed, the worst first; a click goes there, hovering says the whole") {
    Opened at;
    at.document().set_marks({{LineMark::Kind::Hint, 1, 0, "every work-item computes the same", "naive"},
                             {LineMark::Kind::Error, 3, 6, "use of undeclared identifier 'xx'", "naive"}});
    at.driver.settle();
    CHECK(at.driver.at("source/mark/1").full.Min.y < at.driver.at("source/mark/0").full.Min.y);
    at.driver.click("source/mark/1");
    CHECK(at.buffer().caret() == Position{3, 6});
    CHECK(at.driver.at("source/text").active);
    at.driver.key(plain(Key::F8));
    CHECK(at.buffer().caret() == Position{1, 0});
    at.driver.key({.key = Key::F8, .shift = true});
    CHECK(at.buffer().caret() == Position{3, 6});

    const TextShare error = share_of(at.driver, {3, 7});
    at.driver.hover("source/text", error.x, error.y);
    CHECK(at.driver.at("source/text/tooltip").label == "use of undeclared identifier 'xx'");
    at.driver.hover("source/text", 0.01, share_of(at.driver, {1, 0}).y);
    CHECK(at.driver.at("source/text/tooltip").label == "every work-item computes the same");
    at.driver.hover("source/text", share_of(at.driver, {2, 5}).x, share_of(at.driver, {2, 5}).y);
    CHECK_FALSE(at.driver.has("source/text/tooltip"));
}

TEST_CASE("a finding elsewhere leads to its line, though it is far down") {
    std::string text;
    for (int i = 0; i < 400; ++i) text += "int a;\n";
    Opened at(text);
    at.program.state.revealed = {1, 1, 390};
    at.driver.settle();
    CHECK(at.buffer().caret() == Position{390, 0});
    at.driver.pump(40);
    at.driver.click_at("source/text", 0.3, 0.5);
    CHECK(at.buffer().caret().line > 370);
}

TEST_CASE("a message elsewhere leads to the column that it names") {
    Opened at;
    at.document().set_marks(
        {{LineMark::Kind::Hint, 1, 0, "slow", ""}, {LineMark::Kind::Error, 1, 25, "no", ""}});
    at.program.state.revealed = {1, 1, 1};
    at.driver.settle();
    CHECK(at.buffer().caret() == Position{1, 25});
    at.driver.key(ctrl(Key::Home));
    at.driver.settle();
    CHECK(at.buffer().caret() == Position{0, 0});  // the caret is moved only once
}

TEST_CASE("nothing overlaps, is cut or outside, whatever the panel shows") {
    for (const float scale : {1.0f, 1.5f})
        for (const gui::Theme theme : {gui::Theme::Dark, gui::Theme::Light})
            for (const std::pair<int, int>& size :
                 {std::pair{1024, 640}, {1600, 1000}, {2400, 1500}, {560, 480}}) {
                const int width = size.first, height = size.second;
                Opened at;
                at.program.open("a_kernel_with_a_rather_long_name.cl", "int b;\n", true);
                at.program.open("more/a.cl", "int c;\n");
                at.stage.resize(width, height);
                at.stage.look().set_scale(scale);
                at.stage.look().set_theme(theme);
                CAPTURE(width);
                CAPTURE(scale);
                const auto check = [&](const char* what) {
                    CAPTURE(what);
                    at.driver.settle();
                    for (const std::string& fault : check_layout(
                             at.stage.look().probes(), static_cast<float>(width), static_cast<float>(height)))
                        FAIL_CHECK(fault);
                };
                at.program.state.front = 1;
                check("text");
                at.document().set_marks(
                    {{LineMark::Kind::Hint, 1, 0, "every work-item computes the same value here", "naive"},
                     {LineMark::Kind::Error, 3, 6, "use of undeclared identifier 'xx'", "naive"}});
                check("marks");
                at.driver.key(ctrl(Key::F));
                at.driver.type("x");
                check("find bar");
                at.driver.key(plain(Key::Escape));
                at.driver.key(ctrl(Key::G));
                check("go to line");
                at.driver.key(plain(Key::Escape));
                at.edit();
                at.driver.click("source/close/1");
                check("question");
                at.driver.click("source/keep_open");
                at.program.folder.write("a.cl", "float theirs;\n");
                at.document().look_at_disk();
                check("changed on disk");
                at.driver.click("source/show_disk");
                check("differences to the file");
                at.driver.click("source/show_disk");
                at.program.state.beside = 2;
                check("side by side");
            }
}

}  // namespace
}  // namespace kwb::test
