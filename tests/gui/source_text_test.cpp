// SPDX-License-Identifier: Apache-2.0
// Mouse and keyboard operations in the source text.
#include <doctest/doctest.h>

#include "gui/code_line.hpp"
#include "gui/contrast.hpp"
#include "gui/sketch.hpp"
#include "gui/source_stage.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using editor::Position;
using editor::Selection;

constexpr std::string_view kText =
    "__kernel void copy(__global float* a) {\n"
    "    int i = get_global_id(0);\n"
    "    a[i] = 2.0f;\n"
    "}\n";

std::string numbered_lines(int count) {
    std::string text;
    for (int i = 1; i <= count; ++i)
        text += "int a" + std::to_string(i) + " = " + std::to_string(i) + ";  // line\n";
    return text;
}

/// A document in the front tab, with keyboard focus in its text and the caret at its start.
struct Editing {
    explicit Editing(std::string_view text = kText) {
        program.open("copy.cl", text);
        driver.settle();
        program.panel.take_keyboard();
        driver.settle();
    }
    editor::TextBuffer& buffer() { return program.state.documents.front()->buffer(); }
    void press_at(Position position, int times = 1) {
        driver.pump(40);  // keeps this from becoming a double click with an earlier one
        const TextShare at = share_of(driver, position);
        for (int i = 0; i < times; ++i) driver.click_at("source/text", at.x, at.y);
    }

    WindowlessStage stage{1024, 640};
    SourceProgram program;
    GuiDriver driver{stage, program};
};

TEST_CASE("what is typed is in the text at once, and the desk is told") {
    Editing at;
    at.driver.type("// h\u00e9 \u2200");
    at.driver.key(plain(Key::Enter));
    CHECK(at.buffer().line(0) == "// h\u00e9 \u2200");
    CHECK(at.buffer().caret() == Position{1, 0});
    CHECK(at.program.count<command::Edited>() == 7 + 1);
    CHECK(at.buffer().is_modified());
    at.driver.key(ctrl(Key::Z));
    at.driver.key(ctrl(Key::Z));
    CHECK(at.buffer().text() == kText);
    CHECK_FALSE(at.buffer().is_modified());
    at.driver.key(ctrl(Key::Y));
    CHECK(at.buffer().line(0).starts_with("// h"));
    at.driver.key(ctrl(Key::Z));
    at.driver.key(ctrl_shift(Key::Z));
    CHECK(at.buffer().line(0).starts_with("// h"));
}

TEST_CASE("a letter is drawn in the very frame in which it arrives") {
    Editing at;
    inject_character('x');
    at.driver.pump();
    CHECK(at.buffer().line(0).starts_with("x__kernel"));
    CHECK(at.program.document(1).colors().line_count() == at.buffer().line_count());
}

TEST_CASE("the keys of every editor move the caret and select") {
    Editing at;
    const auto goes_to = [&](const Chord& chord, Position caret) {
        CAPTURE(to_string(chord));
        at.driver.key(chord);
        CHECK(at.buffer().caret() == caret);
    };
    goes_to(plain(Key::Right), {0, 1});
    goes_to(plain(Key::Left), {0, 0});
    goes_to(plain(Key::Down), {1, 0});
    goes_to(plain(Key::Home), {1, 4});
    goes_to(plain(Key::End), {1, 29});
    goes_to(plain(Key::Up), {0, 29});
    goes_to(ctrl(Key::Home), {0, 0});
    goes_to(ctrl(Key::Right), {0, 9});
    goes_to(ctrl(Key::Left), {0, 0});
    goes_to(ctrl(Key::End), {4, 0});
    goes_to(plain(Key::PageUp), {0, 0});
    goes_to(plain(Key::PageDown), {4, 0});
    CHECK_FALSE(at.buffer().has_selection());
    at.driver.key(ctrl(Key::Home));
    goes_to(ctrl_shift(Key::Right), {0, 9});
    goes_to(shift(Key::Down), {1, 9});
    CHECK(at.buffer().selection() == Selection{{0, 0}, {1, 9}});
    at.driver.key(ctrl(Key::A));
    CHECK(at.buffer().selected_text() == kText);
}

