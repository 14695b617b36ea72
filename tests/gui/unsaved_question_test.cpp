// What is asked before edits would be lost, without any window.
#include <doctest/doctest.h>

#include "gui/desk_stage.hpp"
#include "gui/dialogs/saving.hpp"
#include "gui/gui_driver.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

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

}  // namespace
}  // namespace kwb::test
