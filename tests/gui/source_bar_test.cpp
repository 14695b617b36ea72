// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "gui/source_stage.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using editor::Position;

// The bar above the source: find, replace, go to line.

TEST_CASE("Escape closes the find bar, and then the comparison, wherever the keyboard is") {
    Opened at;
    at.driver.click("source/find");
    REQUIRE(at.driver.has("source/bar/needle"));
    at.driver.key(plain(Key::Escape));
    at.driver.settle();
    CHECK_FALSE(at.driver.has("source/bar/needle"));
    at.driver.click("source/find");
    at.driver.click("source/tab/1");
    at.driver.key(plain(Key::Escape));
    at.driver.settle();
    at.driver.key(plain(Key::Escape));
    at.driver.settle();
    CHECK_FALSE(at.driver.has("source/bar/needle"));
    at.program.open("b.cl", "int b;\n");
    at.program.state.beside = 1;
    at.driver.settle();
    REQUIRE(at.driver.has("source/diff/end"));
    at.driver.key(plain(Key::Escape));
    at.driver.settle();
    CHECK_FALSE(at.driver.has("source/diff/end"));
}

TEST_CASE("Ctrl+F finds while one types, Enter and F3 go on, Escape goes back into the text") {
    Opened at;
    at.driver.key(ctrl(Key::F));
    at.driver.type("x");
    CHECK(at.driver.at("source/bar/count").label == "1 of 6");  // x, x, X, X, two in xx; no overlaps
    CHECK(at.buffer().selected() == editor::TextRange{{0, 16}, {0, 17}});
    at.driver.key(plain(Key::Enter));
    CHECK(at.driver.at("source/bar/count").label == "2 of 6");
    at.driver.key(plain(Key::F3));
    CHECK(at.driver.at("source/bar/count").label == "3 of 6");
    at.driver.key({.key = Key::F3, .shift = true});
    CHECK(at.driver.at("source/bar/count").label == "2 of 6");
    at.driver.click("source/bar/case");
    CHECK(at.driver.at("source/bar/count").label.ends_with("of 4"));
    at.driver.click("source/bar/word");
    CHECK(at.driver.at("source/bar/count").label.ends_with("of 2"));
    at.driver.click("source/bar/needle");
    at.driver.type("y");
    CHECK(at.driver.at("source/bar/count").label == "not found");
    CHECK_FALSE(at.driver.at("source/bar/next").enabled);
    at.driver.key(plain(Key::Escape));
    CHECK_FALSE(at.driver.has("source/bar/needle"));
    CHECK(at.driver.at("source/text").active);
    CHECK(at.buffer().text() == kSourceText);
}

TEST_CASE("what is selected is what is looked for; Escape in the text closes the bar first") {
    Opened at;
    at.buffer().select({{0, 6}, {0, 9}});
    at.driver.key(ctrl(Key::F));
    CHECK(at.driver.at("source/bar/count").label == "1 of 2");
    at.driver.click("source/text");
    at.driver.key(plain(Key::Escape));
    CHECK_FALSE(at.driver.has("source/bar/needle"));
    CHECK(at.driver.at("source/text").active);
    at.driver.key(plain(Key::Escape));
    CHECK_FALSE(at.driver.at("source/text").active);
}

TEST_CASE("Escape closes the bar also where the keyboard is on another button of the panel") {
    Opened at;
    at.driver.key(ctrl(Key::F));
    at.driver.type("x");
    at.driver.click("source/bar/next");
    at.driver.key(plain(Key::Escape));
    CHECK_FALSE(at.driver.has("source/bar/needle"));
    CHECK(at.driver.at("source/text").active);
}

TEST_CASE("one occurrence is replaced, or all, which Ctrl+Z takes back at once") {
    Opened at;
    at.driver.key(ctrl(Key::F));
    at.driver.type("float");
    CHECK(at.driver.at("source/bar/close").rect.Min.y == at.driver.at("source/bar/needle").rect.Min.y);
    at.driver.key(plain(Key::Tab));
    at.driver.type("int");
    at.driver.click("source/bar/replace");
    CHECK(at.buffer().line(0) == "int one(float x) { return x; }");
    at.driver.click("source/bar/replace_all");
    CHECK(at.buffer().text().find("float") == std::string::npos);
    CHECK(at.program.count<command::Edited>() == 2);
    at.driver.click("source/text");
    at.driver.key(ctrl(Key::Z));
    CHECK(at.buffer().line(0) == "int one(float x) { return x; }");
    CHECK(at.buffer().line(3) == "float xx = 1;");
}