TEST_CASE("lines are doubled, deleted, moved, commented and indented by their chords") {
    Editing at("one\ntwo\nthree\n");
    const auto makes = [&](const Chord& chord, const std::string& text) {
        CAPTURE(to_string(chord));
        at.driver.key(chord);
        CHECK(at.buffer().text() == text);
    };
    makes(ctrl(Key::D), "one\none\ntwo\nthree\n");
    makes(ctrl_shift(Key::K), "one\ntwo\nthree\n");
    makes(alt(Key::Up), "two\none\nthree\n");
    makes(alt(Key::Down), "one\ntwo\nthree\n");
    makes(ctrl(Key::Slash), "one\n// two\nthree\n");
    makes(ctrl(Key::Slash), "one\ntwo\nthree\n");
    at.driver.key(plain(Key::Home));
    makes(plain(Key::Tab), "one\n    two\nthree\n");
    makes(shift(Key::Tab), "one\ntwo\nthree\n");
    makes(plain(Key::Delete), "one\nwo\nthree\n");
    makes(plain(Key::Backspace), "onewo\nthree\n");
    makes(ctrl(Key::Backspace), "wo\nthree\n");
    makes(ctrl(Key::Delete), "\nthree\n");
    CHECK(at.stage.look().probes().find("source/text")->active);  // Alt and Tab did not take the focus away
}

TEST_CASE("Tab selects the next blank of an exercise, and indents an empty line") {
    Editing at("// a blank is ____\nint n = ____;\nint ____x;\n\nreturn ____;\n");
    const auto goes_to = [&](const Chord& chord, Selection selection) {
        CAPTURE(to_string(chord));
        at.driver.key(chord);
        CHECK(at.buffer().selection() == selection);
    };
    const Selection first = {{1, 8}, {1, 12}}, last = {{4, 7}, {4, 11}};
    goes_to(plain(Key::Tab), first);  // not in a comment
    goes_to(plain(Key::Tab), last);   // not a part of a word
    goes_to(plain(Key::Tab), first);
    goes_to(shift(Key::Tab), last);
    at.driver.type("n");
    goes_to(plain(Key::Tab), first);
    at.driver.key(plain(Key::Home));
    at.driver.key(plain(Key::Down));
    at.driver.key(plain(Key::Down));
    at.driver.key(plain(Key::Tab));
    CHECK(at.buffer().line(3) == "    ");
}

TEST_CASE("copy, cut and paste go through the clipboard") {
    Editing at("one two\nthree\n");
    at.driver.key(ctrl_shift(Key::Right));
    at.driver.key(ctrl(Key::C));
    CHECK(std::string(ImGui::GetClipboardText()) == "one ");
    at.driver.key(plain(Key::End));
    at.driver.key(ctrl(Key::V));
    CHECK(at.buffer().line(0) == "one twoone ");
    at.driver.key(ctrl(Key::X));  // without a selection, cut the line
    CHECK(at.buffer().line(0) == "three");
    CHECK(std::string(ImGui::GetClipboardText()) == "one twoone \n");
}

TEST_CASE("clicks put the caret, select a word, a line, and with Shift up to there") {
    Editing at;
    at.press_at({1, 8});
    CHECK(at.buffer().caret() == Position{1, 8});
    at.press_at({1, 14}, 2);
    CHECK(at.buffer().selected_text() == "get_global_id");
    at.press_at({2, 6}, 3);
    CHECK(at.buffer().selected_text() == "    a[i] = 2.0f;\n");
    at.press_at({0, 2});
    at.driver.pump(40);
    const TextShare to = share_of(at.driver, {1, 7});
    at.driver.hover("source/text", to.x, to.y);
    inject_modifiers(false, true, false);
    at.driver.pump();
    at.driver.click_at("source/text", to.x, to.y);
    inject_modifiers(false, false, false);
    at.driver.pump();
    CHECK(at.buffer().selection() == Selection{{0, 2}, {1, 7}});
}

