// The list of keys, without any window.
#include <doctest/doctest.h>

#include "gui/desk_stage.hpp"
#include "gui/dialogs/keys_dialog.hpp"
#include "gui/gui_driver.hpp"
#include "gui/keys.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

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
        CHECK(words.rect.height() == words.full.height());
    }
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

}  // namespace
}  // namespace kwb::test
