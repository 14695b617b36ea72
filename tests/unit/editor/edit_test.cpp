// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "editor/columns.hpp"
#include "editor/undo.hpp"
#include "support.hpp"

// --- edits ---

namespace kwb::editor {
namespace {

using test::buffer_with;
using test::marked;

// --- line edit ---

template <class Edit>
std::string after(const char* text, Edit edit) {
    TextBuffer buffer = buffer_with(text);
    edit(buffer);
    const std::string result = marked(buffer);
    buffer.undo();
    CHECK(marked(buffer) == marked(buffer_with(text)));  // one undo step; restores the selection
    buffer.redo();
    CHECK(marked(buffer) == result);
    return result;
}

TEST_CASE("Tab fills up to the next step, or indents the selected lines but not empty ones") {
    const auto indent = [](TextBuffer& buffer) { buffer.indent(); };
    CHECK(after("ab|c", indent) == "ab  |c");
    CHECK(after("|x", indent) == "    |x");
    CHECK(after("a^b\n\nc|d\ne", indent) == "    a^b\n\n    c|d\ne");
    CHECK(after("^ab\n|cd", indent) == "^    ab\n|cd");  // the second line is not selected
}

TEST_CASE("Shift+Tab takes up to one step from all touched lines") {
    const auto unindent = [](TextBuffer& buffer) { buffer.unindent(); };
    CHECK(after("      a|b", unindent) == "  a|b");
    CHECK(after("  ^ a\n    b\nc|", unindent) == "^a\nb\nc|");
}

TEST_CASE("comments are toggled at the least indentation, and only taken away if all lines have them") {
    const auto toggle = [](TextBuffer& buffer) { buffer.toggle_comment(); };
    CHECK(after("    a|b", toggle) == "    // a|b");
    CHECK(after("    // a|b", toggle) == "    a|b");
    CHECK(after("//a|b", toggle) == "a|b");
    CHECK(after("  a^\n\n    b|", toggle) == "  // a^\n\n  //   b|");
    CHECK(after("  // a^\n\n  //   b|", toggle) == "  a^\n\n    b|");
    CHECK(after("// a^\nb|", toggle) == "// // a^\n// b|");
    CHECK(after("  |", toggle) == "  // |");
}

TEST_CASE("lines are duplicated below, and the caret goes along") {
    const auto duplicate = [](TextBuffer& buffer) { buffer.duplicate_lines(); };
    CHECK(after("a|b\nc", duplicate) == "ab\na|b\nc");
    CHECK(after("a^b\nc|d", duplicate) == "ab\ncd\na^b\nc|d");
}

TEST_CASE("lines are deleted with their line break, the last one with the one before it") {
    const auto remove = [](TextBuffer& buffer) { buffer.delete_lines(); };
    CHECK(after("abc\nde|f\ng", remove) == "abc\ng|");
    CHECK(after("abc\nde|f", remove) == "ab|c");
    CHECK(after("^a\nb\n|c", remove) == "|c");
    CHECK(after("a|b", remove) == "|");
    CHECK(after("^a\nb|", remove) == "|");
}

TEST_CASE("lines move by one and stop at the text's ends") {
    const auto up = [](TextBuffer& buffer) { buffer.move_lines(-1); };
    const auto down = [](TextBuffer& buffer) { buffer.move_lines(1); };
    CHECK(after("a\nb|\nc", up) == "b|\na\nc");
    CHECK(after("^a\nb|\nc", down) == "c\n^a\nb|");
    TextBuffer first = buffer_with("a|\nb");
    first.move_lines(-1);
    CHECK_FALSE(first.can_undo());
}

// --- tabs ---

TEST_CASE("a tab reaches to the next multiple of the tab width") {
    const std::string_view line = "\ta\t\xC3\xA9x";
    const std::size_t cells[] = {0, 4, 5, 8, 9, 10, 10};
    for (std::size_t column = 0; column < std::size(cells); ++column)
        CHECK(cell_of_column(line, column) == cells[column]);
    CHECK(cells_of(line) == 10);
    CHECK(without_tabs(line) == "    a   \xC3\xA9x");
    const std::size_t columns[] = {0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 5};
    for (std::size_t cell = 0; cell < std::size(columns); ++cell) {
        CAPTURE(cell);
        CHECK(column_of_cell(line, cell) == columns[cell]);
    }
}

TEST_CASE("saving after an edit in one line leaves all other lines as they were, byte by byte") {
    for (const std::string end : {"\n", "\r\n"}) {
        std::string file;
        const std::vector<std::string> lines = {"kernel void k() {", "\tint a;  \t", "\t\tif (a)\treturn;",
                                                "    int b;", "\xE2\x80\x96 \t"};
        for (const std::string& line : lines) file += line + end;
        TextBuffer buffer;
        buffer.load(file);
        CHECK(buffer.file_text() == file);
        buffer.set_caret({0, 17});
        buffer.type("x");
        std::string wanted = file;
        wanted.insert(17, "x");
        CHECK(buffer.file_text() == wanted);
    }
}

TEST_CASE("Tab, Enter and } write what the file is indented with") {
    TextBuffer buffer = buffer_with("\tint a;\n\tif (a) {|}\n  x");
    CHECK(buffer.has_tabs());
    buffer.new_line();
    CHECK(marked(buffer) == "\tint a;\n\tif (a) {\n\t\t|\n\t}\n  x");
    buffer = buffer_with("\tif (a) {\n\t\tb;\n\t\t|");
    buffer.type("}");
    CHECK(marked(buffer) == "\tif (a) {\n\t\tb;\n\t}|");
    buffer = buffer_with("\ta|b");
    buffer.indent();
    CHECK(marked(buffer) == "\ta\t|b");
    buffer = buffer_with("^\ta\n\tb|");
    buffer.indent();
    CHECK(marked(buffer) == "^\t\ta\n\t\tb|");
    buffer.unindent();
    buffer.unindent();
    CHECK(marked(buffer) == "^a\nb|");
    buffer = buffer_with("    a\n|");
    CHECK_FALSE(buffer.has_tabs());
    buffer.indent();
    CHECK(marked(buffer) == "    a\n    |");
}

TEST_CASE("Backspace takes one tab, or the blanks back to the last step") {
    TextBuffer buffer = buffer_with("\t\t|a");
    buffer.backspace();
    CHECK(marked(buffer) == "\t|a");
    buffer = buffer_with("\t      |a");
    buffer.backspace();
    CHECK(marked(buffer) == "\t    |a");
    buffer.backspace();
    CHECK(marked(buffer) == "\t|a");
}

TEST_CASE("up and down keep the place on the screen over lines with tabs") {
    TextBuffer buffer = buffer_with("    ab|c\n\tabc\nabcdefg");
    buffer.move(Motion::Down);
    CHECK(buffer.caret() == Position{1, 3});
    buffer.move(Motion::Down);
    CHECK(buffer.caret() == Position{2, 6});
}

}  // namespace
}  // namespace kwb::editor

