// The dialogs and notices on hand-made states, without any window. Folders are real ones.
#include <doctest/doctest.h>

#include <algorithm>

#include "gui/desk_stage.hpp"
#include "gui/dialogs/file_dialog.hpp"
#include "gui/dialogs/keys_dialog.hpp"
#include "gui/dialogs/notices.hpp"
#include "gui/dialogs/unsaved_question.hpp"
#include "gui/gui_driver.hpp"
#include "gui/key_table.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Purpose = FolderListing::Purpose;

/// A file dialog over a real folder, with a desk that does nothing but list folders.
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
    /// As a panel asks: the commands go the same way.
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

TEST_CASE("the list shows folders, then files of the wanted kind, in the order of people") {
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

TEST_CASE("Enter on a folder goes into it, Backspace and the button Up go back, crumbs and places lead on") {
    FileScene scene;
    scene.open();
    scene.driver.key(plain(Key::Down));
    scene.driver.key(plain(Key::Enter));
    CHECK(scene.state.dialog->folder == scene.folder / "lessons");
    scene.driver.key(plain(Key::Backspace));
    CHECK(scene.state.dialog->folder == scene.folder.path());
    scene.driver.click("files/up");
    CHECK(scene.state.dialog->folder == scene.folder.path().parent_path());
    scene.driver.click("files/crumb/0");
    CHECK(scene.state.dialog->folder == "/");
    CHECK_FALSE(scene.driver.at("files/up").enabled);
    scene.driver.click("files/place/0");
    CHECK(scene.state.dialog->folder == scene.state.dialog->places[0]);
}

TEST_CASE("several files are opened at once: Ctrl adds one, Shift all up to there") {
    FileScene scene;
    scene.open();
    scene.driver.click("files/row/1");
    inject_modifiers(true, false, false);
    scene.driver.click("files/row/2");
    inject_modifiers(false, false, false);
    CHECK(scene.driver.at("files/message").label == "2 files chosen.");
    scene.driver.click("files/ok");
    CHECK(scene.opened() == std::vector{scene.folder / "naive.cl", scene.folder / "tiled.cl"});
    scene.open();
    scene.driver.click("files/row/1");
    inject_modifiers(false, true, false);
    scene.driver.click("files/row/2");
    inject_modifiers(false, false, false);
    scene.driver.click("files/ok");
    CHECK(scene.opened().size() == 2);
}

TEST_CASE("a typed path leads to a folder, or opens a file; a wrong one is answered with a sentence") {
    FileScene scene;
    scene.open();
    const auto type_path = [&](const std::string& path) {
        scene.driver.key(ctrl(Key::L));
        scene.driver.settle();
        scene.driver.key(ctrl(Key::A));
        scene.driver.type(path);
        scene.driver.key(plain(Key::Enter));
        scene.driver.settle();
    };
    type_path((scene.folder / "lessons").string());
    CHECK(scene.state.dialog->folder == scene.folder / "lessons");
    type_path("nowhere");
    CHECK(scene.driver.has("files/error/title"));
    scene.driver.click("files/up");
    type_path("absent.cl");
    CHECK(scene.driver.at("files/message").label.starts_with("absent.cl is not in this folder"));
    CHECK(scene.opened().empty());
    scene.driver.click("files/type_path");
    CHECK(scene.driver.has("files/path"));
    scene.driver.click("files/type_path");
    CHECK_FALSE(scene.driver.has("files/path"));
    type_path("../tiled.cl");
    CHECK(scene.opened() == std::vector{scene.folder / "tiled.cl"});
}

TEST_CASE("hidden files are shown and left out again") {
    FileScene scene;
    scene.open();
    scene.driver.click("files/hidden");
    CHECK(scene.rows() == 4);
    scene.driver.key(ctrl(Key::H));
    CHECK(scene.rows() == 3);
}

TEST_CASE("a click on a column sorts by it, another one the other way round, folders always first") {
    FileScene scene;
    scene.open();
    scene.driver.click("files/head/size");
    CHECK(scene.shown(0).ends_with("lessons"));
    CHECK(scene.shown(1).ends_with("tiled.cl"));
    scene.driver.click("files/head/size");
    CHECK(scene.shown(1).ends_with("naive.cl"));
    scene.driver.click("files/head/name");
    CHECK(scene.shown(1).ends_with("naive.cl"));
    scene.driver.click("files/head/name");
    CHECK(scene.shown(1).ends_with("tiled.cl"));
    using std::filesystem::last_write_time;
    last_write_time(scene.folder / "tiled.cl",
                    last_write_time(scene.folder / "naive.cl") - std::chrono::hours(1));
    scene.open();
    scene.driver.click("files/head/changed");  // the newest first
    CHECK(scene.shown(1).ends_with("naive.cl"));
    scene.driver.click("files/head/changed");
    CHECK(scene.shown(1).ends_with("tiled.cl"));
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
        scene.driver.key(plain(Key::Escape));  // the question's, not the dialog's
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

TEST_CASE("somebody else who opened the dialog gets the answer") {
    FileScene scene;
    std::filesystem::path taken;
    scene.dialog.add_taker({[](const FolderListing& listing) { return listing.name == "chart.png"; },
                            [&](const std::filesystem::path& path, Commands& commands) {
                                taken = path;
                                commands.emplace_back(command::CloseDialog{});
                            }});
    scene.list(scene.folder.path(), Purpose::ExportFile, false, {".png"}, "chart.png");
    scene.driver.settle();
    scene.driver.click("files/ok");
    scene.driver.settle();
    CHECK(taken == scene.folder / "chart.png");
    CHECK_FALSE(scene.state.dialog.has_value());
}

TEST_CASE("the file dialog's layout stands at every size, with long names, many files and none") {
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

// Keys.

TEST_CASE("every action has a key, and no key does two things in one place") {
    for (const KeyEntry& entry : key_table()) {
        CHECK_FALSE(entry.words.empty());
        CHECK_FALSE(keys_of(entry.action).empty());
        for (const KeyEntry& other : key_table()) {
            if (&entry == &other || entry.group != other.group) continue;
            for (const Chord& one : entry.chords)
                for (const Chord& two : other.chords) CHECK(to_string(one) != to_string(two));
        }
    }
    CHECK(keys_of(Action::Run) == "F5");
    CHECK(keys_of(Action::SaveAs) == "Ctrl+Shift+S");
    CHECK(std::is_sorted(key_table().begin(), key_table().end(),
                         [](const KeyEntry& a, const KeyEntry& b) { return a.group < b.group; }));
}

struct KeysScene {
    DeskState state = make_state();
    KeysDialog dialog;
    DeskProgram program{state, [](const DeskState&, Commands&) { button("stage/below", "Below"); },
                        [this](const DeskState& s, Commands& c) { dialog.draw(s, c); }};
    WindowlessStage stage{1024, 640};
    GuiDriver driver{stage, program};
};

TEST_CASE("F1 lists every key; F1, Escape and the button close the list") {
    KeysScene scene;
    CHECK_FALSE(scene.driver.has("keys/title"));
    const auto close_by = [&](const auto& act) {
        scene.driver.key(plain(Key::F1));
        CHECK(scene.driver.has("keys/title"));
        CHECK_THROWS_AS(scene.driver.click("stage/below"), CannotAct);
        act();
        CHECK_FALSE(scene.driver.has("keys/title"));
        CHECK_FALSE(scene.dialog.is_open());
    };
    close_by([&] { scene.driver.key(plain(Key::F1)); });
    close_by([&] { scene.driver.key(plain(Key::Escape)); });
    close_by([&] { scene.driver.click("keys/close"); });
    scene.dialog.open();
    scene.driver.settle();
    std::size_t rows = 0;
    while (scene.driver.has("keys/row/" + std::to_string(rows) + "/keys")) ++rows;
    CHECK(rows == key_table().size() + gesture_table().size());
}

TEST_CASE("the list of keys stands at every size, and its end can be scrolled to") {
    KeysScene scene;
    scene.dialog.open();
    at_every_size(scene.stage, [&](int width, int height, float scale) {
        scene.driver.settle();
        CAPTURE(width);
        CAPTURE(scale);
        for (const std::string& fault :
             check_layout(scene.stage.look().probes(), static_cast<float>(width), static_cast<float>(height)))
            FAIL_CHECK(fault);
    });
}

// Questions.

std::shared_ptr<Document> open_edited(const std::filesystem::path& path, DocumentId id) {
    auto document = std::make_shared<Document>(id, path, false);
    document->buffer().type("// edited ");
    return document;
}

struct UnsavedScene {
    TempFolder folder;
    DeskState state = make_state();
    UnsavedQuestion question;
    DeskProgram program{state, [](const DeskState&, Commands&) {},
                        [this](const DeskState& s, Commands& c) { question.draw(s, c); }};
    WindowlessStage stage{1024, 640};
    GuiDriver driver{stage, program};

    UnsavedScene() {
        state.documents = {open_edited(folder.write("one.cl", "kernel"), 1),
                           open_edited(folder.write("two.cl", "kernel"), 2),
                           std::make_shared<Document>(3, folder.write("three.cl", "kernel"), false)};
        program.perform = [this](const Command& command) {
            if (const auto* save = std::get_if<command::SaveDocument>(&command))
                for (const auto& document : state.documents)
                    if (document->id() == save->document) document->save(save->over_changes);
        };
    }
};

TEST_CASE("a window without edits closes at once") {
    UnsavedQuestion question;
    const DeskState state = make_state();
    CHECK(question.may_close(state));
}

TEST_CASE("unsaved documents are named before the window closes; Cancel and Escape stay") {
    UnsavedScene scene;
    CHECK_FALSE(scene.question.may_close(scene.state));
    scene.driver.settle();
    CHECK(scene.driver.at("question/item/0").label == "one.cl");
    CHECK(scene.driver.at("question/item/1").label == "two.cl");
    CHECK_FALSE(scene.driver.has("question/item/2"));
    scene.driver.click("question/cancel");
    CHECK_FALSE(scene.driver.has("question/cancel"));
    CHECK_FALSE(scene.question.wants_to_close());
    CHECK_FALSE(scene.question.may_close(scene.state));
    scene.driver.settle();
    scene.driver.key(plain(Key::Escape));
    CHECK_FALSE(scene.driver.has("question/cancel"));
    CHECK_FALSE(scene.question.wants_to_close());
    CHECK(scene.program.commands.empty());
}

TEST_CASE("Save all saves what is edited and closes; Enter does it too") {
    UnsavedScene scene;
    CHECK_FALSE(scene.question.may_close(scene.state));
    scene.driver.settle();
    scene.driver.key(plain(Key::Enter));
    CHECK(scene.program.all<command::SaveDocument>().size() == 2);
    CHECK(scene.question.wants_to_close());
    CHECK(read_text(scene.folder / "one.cl").starts_with("// edited"));
}

TEST_CASE("what cannot be saved keeps the window open, with the reason") {
    UnsavedScene scene;
    scene.folder.write("two.cl", "somebody else wrote this");
    CHECK_FALSE(scene.question.may_close(scene.state));
    scene.driver.settle();
    scene.driver.click("question/save");
    scene.driver.settle();
    CHECK_FALSE(scene.question.wants_to_close());
    CHECK(scene.driver.at("question/title").label.ends_with("Not everything could be saved"));
    CHECK(scene.driver.at("question/item/0").label.starts_with("two.cl: "));
    CHECK_FALSE(scene.driver.has("question/item/1"));
    CHECK(read_text(scene.folder / "two.cl") == "somebody else wrote this");
    scene.driver.click("question/discard");
    CHECK(scene.question.wants_to_close());
}

TEST_CASE("a question's layout stands at every size, with many long items") {
    DeskState state = make_state();
    QuestionDialog dialog;
    DeskProgram program(state, {}, [&](const DeskState& s, Commands& c) { dialog.draw(s, c); });
    WindowlessStage stage;
    GuiDriver driver(stage, program);
    Question question = confirm("Replace a_file_with_a_very_long_name_that_goes_on_and_on_and_on.json?",
                                std::string(40, 'x') + " and then some more words, so that it wraps.",
                                "Replace", kIconSave, {});
    question.items = std::vector<std::string>(12, "a kernel with quite a long name: " + std::string(80, 'y'));
    dialog.ask(question);
    at_every_size(stage, [&](int width, int height, float) {
        driver.settle();
        CHECK(driver.has("question/yes"));
        for (const std::string& fault :
             check_layout(stage.look().probes(), static_cast<float>(width), static_cast<float>(height)))
            FAIL_CHECK(fault);
    });
}

// Notices.

struct NoticeScene {
    DeskState state = make_state();
    Notices notices;
    std::string words;
    DeskProgram program{
        state, [this](const DeskState&, Commands&) { button("stage/below", "Below", {.width = -1}); },
        [this](const DeskState& s, Commands& c) { notices.draw(s, c); }};
    WindowlessStage stage{1024, 640};
    GuiDriver driver{stage, program};

    explicit NoticeScene(int count) {
        using Kind = Notice::Kind;
        const Kind kinds[] = {Kind::Information, Kind::Warning, Kind::Error};
        for (int i = 1; i <= count; ++i)
            state.notices.push_back({kinds[i % 3], static_cast<std::uint64_t>(i),
                                     "Something happened to file number " + std::to_string(i) +
                                         " that a person should know; go to another folder."});
        program.perform = [this](const Command& command) {
            if (const auto* dismiss = std::get_if<command::DismissNotice>(&command))
                std::erase_if(state.notices,
                              [&](const Notice& notice) { return notice.number == dismiss->number; });
        };
        driver.settle();
    }
};

TEST_CASE("the newest notice is at the bottom, none covers the status bar, and the × dismisses one") {
    NoticeScene scene(2);
    CHECK(scene.driver.at("notice/2").full.min_y > scene.driver.at("notice/1").full.max_y);
    CHECK(scene.driver.at("notice/2").full.max_y <= 640 - scene.stage.look().tokens().status_height);
    CHECK(scene.driver.at("notice/2/sentence").label == scene.state.notices[1].sentence);
    scene.driver.click("notice/1/dismiss");
    REQUIRE(scene.state.notices.size() == 1);
    CHECK(scene.state.notices[0].number == 2);
}

TEST_CASE("Escape dismisses the newest notice, but not while something runs") {
    NoticeScene scene(2);
    auto running = std::make_shared<Snapshot>();
    running->phase = Snapshot::Phase::Running;
    scene.state.session = running;
    scene.driver.key(plain(Key::Escape));
    CHECK(scene.state.notices.size() == 2);
    scene.state.session = std::make_shared<Snapshot>();
    scene.driver.key(plain(Key::Escape));
    REQUIRE(scene.state.notices.size() == 1);
    CHECK(scene.state.notices[0].number == 1);
}

TEST_CASE("more notices than there is room for are counted, and all can be dismissed") {
    NoticeScene scene(30);
    CHECK(scene.driver.has("notice/30"));
    CHECK_FALSE(scene.driver.has("notice/1"));
    CHECK(scene.driver.at("notice/more").label.starts_with("and "));
    CHECK(scene.driver.at("notice/more").full.min_y > 640 * 0.4);
    scene.driver.click("notice/all");
    CHECK(scene.state.notices.empty());
}

TEST_CASE("a new notice takes the keyboard from nobody") {
    NoticeScene scene(0);
    scene.driver.click("stage/below");
    scene.driver.key(plain(Key::Down));
    scene.driver.key(plain(Key::Up));
    REQUIRE(scene.driver.at("stage/below").focused);
    scene.state.notices.push_back({Notice::Kind::Error, 5, "The disk is full; free some space."});
    scene.driver.settle();
    CHECK(scene.driver.has("notice/5"));
    CHECK(scene.driver.at("stage/below").focused);
}

TEST_CASE("the notices' layout stands at every size, also with a very long sentence") {
    NoticeScene scene(9);
    at_every_size(scene.stage, [&](int width, int height, float scale) {
        for (const std::size_t length : {std::size_t{10}, std::size_t{3000}}) {
            scene.state.notices.back().sentence.clear();
            while (scene.state.notices.back().sentence.size() < length)
                scene.state.notices.back().sentence += "words and more ";
            scene.driver.settle();
            CAPTURE(width);
            CAPTURE(scale);
            CAPTURE(length);
            for (const std::string& fault : check_layout(
                     scene.stage.look().probes(), static_cast<float>(width), static_cast<float>(height)))
                FAIL_CHECK(fault);
        }
    });
}

}  // namespace
}  // namespace kwb::test