TEST_CASE("dragging selects, by words after a double click, and a number in the gutter is its line") {
    Editing at;
    const TextShare from = share_of(at.driver, {1, 4}), to = share_of(at.driver, {2, 8});
    at.driver.drag_at("source/text", from.x, from.y, to.x, to.y);
    CHECK(at.buffer().selection() == Selection{{1, 4}, {2, 8}});
    at.driver.pump(40);
    const TextShare word = share_of(at.driver, {1, 5});
    at.driver.click_at("source/text", word.x, word.y);
    at.driver.drag_at("source/text", word.x, word.y, share_of(at.driver, {1, 16}).x, word.y);
    CHECK(at.buffer().selected_text() == "int i = get_global_id");
    at.driver.pump(40);
    at.driver.click_at("source/text", 0.01, share_of(at.driver, {2, 0}).y);
    CHECK(at.buffer().selected_text() == "    a[i] = 2.0f;\n");
}

TEST_CASE("dragging below the edge scrolls, and selects what comes") {
    Editing at(numbered_lines(300));
    const TextShare from = share_of(at.driver, {2, 3});
    at.driver.hover("source/text", from.x, from.y);
    inject_button(0, true);
    at.driver.pump(2);
    const ImRect view = at.driver.at("source/text").rect;
    inject_pointer(view.Min.x + 200, view.Max.y + 60);
    at.driver.pump(60);
    CHECK(at.driver.stage().look().take_frame_request());  // keeps drawing although the pointer does not move
    inject_button(0, false);
    at.driver.settle();
    at.driver.stage().look().take_frame_request();
    at.driver.settle();
    CHECK_FALSE(at.driver.stage().look().take_frame_request());
    CHECK(at.buffer().anchor() == Position{2, 3});
    CHECK(at.buffer().caret().line > 60);
}

TEST_CASE("the wheel scrolls the text, and typing brings the caret back into sight") {
    Editing at(numbered_lines(300));
    at.press_at({0, 0});
    at.driver.wheel("source/text", -40);
    at.driver.settle();
    at.press_at({0, 3});  // another line is drawn there now
    const std::size_t line = at.buffer().caret().line;
    CHECK(line > 20);
    at.driver.key(ctrl(Key::Home));
    at.press_at({4, 3});
    CHECK(at.buffer().caret() == Position{4, 3});
    at.driver.key(ctrl(Key::End));
    at.driver.type("x");
    at.press_at({0, 0});
    CHECK(at.buffer().caret().line > 200);
}

TEST_CASE("letters go to the text, function keys to the window, and Escape leaves the text") {
    Editing at;
    bool f5 = false, letter = false;
    struct Watching : Program {
        Watching(SourceProgram& inner, bool& seen_f5, bool& seen_letter)
            : program(inner), f5(seen_f5), letter(seen_letter) {}
        void draw() override {
            f5 = f5 || pressed(plain(Key::F5));
            letter = letter || pressed(plain(Key::K));
            program.draw();
        }
        SourceProgram& program;
        bool &f5, &letter;
    } watching(at.program, f5, letter);
    GuiDriver driver(at.stage, watching);
    driver.key(plain(Key::K));
    CHECK_FALSE(letter);
    driver.key(plain(Key::F5));
    CHECK(f5);
    CHECK(driver.at("source/text").active);
    driver.key(plain(Key::Escape));
    CHECK_FALSE(driver.at("source/text").active);
    driver.key(plain(Key::K));
    CHECK(letter);
    driver.type("zzz");
    CHECK(at.buffer().text() == kText);
}

