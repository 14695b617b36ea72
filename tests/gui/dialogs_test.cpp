// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "experiment/profile_view.hpp"
#include "gui/desk_stage.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/dialogs/profile_dialog.hpp"
#include "gui/dialogs/saving.hpp"
#include "gui/gui_driver.hpp"
#include "gui/keys.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

// Questions before unsaved edits are lost, without a window.

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

TEST_CASE("a question's layout is intact at every size, with many long items") {
    DeskState state = make_state();
    QuestionDialog dialog;
    DeskProgram program(state, {}, [&](const DeskState&, Commands& c) { dialog.draw(c); });
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

// The list of keys, without a window.

TEST_CASE("every action has a key, and no key does two things in one place") {
    for (const KeyEntry& entry : key_table()) {
        CHECK_FALSE(entry.words.empty());
        CHECK_FALSE(keys_of(entry.action).empty());
        for (const KeyEntry& other : key_table()) {
            if (&entry == &other || entry.group != other.group) continue;
            for (const Chord& one : entry.chords())
                for (const Chord& two : other.chords()) CHECK(to_string(one) != to_string(two));
        }
    }
    CHECK(keys_of(Action::Run) == "F5");
    CHECK(keys_of(Action::SaveAs) == "Ctrl+Shift+S");
    CHECK(std::is_sorted(key_table().begin(), key_table().end(),
                         [](const KeyEntry& a, const KeyEntry& b) { return a.group < b.group; }));
}

TEST_CASE("an opened profile shows its timeline and tables until it is closed") {
    DeskState state = make_state();
    ProfileDialog dialog;
    bool is_closed = false;
    DeskProgram program{state, [](const DeskState&, Commands&) { button("stage/below", "Below"); },
                        [&](const DeskState& s, Commands& c) {
                            dialog.draw(s, c);
                            for (const Command& command : c)
                                is_closed =
                                    is_closed || std::holds_alternative<command::CloseProfile>(command);
                        }};
    WindowlessStage stage{1024, 640};
    GuiDriver driver{stage, program};
    CHECK_FALSE(driver.has("profile/title"));
    auto view = std::make_shared<ProfileView>();
    view->title = "Profile of ./program";
    XrayTable table{.title = "Kernels", .columns = {{.header = "kernel", .cells = {"scale"}}}};
    view->tables.push_back(table);
    state.profile = view;
    driver.settle();
    CHECK(driver.has("profile/title"));
    CHECK(driver.has("profile/no_timeline"));
    CHECK(driver.has("profile/table/0/title"));
    auto traced = std::make_shared<ProfileView>(*view);
    traced->rows = {{"queue 1", {{"scale", 0, 1}}}};
    state.profile = traced;
    driver.settle();
    CHECK_FALSE(driver.has("profile/no_timeline"));
    CHECK_FALSE(is_closed);
    driver.click("profile/close");
    CHECK(is_closed);
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

TEST_CASE("where the window has room the list of keys does not scroll") {
    KeysScene scene;
    scene.stage.resize(1440, 900);
    scene.dialog.open();
    scene.driver.settle();
    scene.driver.pump(3);
    std::size_t rows = key_table().size() + gesture_table().size();
    for (std::size_t row = 0; row < rows; ++row) {
        const Probed& words = scene.driver.at("keys/row/" + std::to_string(row) + "/words");
        CAPTURE(words.label);
        CHECK(words.visible);
        CHECK(words.rect.GetHeight() == words.full.GetHeight());
    }
}

TEST_CASE("the list of keys is intact at every size, and its end can be scrolled to") {
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

// Notices in the corner, without a window.

struct NoticeScene {
    DeskState state = make_state();
    std::string words;
    DeskProgram program{state,
                        [](const DeskState&, Commands&) { button("stage/below", "Below", {.width = -1}); },
                        [](const DeskState& s, Commands& c) { draw_notices(s, c); }};
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
    CHECK(scene.driver.at("notice/2").full.Min.y > scene.driver.at("notice/1").full.Max.y);
    CHECK(scene.driver.at("notice/2").full.Max.y <= 640 - scene.stage.look().tokens().status_height);
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

TEST_CASE("more notices than there is room for scroll, the newest first, and all can be dismissed") {
    NoticeScene scene(30);
    CHECK(scene.driver.at("notice/30").visible);
    CHECK_FALSE(scene.driver.at("notice/1").visible);
    CHECK(scene.driver.at("notice/30").rect.Min.y > 640 * 0.4);
    scene.driver.wheel("notice/30/sentence", 100);
    CHECK(scene.driver.at("notice/count").label == "30 notices");
    scene.driver.click("notice/all");
    CHECK(scene.state.notices.empty());
}

TEST_CASE("a new notice does not take the focus") {
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

TEST_CASE("the notices' layout is intact at every size, also with a very long sentence") {
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