TEST_CASE("Ctrl+G goes to a line, and says which there are") {
    Opened at;
    at.driver.key(ctrl(Key::G));
    at.driver.type("99");
    at.driver.key(plain(Key::Enter));
    CHECK(at.driver.at("source/bar/count").label == "There are lines 1 to 5");
    at.driver.key(plain(Key::Backspace));
    at.driver.key(plain(Key::Backspace));
    at.driver.type("4");
    at.driver.key(plain(Key::Enter));
    CHECK(at.buffer().caret() == Position{3, 0});
    CHECK(at.driver.at("source/text").active);
    CHECK(at.driver.at("source/position").label.starts_with("Line 4, column 1"));
}

// Comparison of two sources side by side.

TEST_CASE("two sources stand side by side with their differences, and both scroll together") {
    std::string left, right;
    for (int i = 0; i < 200; ++i) {
        left += "int a" + std::to_string(i) + ";\n";
        right += i == 3 ? "int other;\nint added;\n" : i == 150 ? "" : "int a" + std::to_string(i) + ";\n";
    }
    Opened at(left);
    at.program.open("b.cl", right);
    at.driver.settle();
    at.driver.click("source/tab/1");
    at.driver.click("source/compare");
    at.driver.click("source/compare/2");
    CHECK(at.program.state.beside == DocumentId{2});
    CHECK(at.driver.at("source/diff/count").label == "2 differences");
    CHECK(at.driver.at("source/diff/left").label == "a.cl");
    CHECK(at.driver.at("source/diff/right").label == "b.cl");
    at.driver.click("source/diff/next");
    at.driver.key(plain(Key::F8));
    at.driver.wheel("source/diff", 100);
    at.driver.click("source/diff/end");
    CHECK_FALSE(at.program.state.beside.has_value());
    CHECK(at.driver.at("source/text").active);
}

TEST_CASE("a comparison steps from difference to difference and around") {
    std::vector<std::string> left, right;
    for (int i = 0; i < 300; ++i) {
        left.push_back("int a" + std::to_string(i) + ";");
        right.push_back(i % 100 == 50 ? "float b;" : left.back());
    }
    DiffView view;
    struct Showing : Program {
        explicit Showing(DiffView& shown) : view(shown) {}
        void draw() override {
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
            ImGui::Begin(window, nullptr, ImGuiWindowFlags_NoDecoration);
            view.draw("diff", "left", "right", ImGui::GetContentRegionAvail());
            ImGui::End();
        }
        DiffView& view;
        const char* window = "w";
    } showing(view);
    WindowlessStage stage(800, 400);
    const DiffView::Texts texts{1, 1, 2, 1};
    CHECK_FALSE(view.holds(texts));
    view.compare(texts, left, right);
    CHECK(view.holds(texts));
    GuiDriver driver(stage, showing);
    CHECK(view.difference_count() == 3);
    const auto shows = [&](std::size_t row) {
        driver.settle();
        return view.first_visible_row() <= row && row < view.first_visible_row() + 20;
    };
    CHECK(shows(50));
    view.step(+1);
    view.step(+1);
    CHECK(shows(150));
    view.step(+1);
    CHECK(shows(250));
    view.step(+1);
    CHECK(shows(50));
    view.step(-1);
    CHECK(shows(250));
    // In another area of the window and at another scale, as for an audience, the same rows are seen.
    showing.window = "other";
    stage.look().set_scale(1.4f);
    CHECK(shows(250));
    driver.wheel("diff", 200);
    CHECK(view.first_visible_row() == 0);
    // The row stays at a quarter of the height, not where the top row was.
    stage.look().set_scale(1);
    stage.resize(800, 1200);
    driver.settle();
    view.step(-1);
    driver.settle();
    const std::size_t first = view.first_visible_row();
    stage.look().set_scale(2);
    driver.settle();
    CHECK(view.first_visible_row() > first + 4);
    CHECK(shows(150));
}

}  // namespace
}  // namespace kwb::test