// --- undo ---

namespace kwb::editor {
namespace {

using test::buffer_with;
using test::marked;

TEST_CASE("a run of typing is undone as one step and brings the replaced selection back") {
    TextBuffer buffer = buffer_with("one ^two| three");
    for (const char* key : {"f", "o", "u", "r"}) buffer.type(key);
    CHECK(marked(buffer) == "one four| three");
    buffer.undo();
    CHECK(marked(buffer) == "one ^two| three");
    CHECK_FALSE(buffer.can_undo());
    buffer.redo();
    CHECK(marked(buffer) == "one four| three");
}

TEST_CASE("moving the caret, a new line, a pause and another kind of edit each begin a new step") {
    TextBuffer buffer = buffer_with("|");
    buffer.type("a");
    buffer.move(Motion::Left);
    buffer.move(Motion::Right);
    buffer.type("b");
    CHECK(buffer.history().undo_count() == 2);
    buffer.end_run();
    buffer.type("c");
    CHECK(buffer.history().undo_count() == 3);
    buffer.new_line();
    buffer.type("d");
    CHECK(buffer.history().undo_count() == 5);
    buffer.backspace();
    buffer.backspace();
    CHECK(buffer.history().undo_count() == 6);
    buffer.paste("x");
    buffer.paste("y");
    CHECK(buffer.history().undo_count() == 8);
}

TEST_CASE("a caret that is set where it stands ends no run") {
    TextBuffer buffer = buffer_with("|");
    buffer.type("a");
    buffer.set_caret(buffer.caret());
    buffer.type("b");
    CHECK(buffer.history().undo_count() == 1);
}

TEST_CASE("runs of backspace and of delete are one step each, over line breaks") {
    TextBuffer buffer = buffer_with("ab\ncd|");
    for (int i = 0; i < 4; ++i) buffer.backspace();
    CHECK(marked(buffer) == "a|");
    buffer.undo();
    CHECK(marked(buffer) == "ab\ncd|");
    buffer = buffer_with("|ab\ncd");
    for (int i = 0; i < 4; ++i) buffer.erase_forward();
    CHECK(marked(buffer) == "|d");
    buffer.undo();
    CHECK(marked(buffer) == "|ab\ncd");
}

TEST_CASE("undoing back to the saved text is unmodified, and so is redoing up to it") {
    TextBuffer buffer = buffer_with("|");
    buffer.type("a");
    CHECK(buffer.is_modified());
    buffer.mark_saved();
    CHECK_FALSE(buffer.is_modified());
    buffer.type("b");  // a separate undo step, although typing continues
    CHECK(buffer.is_modified());
    buffer.undo();
    CHECK_FALSE(buffer.is_modified());
    CHECK(buffer.text() == "a");
    buffer.undo();
    CHECK(buffer.is_modified());
    buffer.redo();
    CHECK_FALSE(buffer.is_modified());
    buffer.undo();
    buffer.type("a");  // the same text, but not from redo
    CHECK(buffer.is_modified());
    CHECK_FALSE(buffer.can_redo());
}

TEST_CASE("beyond the budget the oldest steps are forgotten and the newest is kept") {
    TextBuffer buffer(2000);
    buffer.load("");
    for (int i = 0; i < 50; ++i) buffer.paste("0123456789");
    CHECK(buffer.history().bytes() <= 2000);
    CHECK(buffer.history().undo_count() < 50);
    CHECK(buffer.history().undo_count() > 2);
    const std::string large(10'000, 'x');
    buffer.paste(large);
    CHECK(buffer.history().undo_count() == 1);
    buffer.undo();
    CHECK(buffer.text().size() == 500);
    buffer.type("y");
    CHECK(buffer.history().bytes() < 1000);  // the undone steps are discarded
}

TEST_CASE("an edit that changes nothing is no step") {
    TextBuffer buffer = buffer_with("|x");
    buffer.backspace();
    buffer.unindent();
    buffer.paste("");
    CHECK_FALSE(buffer.can_undo());
    CHECK_FALSE(buffer.is_modified());
}

TEST_CASE("undoing a missing step violates the contract; the buffer checks first") {
    UndoHistory history;
    CHECK_THROWS_AS(history.take_undo(), ContractError);
    CHECK_THROWS_AS(history.take_redo(), ContractError);
    TextBuffer buffer;
    buffer.undo();
    buffer.redo();
    CHECK(buffer.text().empty());
}

}  // namespace
}  // namespace kwb::editor