TEST_CASE("Ctrl+Tab leaves the text, a click elsewhere too, and a click comes back") {
    Editing at;
    CHECK(at.driver.at("source/text").active);
    at.driver.key(ctrl(Key::Tab));
    CHECK_FALSE(at.driver.at("source/text").active);
    CHECK(at.buffer().text() == kText);
    at.press_at({0, 0});
    CHECK(at.driver.at("source/text").active);
    at.driver.click("source/position");
    CHECK_FALSE(at.driver.at("source/text").active);
}

TEST_CASE("the text can be reached by the Tab key alone") {
    Editing at;
    at.driver.key(ctrl(Key::Tab));
    at.driver.key(ctrl(Key::F));
    at.driver.wait_until("Tab reached the text", [&] {
        at.driver.key(plain(Key::Tab));
        return at.driver.at("source/text").active;
    });
    const std::string before = at.buffer().text();
    at.driver.type("q");
    CHECK(at.buffer().text() != before);
}

TEST_CASE("of a long source only the lines in sight are drawn") {
    const TempFolder folder;
    Document document(1, folder.write("long.cl", numbered_lines(2000)), false);
    TextSurface surface;
    Sketch sketch([&] { surface.draw("text", document, ImGui::GetContentRegionAvail()); });
    WindowlessStage stage(800, 400);
    GuiDriver driver(stage, sketch);
    CHECK(surface.lines_drawn() >= 15);
    CHECK(surface.lines_drawn() <= 30);
    document.buffer().set_caret({1500, 0});
    surface.reveal_caret();
    driver.settle();
    CHECK(surface.lines_drawn() <= 30);
    const ImVec2 caret = surface.screen_position(document.buffer(), {1500, 0});
    CHECK(caret.y > 100);  // in the middle of the view
    CHECK(caret.y < 300);
}

TEST_CASE(
    "marks never cover the line of the caret: not their list below the text, nor what the pointer says") {
    const TempFolder folder;
    Document document(1, folder.write("long.cl", numbered_lines(200)), false);
    TextSurface surface;
    float below = 0;
    Sketch sketch([&] {
        const ImVec2 room = ImGui::GetContentRegionAvail();
        surface.draw("text", document, {room.x, room.y - below});
    });
    WindowlessStage stage(800, 400);
    GuiDriver driver(stage, sketch);
    document.buffer().set_caret({100, 0});
    surface.reveal_caret();
    driver.settle();
    const auto caret_y = [&] {
        return surface.screen_position(document.buffer(), document.buffer().caret()).y;
    };
    while (caret_y() < 320) document.buffer().set_caret({document.buffer().caret().line + 1, 0});
    below = 120;
    driver.settle();
    CHECK(caret_y() < 400 - 120);
    CHECK(caret_y() > 200);  // it has not jumped

    surface.take_keyboard();
    driver.settle();
    document.set_marks({{LineMark::Kind::Error, document.buffer().caret().line, 0, "expected ';'", ""}});
    const ImRect seen = driver.at("text").full;
    const double y = static_cast<double>((caret_y() + 4 - seen.Min.y) / seen.GetHeight());
    driver.hover("text", 0.01, y);
    REQUIRE(driver.has("text/tooltip"));
    driver.type("x");
    CHECK_FALSE(driver.has("text/tooltip"));
    driver.hover("text", 0.015, y);
    CHECK(driver.has("text/tooltip"));
}

TEST_CASE("every colour of the source can be read on every ground it stands on") {
    using editor::SpanKind;
    for (const gui::Theme theme : {gui::Theme::Dark, gui::Theme::Light}) {
        const Palette& colors = palette(theme);
        for (int kind = 0; kind <= static_cast<int>(SpanKind::FrontComment); ++kind) {
            const Color color = source_color(static_cast<SpanKind>(kind), theme);
            CAPTURE(kind);
            CAPTURE(theme == gui::Theme::Dark);
            for (const Color ground :
                 {colors.surface, colors.danger_tint, colors.warning_tint, colors.success_tint})
                CHECK(contrast_ratio(color, ground) >= 4.5);
            CHECK(contrast_ratio(color, colors.selection) >= 3);
        }
    }
}

}  // namespace
}  // namespace kwb::test
