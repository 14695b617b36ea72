// SPDX-License-Identifier: Apache-2.0
// Input that begins and ends between two frames, so that none is lost.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

#include "gui/gui_driver.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/input_queue.hpp"
#include "gui/sketch.hpp"
#include "gui/widgets.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

constexpr Key kControl{341}, kShift{340};

/// A text field and two buttons, and a record of their events.
class Person {
public:
    Person() {
#if IMGUI_VERSION_NUM >= 18700
        ImGui::GetIO().ConfigInputTrickleEventQueue = false;  // the queue already distributes the events
#endif
        driver_.click("sketch/words");
    }

    /// Draw the minimum number of frames that the queue needs. @return  that number
    int draw() {
        int frames = 0;
        do {
            queue.apply();
            driver_.pump();
            ++frames;
            REQUIRE(frames < 1000);
        } while (queue.waits());
        queue.apply();
        driver_.pump();
        return frames;
    }
    void tap(Key key) {
        queue.key(key, true);
        queue.key(key, false);
    }
    void chord(Key held, Key key) {
        queue.key(held, true);
        tap(key);
        queue.key(held, false);
    }
    void type(std::string_view letters) {
        for (const char letter : letters) {
            const Key key{letter - 'a' + static_cast<int>(Key::A)};
            queue.key(key, true);
            queue.character(static_cast<unsigned>(letter));
            queue.key(key, false);
        }
    }
    void click(double at_s) {
        queue.button(0, true, at_s);
        queue.button(0, false, at_s);
    }
    void point_at(std::string_view id) {
        const ImRect rect = driver_.at(id).rect;
        queue.pointer((rect.Min.x + rect.Max.x) / 2, (rect.Min.y + rect.Max.y) / 2);
    }
    std::string words() const {
        return words_.data();
    }

    InputQueue queue;
    int saves = 0, closes = 0, plain_saves = 0, first = 0, second = 0, double_clicks = 0;
    std::string saved;

private:
    void body() {
        if (pressed(ctrl(Key::S))) {
            ++saves;
            saved = words();
        }
        closes += pressed(plain(Key::Escape));
        plain_saves += pressed(plain(Key::F5));
        ImGui::InputText("##words", words_.data(), words_.size());
        probe("sketch/words");
        first += button("sketch/first", "First");
        second += button("sketch/second", "Second");
        double_clicks += ImGui::IsMouseDoubleClicked(0);
    }

    std::array<char, 256> words_{};
    Sketch sketch_{[this] { body(); }};
    WindowlessStage stage_{400, 300};
    GuiDriver driver_{stage_, sketch_};
};

TEST_CASE("twenty quick Backspaces take twenty letters away") {
    Person person;
    person.type("abcdefghijklmnopqrstuvwxyz");
    person.draw();
    REQUIRE(person.words().size() == 26);
    for (int i = 0; i < 20; ++i) person.tap(Key::Backspace);
    CHECK(person.draw() <= 41);
    CHECK(person.words() == "abcdef");
}

TEST_CASE("a chord that goes down and up between two frames is pressed once, with the text before it") {
    Person person;
    person.type("ab");
    person.chord(kControl, Key::S);
    person.type("c");
    person.draw();
    CHECK(person.saves == 1);
    CHECK(person.saved == "ab");
    CHECK(person.words() == "abc");
    person.chord(kControl, Key::S);
    person.chord(kControl, Key::S);
    CHECK(person.draw() <= 5);
    CHECK(person.saves == 3);
}

TEST_CASE("letters and keys that act keep their order") {
    Person person;
    person.type("ab");
    person.tap(Key::Backspace);
    person.type("c");
    person.tap(Key::Home);
    person.tap(Key::Delete);
    person.type("d");
    person.draw();
    CHECK(person.words() == "dc");
    person.chord(kControl, Key::A);
    person.type("e");
    person.draw();
    CHECK(person.words() == "e");
}

TEST_CASE("text without a key press of its own comes after the key before it") {
    Person person;
    person.type("ab");
    person.draw();
    person.tap(Key::Backspace);
    person.queue.character('c');  // from an input method, which reports no key
    person.draw();
    CHECK(person.words() == "ac");
}

TEST_CASE("a modifier that comes after a key does not change it") {
    Person person;
    person.tap(Key::F5);
    person.queue.key(kShift, true);
    person.queue.key(kShift, false);
    person.chord(kShift, Key::F5);
    person.tap(Key::Escape);
    person.draw();
    CHECK(person.plain_saves == 1);
    CHECK(person.closes == 1);
}

TEST_CASE("a click reaches what was under the pointer then, though it has moved on") {
    Person person;
    person.point_at("sketch/first");
    person.click(1);
    person.point_at("sketch/second");
    person.click(2);
    person.click(3);
    person.point_at("sketch/words");
    person.draw();
    CHECK(person.first == 1);
    CHECK(person.second == 2);
}

TEST_CASE("two quick clicks are a double click, however late the frames") {
    Person person;
    person.point_at("sketch/first");
    person.click(10.0);
    person.click(10.1);
    person.draw();
    CHECK(person.double_clicks == 1);
    // The same with clicks in frames that are a second apart.
    person.click(20.0);
    person.draw();
    for (int i = 0; i < 60; ++i) person.draw();
    person.click(20.1);
    person.draw();
    CHECK(person.double_clicks == 2);
}

TEST_CASE("two queued clicks are no double click if they were far apart") {
    Person person;
    person.point_at("sketch/first");
    person.click(10);
    person.click(11);
    person.draw();
    CHECK(person.double_clicks == 0);
    CHECK(person.first == 2);
}

TEST_CASE("a long pointer movement takes one frame") {
    Person person;
    for (int i = 0; i < 500; ++i) person.queue.pointer(static_cast<float>(i % 200), 50);
    CHECK(person.draw() == 1);
}

}  // namespace
}  // namespace kwb::test
